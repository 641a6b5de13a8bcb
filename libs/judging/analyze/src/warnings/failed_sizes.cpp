#include <fmt/format.h>

#include <map>
#include <set>
#include <tuple>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/timing/evidence.hpp"
#include "warnings.hpp"

namespace batchscope::analyze {
namespace {

using findings::label;
using findings::list;
using tables::RunView;

struct Failures {
  int visits = 0;
  int out_of_memory = 0;
};

// Of each configuration, by its index.
std::map<std::size_t, Failures> failures_of(const RunView& view) {
  std::map<std::size_t, Failures> failures;
  for (const schema::Event& event : view.run->events) {
    const bool memory = event.kind == schema::EventKind::out_of_memory;
    const auto config = static_cast<std::size_t>(event.where.config.value_or(-1));
    if (!schema::is_failure(event) || config >= view.run->configs.size()) continue;
    ++failures[config].visits;
    if (memory) ++failures[config].out_of_memory;
  }
  return failures;
}

std::string how(const Failures& failures) {
  if (failures.out_of_memory == failures.visits) return "ran out of memory";
  return failures.out_of_memory > 0 ? "failed or ran out of memory" : "failed";
}

std::string how_often(int visits, bool several) {
  if (visits == 1) return several ? "in the one visit of each" : "in its one visit";
  if (visits == 2) return several ? "in both visits of each" : "in both its visits";
  return fmt::format("in all {} visits{}", visits, several ? " of each" : "");
}

bool is_of_one_table(const RunView& view) {
  const auto keys = base::mapped(view.run->configs, schema::without_batch_size);
  return std::set(keys.begin(), keys.end()).size() < 2;
}

}  // namespace

std::set<int64_t> sizes_that_failed(const RunView& view) {
  std::set<int64_t> failed;
  for (const auto& [index, each] : failures_of(view)) {
    if (each.visits >= timing::kFailuresToGiveUp) {
      failed.insert(view.run->configs[index].shape.batch_size);
    }
  }
  for (const schema::Visit& visit : view.run->visits) {
    failed.erase(view.run->configs[static_cast<std::size_t>(visit.config)].shape.batch_size);
  }
  return failed;
}

std::vector<std::string> failed_sizes_in_words(const RunView& view) {
  std::map<std::size_t, Failures> failures = failures_of(view);
  for (const schema::Visit& visit : view.run->visits) {
    failures.erase(static_cast<std::size_t>(visit.config));
  }
  // Alike in these, sizes share a sentence.
  std::map<std::tuple<schema::RunConfig, std::string, int>, std::set<int64_t>> alike;
  for (const auto& [index, each] : failures) {
    const schema::RunConfig& config = view.run->configs[index];
    alike[{schema::without_batch_size(config), how(each), each.visits}].insert(
        config.shape.batch_size);
  }
  const bool one_table = is_of_one_table(view);
  std::vector<std::string> words;
  for (const auto& [kind, found] : alike) {
    const std::vector<int64_t> sizes(found.begin(), found.end());
    const auto& [key, what, visits] = kind;
    words.push_back(fmt::format(
        "{}{} {} {} {}.", one_table ? "" : label(key) + ": ",
        sizes.size() == 1 ? (one_table ? "Batch" : "batch") : (one_table ? "Batches" : "batches"),
        list(sizes), what, how_often(visits, sizes.size() > 1)));
  }
  return words;
}

}  // namespace batchscope::analyze
