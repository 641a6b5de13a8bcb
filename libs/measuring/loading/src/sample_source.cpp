#include <fmt/format.h>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/loading/sample_files.hpp"

namespace batchscope::loading {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr std::string_view kMadeUp = "synthetic:";
constexpr int64_t kMostFiles = 100'000;
constexpr int64_t kMostMadeUpPixels = 16'384;  // a side
constexpr int64_t kMostWords = 1'000'000;

Error unclear(std::string_view what) {
  return {ErrorKind::usage, fmt::format("'{}' does not describe synthetic files", what), "--loader",
          "use a folder, or e.g. synthetic:256,latency=5ms,size=320x240,words=200"};
}

Result<int64_t> number(std::string_view text, int64_t most) {
  const auto value = base::parse_number<int64_t>(text);
  if (!value || *value < 1 || *value > most) return unclear(text);
  return *value;
}

Result<void> read_size(std::string_view text, SampleSource& source) {
  const std::size_t x = text.find('x');
  if (x == std::string_view::npos) return unclear(text);
  const auto width = number(text.substr(0, x), kMostMadeUpPixels);
  if (!width) return width.error();
  const auto height = number(text.substr(x + 1), kMostMadeUpPixels);
  if (!height) return height.error();
  source.width = static_cast<int>(*width);
  source.height = static_cast<int>(*height);
  return {};
}

Result<void> read_setting(std::string_view item, SampleSource& source) {
  const std::size_t equals = item.find('=');
  const std::string_view name = item.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? "" : item.substr(equals + 1);
  if (name == "size") return read_size(value, source);
  if (name == "words") {
    const auto words = number(value, kMostWords);
    if (!words) return words.error();
    source.words = static_cast<int>(*words);
    return {};
  }
  if (name != "latency") return unclear(item);
  const auto latency = base::parse_duration(value);
  if (!latency || latency->count() < 0) return unclear(item);
  source.latency = *latency;
  return {};
}

}  // namespace

Result<SampleSource> parse_sample_source(std::string_view text) {
  SampleSource source;
  if (text.empty()) return unclear(text);
  if (!text.starts_with(kMadeUp)) {
    source.folder = text;
    return source;
  }
  const auto items = base::split(text.substr(kMadeUp.size()), ',');
  const auto files = number(items.front(), kMostFiles);
  if (!files) return files.error();
  source.files = *files;
  for (std::size_t i = 1; i < items.size(); ++i) {
    if (auto read = read_setting(items[i], source); !read) return read.error();
  }
  return source;
}

}  // namespace batchscope::loading
