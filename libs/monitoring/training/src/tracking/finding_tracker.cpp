#include "tracking/finding_tracker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace batchscope::training {
namespace {

void put_bounded(const watch::ActiveFinding& one, std::size_t most,
                 std::deque<watch::ActiveFinding>& to) {
  to.push_back(one);
  if (to.size() > most) to.pop_front();
}

// Takes in what began no earlier than those before it; several may stand at once.
void extend(const watch::ActiveFinding& each, watch::ActiveFinding& one) {
  watch::Episode* const last = one.episodes.empty() ? nullptr : &one.episodes.back();
  if (last != nullptr && (!last->ended_ns || each.since_ns <= *last->ended_ns)) {
    const bool later = last->ended_ns && (!each.ended_ns || *each.ended_ns > *last->ended_ns);
    if (later) last->ended_ns = each.ended_ns;
    return;
  }
  if (last != nullptr) {
    const double ended = static_cast<double>(*last->ended_ns);
    one.gaps_seconds += (static_cast<double>(each.since_ns) - ended) / 1e9;
  }
  one.episodes.push_back({each.since_ns, each.ended_ns});
}

// Of one kind and source: the worst, of those the last, with the time of all.
watch::ActiveFinding as_one(std::vector<watch::ActiveFinding> times) {
  constexpr std::ptrdiff_t kMostEpisodes = 64;
  std::ranges::stable_sort(times, {}, &watch::ActiveFinding::since_ns);
  watch::ActiveFinding one = times.front();
  for (const watch::ActiveFinding& each : times) {
    if (each.finding.severity >= one.finding.severity) one.finding = each.finding;
    extend(each, one);
  }
  one.times = std::ssize(times);
  one.ended_ns = one.episodes.back().ended_ns;
  const std::ptrdiff_t more = std::max<std::ptrdiff_t>(0, std::ssize(one.episodes) - kMostEpisodes);
  one.episodes.erase(one.episodes.begin(), one.episodes.begin() + more);
  return one;
}

// Of one loop; and rhythms of one period.
std::string kind_of(const findings::Finding& finding) {
  std::string kind = finding.id + '\n' + finding.table;
  if (finding.id == "training.periodic-slow-steps" && !finding.evidence.empty()) {
    kind += fmt::format("\n{}", finding.evidence.front().estimate.value);
  }
  return kind;
}

void sort_worst_first(std::vector<watch::ActiveFinding>& all) {
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    if (a.finding.severity != b.finding.severity) return a.finding.severity > b.finding.severity;
    return a.since_ns < b.since_ns;
  });
}

}  // namespace

void FindingTracker::raise(const std::string& key, findings::Finding finding, int64_t since_ns) {
  const auto found = active_.find(key);
  if (found != active_.end()) {
    found->second.worst = finding;
    found->second.now.finding = std::move(finding);
    return;
  }
  const watch::ActiveFinding one{finding, since_ns, {}};
  active_.emplace(key, Record{one, std::move(finding)});
  put_bounded(one, remembered_, changes_);
}

void FindingTracker::raise_worst(const std::string& key, findings::Finding finding,
                                 int64_t since_ns) {
  const auto found = active_.find(key);
  if (found == active_.end()) return raise(key, std::move(finding), since_ns);
  if (watch::is_no_better(finding, found->second.worst)) found->second.worst = finding;
  found->second.now.finding = std::move(finding);
}

watch::ActiveFinding FindingTracker::at_its_worst(const Record& record) {
  watch::ActiveFinding one = record.now;
  one.finding = record.worst;
  return one;
}

// The change is the last one.
bool FindingTracker::take_out(const std::string& key, int64_t now_ns) {
  const auto found = active_.find(key);
  if (found == active_.end()) return false;
  watch::ActiveFinding one = at_its_worst(found->second);
  active_.erase(found);
  one.ended_ns = std::max(one.since_ns, now_ns);
  put_bounded(one, remembered_, changes_);
  return true;
}

void FindingTracker::end(const std::string& key, int64_t now_ns) {
  if (take_out(key, now_ns)) put_bounded(changes_.back(), remembered_, ended_);
}

void FindingTracker::withdraw(const std::string& key, int64_t now_ns) {
  take_out(key, now_ns);
}

std::vector<watch::ActiveFinding> FindingTracker::active() const {
  std::vector<watch::ActiveFinding> all;
  for (const auto& [key, one] : active_) all.push_back(one.now);
  sort_worst_first(all);
  return all;
}

std::vector<watch::ActiveFinding> FindingTracker::take_changes() {
  const std::deque<watch::ActiveFinding> taken = std::exchange(changes_, {});
  return {taken.begin(), taken.end()};
}

std::vector<watch::ActiveFinding> FindingTracker::all() const {
  constexpr std::size_t kMostOfAKind = 3;
  std::map<std::string, std::vector<watch::ActiveFinding>> kinds;
  const auto add = [&](watch::ActiveFinding one) {
    kinds[kind_of(one.finding)].push_back(std::move(one));
  };
  for (const watch::ActiveFinding& one : ended_) add(one);
  for (const auto& [key, one] : active_) add(at_its_worst(one));
  std::vector<watch::ActiveFinding> all;
  for (auto& [kind, times] : kinds) {
    if (times.size() > kMostOfAKind) times = {as_one(std::move(times))};
    all.insert(all.end(), times.begin(), times.end());
  }
  sort_worst_first(all);
  return all;
}

}  // namespace batchscope::training
