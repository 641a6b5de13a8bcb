#include "batchscope/monitorview/together.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "text/finding_words.hpp"

namespace batchscope::monitorview {
namespace {

using Standings = std::vector<watch::Standing>;

const findings::GpuMoment* whole_gpu_of(const watch::Standing& standing) {
  const auto* moment = std::get_if<findings::GpuMoment>(&standing.finding.where);
  return moment != nullptr && !moment->slice ? moment : nullptr;
}

bool are_alike(const watch::Standing& a, const watch::Standing& b) {
  return a.finding.id == b.finding.id && a.finding.severity == b.finding.severity &&
         a.ended_ns.has_value() == b.ended_ns.has_value();
}

// "1 to 7", "1, 2 and 5".
std::string in_words(const std::set<int>& gpus) {
  const int first = *gpus.begin(), last = *gpus.rbegin();
  const auto count = static_cast<int>(gpus.size());
  if (count > 2 && last - first == count - 1) return fmt::format("{} to {}", first, last);
  if (count == 1) return fmt::format("{}", first);
  return fmt::format("{} and {}", fmt::join(gpus.begin(), std::prev(gpus.end()), ", "), last);
}

class Group {
 public:
  explicit Group(const watch::Standing& first) : told_(first) {}

  bool takes(const watch::Standing& one) const {
    return whole_gpu_of(told_) != nullptr && whole_gpu_of(one) != nullptr && are_alike(told_, one);
  }

  void add(const watch::Standing& one) {
    others_.insert(whole_gpu_of(one)->gpu);
    told_.since_ns = std::min(told_.since_ns, one.since_ns);
    if (told_.ended_ns) told_.ended_ns = std::max(*told_.ended_ns, *one.ended_ns);
  }

  watch::Standing told() && {
    if (others_.empty()) return std::move(told_);
    std::string& what = told_.finding.what;
    what = with_place(told_.finding, what);
    const std::string name = "GPU " + gpu_of(told_.finding);
    what.insert(what.find(name) + name.size(), " (likewise " + in_words(others_) + ")");
    return std::move(told_);
  }

 private:
  watch::Standing told_;
  std::set<int> others_;
};

}  // namespace

Standings told_together(const Standings& findings) {
  std::vector<Group> groups;
  for (const watch::Standing& one : findings) {
    const auto group =
        std::ranges::find_if(groups, [&](const Group& each) { return each.takes(one); });
    if (group == groups.end()) {
      groups.emplace_back(one);
    } else {
      group->add(one);
    }
  }
  Standings told;
  for (Group& group : groups) told.push_back(std::move(group).told());
  return told;
}

}  // namespace batchscope::monitorview
