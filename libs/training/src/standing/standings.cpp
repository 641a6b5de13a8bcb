#include "standing/standings.hpp"

#include <algorithm>
#include <utility>

namespace batchscope::training {
namespace {

void put_bounded(const watch::Standing& one, std::size_t most, std::deque<watch::Standing>& to) {
  to.push_back(one);
  if (to.size() > most) to.pop_front();
}

void sort_worst_first(std::vector<watch::Standing>& all) {
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    if (a.finding.severity != b.finding.severity) return a.finding.severity > b.finding.severity;
    return a.since_ns < b.since_ns;
  });
}

}  // namespace

void Standings::raise(const std::string& key, findings::Finding finding, int64_t since_ns) {
  const auto found = standing_.find(key);
  if (found != standing_.end()) {
    found->second.worst = finding;
    found->second.now.finding = std::move(finding);
    return;
  }
  const watch::Standing one{finding, since_ns, {}};
  standing_.emplace(key, Record{one, std::move(finding)});
  put_bounded(one, remembered_, changes_);
}

void Standings::raise_worst(const std::string& key, findings::Finding finding, int64_t since_ns) {
  const auto found = standing_.find(key);
  if (found == standing_.end()) return raise(key, std::move(finding), since_ns);
  if (watch::is_no_better(finding, found->second.worst)) found->second.worst = finding;
  found->second.now.finding = std::move(finding);
}

watch::Standing Standings::at_its_worst(const Record& record) {
  watch::Standing one = record.now;
  one.finding = record.worst;
  return one;
}

void Standings::end(const std::string& key, int64_t now_ns) {
  const auto found = standing_.find(key);
  if (found == standing_.end()) return;
  watch::Standing one = at_its_worst(found->second);
  standing_.erase(found);
  one.ended_ns = std::max(one.since_ns, now_ns);
  put_bounded(one, remembered_, ended_);
  put_bounded(one, remembered_, changes_);
}

std::vector<watch::Standing> Standings::standing() const {
  std::vector<watch::Standing> all;
  for (const auto& [key, one] : standing_) all.push_back(one.now);
  sort_worst_first(all);
  return all;
}

std::vector<watch::Standing> Standings::take_changes() {
  const std::deque<watch::Standing> taken = std::exchange(changes_, {});
  return {taken.begin(), taken.end()};
}

std::vector<watch::Standing> Standings::all() const {
  std::vector<watch::Standing> all(ended_.begin(), ended_.end());
  for (const auto& [key, one] : standing_) all.push_back(at_its_worst(one));
  sort_worst_first(all);
  return all;
}

}  // namespace batchscope::training
