#include "batchscope/monitorview/together.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "batchscope/findings/wording.hpp"
#include "text/finding_words.hpp"

namespace batchscope::monitorview {
namespace {

using Standings = std::vector<watch::Standing>;

const findings::GpuMoment* whole_gpu_of(const watch::Standing& standing) {
  const auto* moment = std::get_if<findings::GpuMoment>(&standing.finding.where);
  return moment != nullptr && !moment->slice ? moment : nullptr;
}

// What it says of its GPU.
std::string without_name(const watch::Standing& standing) {
  std::string what = with_place(standing.finding, standing.finding.what);
  const std::string name = "GPU " + gpu_of(standing.finding);
  return what.erase(what.find(name), name.size());
}

// The same with "#" for numbers.
std::string words_of(const watch::Standing& standing) {
  std::string words;
  for (const char c : without_name(standing)) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
    if (!digit) words.push_back(c);
    if (digit && !words.ends_with('#')) words.push_back('#');
  }
  return words;
}

// Of which a range can be said.
std::optional<double> share_of(const watch::Standing& standing) {
  const auto& evidence = standing.finding.evidence;
  if (evidence.empty() || evidence.front().unit != findings::kRatioUnit) return std::nullopt;
  return evidence.front().estimate.value;
}

bool are_near(int64_t one_ns, int64_t other_ns) {
  constexpr int64_t kNearNs = 30'000'000'000;
  return std::abs(one_ns - other_ns) <= kNearNs;
}

bool are_alike(const watch::Standing& a, const watch::Standing& b) {
  const bool same_time = are_near(a.since_ns, b.since_ns) &&
                         a.ended_ns.has_value() == b.ended_ns.has_value() &&
                         (!a.ended_ns || are_near(*a.ended_ns, *b.ended_ns));
  if (!same_time || a.finding.id != b.finding.id || a.finding.severity != b.finding.severity) {
    return false;
  }
  if (without_name(a) == without_name(b)) return true;
  return share_of(a) && share_of(b) && words_of(a) == words_of(b);
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
  explicit Group(const watch::Standing& first) : first_(first), told_(first) {}

  bool takes(const watch::Standing& one) const {
    return whole_gpu_of(told_) != nullptr && whole_gpu_of(one) != nullptr && are_alike(first_, one);
  }

  void add(const watch::Standing& one) {
    others_.insert(whole_gpu_of(one)->gpu);
    differ_ = differ_ || without_name(one) != without_name(first_);
    if (const auto share = share_of(one)) {
      least_ = std::min(least_, *share);
      most_ = std::max(most_, *share);
    }
    told_.since_ns = std::min(told_.since_ns, one.since_ns);
    if (told_.ended_ns) told_.ended_ns = std::max(*told_.ended_ns, *one.ended_ns);
  }

  watch::Standing told() && {
    if (others_.empty()) return std::move(told_);
    std::string& what = told_.finding.what;
    what = with_place(told_.finding, what);
    const std::string name = "GPU " + gpu_of(told_.finding);
    what.insert(what.find(name) + name.size(), " (likewise " + in_words(others_) + range() + ")");
    return std::move(told_);
  }

 private:
  std::string range() const {
    if (!differ_) return "";
    const std::string least = findings::percent(least_), most = findings::percent(most_);
    return ": " + least + (least == most ? "" : " to " + most);
  }

  watch::Standing first_, told_;
  std::set<int> others_;
  bool differ_ = false;
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -std::numeric_limits<double>::infinity();
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
