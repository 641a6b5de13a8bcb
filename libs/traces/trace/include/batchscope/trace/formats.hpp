#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "batchscope/trace/reader.hpp"

namespace batchscope::bytes {
class ByteSource;
}

namespace batchscope::trace {

// A format that is read: of a text, which may come compressed or through a pipe, or of a file that
// is read here and there.
struct TraceFormat {
  std::string_view what;                      // "traces of torch.profiler"
  std::span<const std::string_view> endings;  // of a file's name
  bool (*recognises)(std::string_view head);  // by its first bytes, uncompressed
  // Exactly one of them.
  base::Result<Trace> (*read_text)(bytes::ByteSource& bytes, std::string source,
                                   const ReadOptions& options) = nullptr;
  base::Result<Trace> (*read_file)(const std::filesystem::path& file,
                                   const ReadOptions& options) = nullptr;
};

// In the order in which they are tried; the last one takes every text.
std::span<const TraceFormat> formats();
// Whether a file's name ends as that of a format.
bool is_named_as_a_trace(const std::filesystem::path& file);
// ".json, .json.gz, .json.zst, .sqlite"
std::string endings();

}  // namespace batchscope::trace
