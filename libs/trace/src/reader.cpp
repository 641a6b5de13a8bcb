#include "batchscope/trace/reader.hpp"

#include <utility>

#include "bytes/byte_source.hpp"
#include "kineto/read_kineto.hpp"

namespace batchscope::trace {

base::Result<Trace> TraceReader::read(const std::filesystem::path& file) const {
  auto source = open_file(file);
  if (!source) return std::move(source).error();
  const auto bytes = decompressed(std::move(*source));
  return read_kineto(*bytes, file.string(), options_);
}

base::Result<Trace> TraceReader::parse(std::string_view text, std::string source) const {
  const auto bytes = decompressed(bytes_of(text));
  return read_kineto(*bytes, std::move(source), options_);
}

}  // namespace batchscope::trace
