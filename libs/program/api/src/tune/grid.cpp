#include "grid.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace batchscope::api {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

bool trains(const study::Axes& axes) {
  return std::find(axes.modes.begin(), axes.modes.end(), schema::Mode::train) != axes.modes.end();
}

// One, and twice as many as long as each has a core; of training one, because copies would share no
// gradients.
std::vector<int64_t> default_instances(const study::Axes& axes) {
  std::vector<int64_t> counts{1};
  const bool on_host = axes.devices == std::vector<std::string>{"cpu"} && !trains(axes);
  while (on_host && counts.back() * 2 <= axes.cores) counts.push_back(counts.back() * 2);
  return counts;
}

Result<void> check_single(std::size_t count, const char* flag) {
  if (count <= 1) return {};
  return Error{ErrorKind::usage, "a search covers one kind of work", flag,
               "choose one, and tune the others separately"};
}

}  // namespace

const std::vector<int64_t>& default_tune_sizes() {
  static const std::vector<int64_t> sizes{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
  return sizes;
}

Result<void> fill_axes(TuneOptions& options) {
  study::Axes& axes = options.request.axes;
  if (!options.states("--batch-sizes")) axes.batch_sizes = default_tune_sizes();
  if (!options.states("--instances") && options.request.plan.isolation != schema::Isolation::none) {
    axes.instances = default_instances(axes);
  }
  const auto& current = options.request.plan.current_batch_size;
  auto& sizes = axes.batch_sizes;
  if (current && std::find(sizes.begin(), sizes.end(), *current) == sizes.end()) {
    sizes.push_back(*current);
    std::sort(sizes.begin(), sizes.end());
  }
  return bound_batch_sizes(options.max_batch_size, sizes);
}

Result<void> check_one_work(const study::Axes& axes) {
  if (auto one = check_single(axes.modes.size(), "--mode"); !one) return one;
  const bool copies = std::any_of(axes.instances.begin(), axes.instances.end(),
                                  [](int64_t count) { return count > 1; });
  if (trains(axes) && copies) {
    return Error{
        ErrorKind::usage, "instances would be independent trainings, which share no gradients",
        "--instances",
        "omit it; profile --mode train --instances shows how such trainings share the machine"};
  }
  return check_single(axes.seq_lens.size() + axes.length_mixes.size(), "--seq-lens");
}

Result<void> bound_batch_sizes(std::optional<int64_t> at_most, std::vector<int64_t>& sizes) {
  if (!at_most) return {};
  const auto smallest = sizes.empty() ? 0 : *std::min_element(sizes.begin(), sizes.end());
  std::erase_if(sizes, [&](int64_t size) { return size > *at_most; });
  if (!sizes.empty()) return {};
  return Error{
      ErrorKind::usage,
      fmt::format("the grid is empty: the smallest batch size is {}, above the limit of {}",
                  smallest, *at_most),
      "--max-batch-size", "raise it, or add smaller --batch-sizes"};
}

}  // namespace batchscope::api
