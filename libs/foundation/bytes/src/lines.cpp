#include "batchscope/bytes/lines.hpp"

#include <memory>
#include <utility>

#include "batchscope/bytes/byte_source.hpp"
#include "batchscope/bytes/peeked_source.hpp"

namespace batchscope::bytes {
namespace {

using Read = base::LineReader::Read;

// A thousandth of it may stand in a file.
constexpr uint64_t kMostUnpacked = uint64_t{4} << 30;

class ReadSource : public ByteSource {
 public:
  explicit ReadSource(Read read) : read_(std::move(read)) {}

  size_t read(std::span<char> into) override {
    const auto count = read_(into);
    if (!count) damage_ = count.error().what;
    return count ? *count : 0;
  }

 private:
  Read read_;
};

base::Error unreadable(std::string what, const std::filesystem::path& file, std::string fix) {
  return {base::ErrorKind::input, std::move(what), file.string(), std::move(fix)};
}

Read unpacked(Read read, const std::filesystem::path& file) {
  const std::shared_ptr<ByteSource> source =
      decompressed(std::make_unique<ReadSource>(std::move(read)));
  return [source, file, total = uint64_t{0}](std::span<char> into) mutable -> base::Result<size_t> {
    const size_t count = source->read(into);
    total += count;
    if (total > kMostUnpacked) {
      return unreadable("is larger than 4 GiB when decompressed", file, "use a part of the file");
    }
    if (count > 0 || source->damage().empty()) return count;
    return unreadable(source->damage(), file,
                      "recover the readable part with gunzip -c or zstd -dc");
  };
}

}  // namespace

base::Result<base::LineReader> lines_of(const std::filesystem::path& file) {
  return base::LineReader::open(file, [&](Read read) { return unpacked(std::move(read), file); });
}

std::string head_of(const std::filesystem::path& file, size_t most_bytes) {
  // "-" is a name here.
  auto source = open_file(std::filesystem::current_path() / file);
  if (!source) return "";
  return std::string(PeekedSource(decompressed(*std::move(source)), most_bytes).head());
}

}  // namespace batchscope::bytes
