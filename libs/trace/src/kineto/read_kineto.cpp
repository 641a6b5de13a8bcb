#include "read_kineto.hpp"

#include <utility>

#include "collector.hpp"
#include "parallel/threads_to_use.hpp"
#include "parallel_reading.hpp"
#include "recovery.hpp"
#include "scan.hpp"
#include "top_level.hpp"

namespace batchscope::trace {
namespace {

constexpr size_t kLongestTail = size_t{64} << 20;

class KinetoReading {
 public:
  KinetoReading(bytes::ByteSource& bytes, const ReadOptions& options)
      : bytes_(bytes),
        blocks_(bytes, "\"ph\"", static_cast<size_t>(std::max<int64_t>(1, options.block_bytes))),
        threads_(threads_to_use(options.threads)),
        reading_(blocks_, table_, options) {}

  base::Result<Trace> run(std::string source) {
    auto head = read_head(blocks_, source);
    if (!head) return std::move(head).error();
    top_ = std::move(*head);
    read_events();
    Trace trace;
    trace.source = std::move(source);
    trace.read.bytes = blocks_.bytes_read();
    trace.read.truncated = truncated_;
    trace.read.unread_bytes = unread_bytes_;
    if (!bytes_.damage().empty()) {
      trace.read.truncated = true;
      ++trace.read.problems[bytes_.damage()];
    }
    table_.finish(threads_, trace);
    take_over(top_, table_.is_kineto(), trace);
    return trace;
  }

 private:
  void find_first_key() {
    std::string start = blocks_.rest(size_t{1} << 16);
    const size_t event = skip_space(start, 0);
    if (event != kNotFound && start[event] == '{') {
      const std::string_view key = first_key(std::string_view(start).substr(event));
      if (!key.empty()) blocks_.set_key(std::string(key));
    }
    blocks_.put_back(start);
  }

  void read_events() {
    find_first_key();
    for (;;) {
      ParallelReading::End end = reading_.run();
      if (end.why == ParallelReading::End::Why::enough) return stop_early();
      if (end.why == ParallelReading::End::Why::closed) return finish(std::move(end.text));
      if (end.why == ParallelReading::End::Why::no_more_text) {
        truncated_ = !top_.is_array;
        return;
      }
      if (!recover(end)) return;
    }
  }

  // False where that was the end.
  bool recover(const ParallelReading::End& end) {
    Collector collector(reading_.numbering());
    const Recovered recovered =
        recover_events(end.text, blocks_.key(), end.is_last, parser_, collector);
    Chunk chunk = collector.take();
    const bool lost_its_end = chunk.problems.contains("an event that the file ends in");
    reading_.add(std::move(chunk));
    if (recovered.closed_at != kNotFound) {
      // The comma was cut off behind a block that is not the last.
      finish(end.text.substr(recovered.closed_at) + (end.is_last ? "" : ","));
      return false;
    }
    std::string left = end.text.substr(recovered.read_to);
    if (end.is_last) {
      truncated_ = !top_.is_array || !left.empty() || lost_its_end;
      return false;
    }
    // Where it was cut in the middle of an event, that event has to be seen whole.
    const size_t whole = left.size();
    left += ',';
    blocks_.put_back(left, whole);
    return true;
  }

  void finish(std::string behind) {
    behind += blocks_.rest(kLongestTail);
    const size_t end = read_tail(behind, top_);
    truncated_ = end == kNotFound;
    if (!truncated_) count_unread(std::string_view(behind).substr(end));
  }

  static bool is_padding(std::string_view text) {
    return text.find_first_not_of(std::string_view(" \t\r\n,\0", 6)) == std::string_view::npos;
  }

  // A second document, or what somebody appended.
  void count_unread(std::string_view left) {
    bool is_space = is_padding(left);
    int64_t bytes = static_cast<int64_t>(left.size());
    for (;;) {
      const std::string more = blocks_.rest(size_t{1} << 20);
      if (more.empty()) break;
      is_space = is_space && is_padding(more);
      bytes += static_cast<int64_t>(more.size());
    }
    if (!is_space) unread_bytes_ = bytes;
  }

  void stop_early() {
    truncated_ = true;
    Chunk chunk;
    chunk.problem("more events than are read of one file");
    reading_.add(std::move(chunk));
  }

  bytes::ByteSource& bytes_;
  BlockReader blocks_;
  TableBuilder table_{clean_name};
  int threads_;
  ParallelReading reading_;
  EventArrayParser parser_;
  TopLevel top_;
  bool truncated_ = false;
  int64_t unread_bytes_ = 0;
};

}  // namespace

base::Result<Trace> read_kineto(bytes::ByteSource& bytes, std::string source,
                                const ReadOptions& options) {
  return KinetoReading(bytes, options).run(std::move(source));
}

}  // namespace batchscope::trace
