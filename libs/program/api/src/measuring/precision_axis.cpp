#include <fmt/format.h>

#include <algorithm>

#include "batchscope/api/measure_options.hpp"
#include "batchscope/host/precisions.hpp"

namespace batchscope::api {

void choose_precisions(study::ProfileRequest& request) {
  study::Axes& axes = request.axes;
  const bool on_host = axes.devices == std::vector<std::string>{"cpu"};
  const auto gpus = on_host ? gpu::absent_gpus("", "") : gpu::open_gpus();
  axes.precisions.clear();
  for (const std::string& name : axes.devices) {
    for (const auto each : host::fast_precisions(name, base::SystemRoot(), *gpus)) {
      const auto& known = axes.precisions;
      if (std::find(known.begin(), known.end(), each) == known.end()) {
        axes.precisions.push_back(each);
      }
    }
  }
  std::vector<std::string_view> words;
  for (const auto each : axes.precisions) words.push_back(schema::to_string(each));
  request.notes.push_back(
      fmt::format("--precision auto: {} on {}, from the instructions of the device; measuring "
                  "shows which is best",
                  fmt::join(words, ", "), fmt::join(axes.devices, ", ")));
}

}  // namespace batchscope::api
