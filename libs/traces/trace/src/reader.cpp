#include "batchscope/trace/reader.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "batchscope/bytes/peeked_source.hpp"
#include "batchscope/trace/formats.hpp"
#include "batchscope/trace/recording_file.hpp"
#include "batchscope/trace/unreadable.hpp"
#include "formats/nsys_export.hpp"
#include "nsys/read_nsys.hpp"

namespace batchscope::trace {
namespace {

namespace fs = std::filesystem;

// It is read here and there: there has to be a file.
base::Error no_file(std::string source) {
  return {base::ErrorKind::input, "is an SQLite export that is compressed or comes through a pipe",
          std::move(source),
          "an SQLite export must be an uncompressed file: unpack it and give its path"};
}

// The last one takes every text.
const TraceFormat& format_of(std::string_view head) {
  const auto all = formats();
  return *std::ranges::find_if(all,
                               [head](const TraceFormat& each) { return each.recognises(head); });
}

base::Error refused(const UnreadableFormat& format, const std::string& source,
                    const std::string& why = "") {
  return {base::ErrorKind::input,
          "is not a readable trace: it is " + std::string(format.what) + why, source,
          command_for(format, source)};
}

base::Result<Trace> read_text(std::unique_ptr<bytes::ByteSource> bytes, std::string source,
                              const ReadOptions& options) {
  bytes::PeekedSource text(bytes::decompressed(std::move(bytes)), kHeadBytes);
  const TraceFormat& format = format_of(text.head());
  if (format.read_file != nullptr) return no_file(std::move(source));
  if (const auto* const unreadable = unreadable_format("", text.head())) {
    return refused(*unreadable, source);
  }
  return format.read_text(text, std::move(source), options);
}

// What nsys makes of its own report, where there is an nsys.
base::Result<Trace> read_report(const UnreadableFormat& format, const fs::path& file,
                                const ReadOptions& options) {
  const auto place = RecordingFile::begin({});
  if (!place) return place.error();
  const auto exported = export_of_nsys(file, place->file().parent_path());
  if (!exported) return refused(format, file.string(), ", and " + exported.error().what);
  auto trace = read_nsys(*exported, options);
  if (trace) trace->source = file.string();
  return trace;
}

}  // namespace

base::Result<Trace> TraceReader::read(const fs::path& file) const {
  auto opened = bytes::open_file(file);
  if (!opened) return std::move(opened).error();
  auto bytes = std::make_unique<bytes::PeekedSource>(std::move(*opened), kHeadBytes);
  const auto* const format = unreadable_format(file.filename().string(), bytes->head());
  if (format != nullptr && format->is_nsys) return read_report(*format, file, options_);
  if (format != nullptr) return refused(*format, file.string());
  std::error_code error;
  const auto read_file = format_of(bytes->head()).read_file;
  if (read_file != nullptr && file != "-" && fs::is_regular_file(file, error)) {
    return read_file(file, options_);
  }
  return read_text(std::move(bytes), file.string(), options_);
}

base::Result<Trace> TraceReader::parse(std::string_view text, std::string source) const {
  return read_text(bytes::bytes_of(text), std::move(source), options_);
}

}  // namespace batchscope::trace
