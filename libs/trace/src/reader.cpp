#include "batchscope/trace/reader.hpp"

#include <system_error>
#include <utility>

#include "batchscope/bytes/peeked_source.hpp"
#include "kineto/read_kineto.hpp"
#include "nsys/read_nsys.hpp"

namespace batchscope::trace {
namespace {

// SQLite reads here and there in a file: there has to be one.
base::Error no_file(std::string source) {
  return {base::ErrorKind::input, "is an SQLite export that is compressed, or comes through a pipe",
          std::move(source),
          "an SQLite export has to be an uncompressed file: unpack it and give its path"};
}

base::Result<Trace> read_text(std::unique_ptr<bytes::ByteSource> bytes, std::string source,
                              const ReadOptions& options) {
  bytes::PeekedSource text(bytes::decompressed(std::move(bytes)), kSqliteMagic.size());
  if (text.head() == kSqliteMagic) return no_file(std::move(source));
  return read_kineto(text, std::move(source), options);
}

}  // namespace

base::Result<Trace> TraceReader::read(const std::filesystem::path& file) const {
  auto opened = bytes::open_file(file);
  if (!opened) return std::move(opened).error();
  auto bytes = std::make_unique<bytes::PeekedSource>(std::move(*opened), kSqliteMagic.size());
  std::error_code error;
  if (bytes->head() == kSqliteMagic && file != "-" &&
      std::filesystem::is_regular_file(file, error)) {
    return read_nsys(file, options_);
  }
  return read_text(std::move(bytes), file.string(), options_);
}

base::Result<Trace> TraceReader::parse(std::string_view text, std::string source) const {
  return read_text(bytes::bytes_of(text), std::move(source), options_);
}

}  // namespace batchscope::trace
