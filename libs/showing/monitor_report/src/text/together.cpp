#include "batchscope/monitor_report/together.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "batchscope/findings/wording.hpp"
#include "text/finding_words.hpp"

namespace batchscope::monitor_report {
namespace {

using FindingTracker = std::vector<watch::ActiveFinding>;

const findings::GpuMoment* physical_gpu_of(const watch::ActiveFinding& active) {
  const auto* moment = std::get_if<findings::GpuMoment>(&active.finding.where);
  return moment != nullptr && !moment->slice ? moment : nullptr;
}

// What it says of its GPU.
std::string without_name(const watch::ActiveFinding& active) {
  std::string what = with_place(active.finding, active.finding.what);
  const std::string name = "GPU " + gpu_of(active.finding);
  return what.erase(what.find(name), name.size());
}

// A sentence as the words between its numbers, and those.
struct Parts {
  std::vector<std::string> words, numbers;  // one more of words
};

Parts parts_of(const std::string& sentence) {
  Parts parts{{""}, {}};
  bool in_number = false;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const auto is_digit = [&](std::size_t at) {
      return at < sentence.size() && std::isdigit(static_cast<unsigned char>(sentence[at])) != 0;
    };
    const bool of_number = is_digit(i) || (in_number && sentence[i] == '.' && is_digit(i + 1));
    if (of_number && !in_number) parts.numbers.emplace_back();
    if (!of_number && in_number) parts.words.emplace_back();
    (of_number ? parts.numbers : parts.words).back().push_back(sentence[i]);
    in_number = of_number;
  }
  if (in_number) parts.words.emplace_back();
  return parts;
}

// Its numbers say how much; those of others may be names, as that of an error.
bool is_measured(const watch::ActiveFinding& active) {
  const auto& evidence = active.finding.evidence;
  return !evidence.empty() && evidence.front().unit == findings::kRatioUnit;
}

bool are_near(int64_t one_ns, int64_t other_ns) {
  constexpr uint64_t kNearNs = 30'000'000'000;
  // Logs hold any times: a difference may be no number of 64 bits with a sign.
  const auto [first, last] = std::minmax(one_ns, other_ns);
  return static_cast<uint64_t>(last) - static_cast<uint64_t>(first) <= kNearNs;
}

bool are_alike(const watch::ActiveFinding& a, const watch::ActiveFinding& b) {
  const bool same_time = are_near(a.since_ns, b.since_ns) && a.times == b.times &&
                         a.ended_ns.has_value() == b.ended_ns.has_value() &&
                         (!a.ended_ns || are_near(*a.ended_ns, *b.ended_ns));
  if (!same_time || a.finding.id != b.finding.id || a.finding.severity != b.finding.severity) {
    return false;
  }
  if (without_name(a) == without_name(b)) return true;
  return is_measured(a) && is_measured(b) &&
         parts_of(without_name(a)).words == parts_of(without_name(b)).words;
}

// "1 to 7", "1, 2 and 5".
std::string in_words(const std::set<int>& gpus) {
  const int first = *gpus.begin(), last = *gpus.rbegin();
  const auto count = static_cast<int>(gpus.size());
  if (count > 2 && last - first == count - 1) return fmt::format("{} to {}", first, last);
  if (count == 1) return fmt::format("{}", first);
  return fmt::format("{} and {}", fmt::join(gpus.begin(), std::prev(gpus.end()), ", "), last);
}

// "28 to 33", or the one that all have.
std::string range_of(const std::vector<std::string>& numbers) {
  const auto [least, most] = std::ranges::minmax_element(
      numbers, {}, [](const std::string& number) { return std::strtod(number.c_str(), nullptr); });
  return *least == *most ? *least : *least + " to " + *most;
}

class Group {
 public:
  explicit Group(const watch::ActiveFinding& first) : first_(first), reported_(first) {
    if (physical_gpu_of(first) != nullptr) sentences_.push_back(parts_of(without_name(first)));
  }

  bool takes(const watch::ActiveFinding& one) const {
    return physical_gpu_of(reported_) != nullptr && physical_gpu_of(one) != nullptr &&
           are_alike(first_, one);
  }

  void add(const watch::ActiveFinding& one) {
    others_.insert(physical_gpu_of(one)->gpu);
    sentences_.push_back(parts_of(without_name(one)));
    reported_.since_ns = std::min(reported_.since_ns, one.since_ns);
    if (reported_.ended_ns) reported_.ended_ns = std::max(*reported_.ended_ns, *one.ended_ns);
    reported_.gaps_seconds = std::min(reported_.gaps_seconds, one.gaps_seconds);
  }

  watch::ActiveFinding reported() && {
    if (others_.empty()) return std::move(reported_);
    std::string& what = reported_.finding.what;
    what = with_place(reported_.finding, what);
    const std::string name = "GPU " + gpu_of(reported_.finding);
    const std::size_t at = what.find(name);
    what = of_all().insert(at, name + " (likewise " + in_words(others_) + ")");
    return std::move(reported_);
  }

 private:
  // The sentence without its GPU, with what each number is for any of them.
  std::string of_all() const {
    const Parts& first = sentences_.front();
    std::string sentence = first.words.front();
    for (std::size_t i = 0; i < first.numbers.size(); ++i) {
      std::vector<std::string> numbers;
      for (const Parts& each : sentences_) numbers.push_back(each.numbers[i]);
      sentence += range_of(numbers) + first.words[i + 1];
    }
    return sentence;
  }

  watch::ActiveFinding first_, reported_;
  std::vector<Parts> sentences_;
  std::set<int> others_;
};

}  // namespace

FindingTracker merged_findings(const FindingTracker& findings) {
  std::vector<Group> groups;
  for (const watch::ActiveFinding& one : findings) {
    const auto group =
        std::ranges::find_if(groups, [&](const Group& each) { return each.takes(one); });
    if (group == groups.end()) {
      groups.emplace_back(one);
    } else {
      group->add(one);
    }
  }
  FindingTracker reported;
  for (Group& group : groups) reported.push_back(std::move(group).reported());
  return reported;
}

}  // namespace batchscope::monitor_report
