#include <fmt/format.h>

#include "batchscope/base/counted.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::schema {
namespace {

constexpr std::string_view kMadeUp = "synthetic:", kPython = "python:";

}  // namespace

bool is_in_python(const Loader& loader) {
  return loader.source.starts_with(kPython);
}

std::string describe(const Loader& loader) {
  std::string text = fmt::format("loader={} loader_workers={} prefetch={}", loader.source,
                                 loader.workers, loader.prefetch);
  if (loader.prefetch_to_device) text += " prefetch_to_device";
  if (!loader.start_method.empty()) text += " start_method=" + loader.start_method;
  return loader.pinned ? text + " pinned" : text;
}

std::string source_in_words(const Loader& loader) {
  if (is_in_python(loader)) return "data set " + loader.source.substr(kPython.size());
  if (!loader.source.starts_with(kMadeUp)) return "files of " + loader.source;
  return "generated files (" + loader.source.substr(kMadeUp.size()) + ")";
}

std::string workers_in_words(const Loader& loader) {
  return base::counted(loader.workers, "loader worker");
}

std::string in_words(const Loader& loader) {
  std::string text = source_in_words(loader) + ", " + workers_in_words(loader);
  const bool usual = loader.workers == 0 || loader.prefetch == Loader{}.prefetch;
  if (!usual) text += fmt::format(", prefetch {}", loader.prefetch);
  if (loader.prefetch_to_device) text += ", prefetched to the device";
  if (!loader.start_method.empty()) text += ", started by " + loader.start_method;
  if (loader.pinned) text += ", pinned memory";
  return text;
}

}  // namespace batchscope::schema
