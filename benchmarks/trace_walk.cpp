// What reading a trace is held against: trace_walk FILE walk|unpack THREADS
//   walk: simdjson over the same members of the same events, which are looked at and forgotten; the
//         file is cut into blocks as the reader cuts it, so that any number of threads can help
//   unpack: what gzip (zlib) or zstd takes alone
// Prints the seconds, and the bytes that were read.
#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <chrono>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

namespace ondemand = simdjson::ondemand;

constexpr size_t kBlock = size_t{1} << 20;

struct Seen {
  uint64_t events = 0;
  uint64_t bytes = 0;  // of what was looked at, so that looking is not optimised away
};

constexpr std::string_view kMembers[] = {"ts\"",  "dur\"",  "pid\"", "tid\"",
                                         "cat\"", "name\"", "ph\""};
constexpr std::string_view kArguments[] = {
    "correlation\"", "stream\"",        "device\"",      "bytes\"",       "grid\"",
    "block\"",       "blocks per SM\"", "registers per", "est. achieved", "Input type\""};

bool is_wanted(const char* key, const std::string_view* first, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (std::strncmp(key, first[i].data(), first[i].size()) == 0) return true;
  }
  return false;
}

void look_at(ondemand::object object, Seen& seen) {
  for (auto field : object) {
    const char* const key = field.key().value_unsafe().raw();
    if (is_wanted(key, kMembers, std::size(kMembers))) {
      const std::string_view text = field.value().raw_json_token().value_unsafe();
      seen.bytes += text.size();
      if (key[0] == 'p' && key[1] == 'h' && (text[1] == 'f' || text[1] == 's')) return;
    } else if (std::strncmp(key, "args\"", 5) == 0) {
      ondemand::object arguments;
      if (field.value().get_object().get(arguments)) continue;
      for (auto each : arguments) {
        if (!is_wanted(each.key().value_unsafe().raw(), kArguments, std::size(kArguments)))
          continue;
        seen.bytes += each.value().raw_json_token().value_unsafe().size();
      }
    }
  }
  ++seen.events;
}

class Walk {
 public:
  explicit Walk(const char* path) : file_(::open(path, O_RDONLY)) {
    std::string head(kBlock, '\0');
    head.resize(static_cast<size_t>(::read(file_, head.data(), head.size())));
    carried_ = head.substr(head.find('[', head.find("\"traceEvents\"")) + 1);
  }

  void work(Seen& seen) {
    ondemand::parser parser;
    std::string block;
    while (next(block)) {
      const size_t size = block.size();
      block.resize(size + simdjson::SIMDJSON_PADDING);
      ondemand::array array;
      auto document = parser.iterate(block.data(), size, block.size());
      if (document.get_array().get(array)) continue;  // the end of the file behind the events
      for (auto each : array) {
        ondemand::object object;
        if (!each.get_object().get(object)) look_at(object, seen);
      }
    }
  }

 private:
  bool next(std::string& block) {
    const std::lock_guard lock(mutex_);
    if (ended_) return false;
    block.assign("[");
    block += carried_;
    const size_t before = block.size();
    block.resize(before + kBlock);
    const ssize_t got = ::read(file_, block.data() + before, kBlock);
    block.resize(before + static_cast<size_t>(std::max<ssize_t>(0, got)));
    ended_ = got <= 0;
    const size_t brace = block.rfind("\"ph\":");
    const size_t comma = block.rfind(',', block.rfind('{', brace));
    if (comma == std::string::npos) return !ended_;  // the last event, and what is behind the array
    carried_ = block.substr(comma + 1);
    block.resize(comma);
    block += ']';
    return true;
  }

  int file_;
  std::mutex mutex_;
  std::string carried_;
  bool ended_ = false;
};

uint64_t walk(const char* path, int threads) {
  Walk shared(path);
  std::vector<Seen> seen(static_cast<size_t>(threads));
  std::vector<std::thread> others;
  for (size_t i = 1; i < seen.size(); ++i) others.emplace_back([&, i] { shared.work(seen[i]); });
  shared.work(seen[0]);
  for (std::thread& other : others) other.join();
  uint64_t events = 0;
  for (const Seen& each : seen) events += each.events;
  return events;
}

uint64_t gunzip(const char* path) {
  gzFile file = gzopen(path, "rb");
  gzbuffer(file, 1U << 18U);
  std::vector<char> buffer(kBlock);
  uint64_t bytes = 0;
  for (int got = 1; got > 0; bytes += static_cast<uint64_t>(got)) {
    got = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()));
  }
  gzclose(file);
  return bytes;
}

uint64_t unzstd(const char* path) {
  const int file = ::open(path, O_RDONLY);
  ZSTD_DCtx* const context = ZSTD_createDCtx();
  std::vector<char> packed(ZSTD_DStreamInSize());
  std::vector<char> plain(kBlock);
  uint64_t bytes = 0;
  for (ssize_t got = 0; (got = ::read(file, packed.data(), packed.size())) > 0;) {
    ZSTD_inBuffer in{packed.data(), static_cast<size_t>(got), 0};
    while (in.pos < in.size) {
      ZSTD_outBuffer out{plain.data(), plain.size(), 0};
      if (ZSTD_isError(ZSTD_decompressStream(context, &out, &in)) != 0) return bytes;
      bytes += out.pos;
    }
  }
  ZSTD_freeDCtx(context);
  ::close(file);
  return bytes;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const std::string path = arguments[1];
  const auto start = std::chrono::steady_clock::now();
  const bool walks = std::string_view(arguments[2]) == "walk";
  const uint64_t made = walks                   ? walk(path.c_str(), std::stoi(arguments[3]))
                        : path.ends_with(".gz") ? gunzip(path.c_str())
                                                : unzstd(path.c_str());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  fmt::print("{:.4f} {}\n", took.count(), made);
  return 0;
}
