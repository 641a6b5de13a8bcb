#include "finding_tracker.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <variant>

#include "batchscope/base/algorithms.hpp"
#include "metrics.hpp"
#include "precedence.hpp"
#include "window/recent.hpp"
#include "window/times.hpp"

namespace batchscope::watch {
namespace {

int64_t nanoseconds(double seconds) {
  return static_cast<int64_t>(seconds * 1e9);
}

struct Ranked {
  ActiveFinding active;
  int rank = 0;
};

bool is_worse(const Ranked& a, const Ranked& b) {
  const findings::Severity mine = a.active.finding.severity, its = b.active.finding.severity;
  if (mine != its) return mine > its;
  return a.rank != b.rank ? a.rank < b.rank : a.active.since_ns < b.active.since_ns;
}

std::vector<ActiveFinding> worst_first(std::vector<Ranked> found) {
  std::ranges::stable_sort(found, is_worse);
  return base::mapped(found, [](const Ranked& each) { return each.active; });
}

// As its first number says, where that is a share.
double badness(const findings::Finding& finding) {
  constexpr std::array kWorseWhereLow = {&metric::kGpuBusy, &metric::kSmActive,
                                         &metric::kPowerShare, &metric::kLinkShare};
  if (finding.evidence.empty()) return 0;
  const findings::Evidence& first = finding.evidence.front();
  if (first.unit != findings::kRatioUnit) return 0;
  const bool low = std::ranges::any_of(
      kWorseWhereLow, [&](const findings::Metric* each) { return first.metric == each->name; });
  return low ? -first.estimate.value : first.estimate.value;
}

// The place of a finding says when it began.
void set_time(int64_t since_ns, findings::Place& place) {
  const findings::Milliseconds time(
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::nanoseconds(since_ns)));
  if (auto* const gpu = std::get_if<findings::GpuMoment>(&place)) gpu->time = time;
  if (auto* const process = std::get_if<findings::ProcessMoment>(&place)) process->time = time;
  if (auto* const machine = std::get_if<findings::MachineMoment>(&place)) machine->time = time;
}

}  // namespace

double active_seconds(const ActiveFinding& active, int64_t now_ns) {
  const int64_t until_ns = active.ended_ns.value_or(now_ns);
  return std::max(0.0, seconds_between(active.since_ns, until_ns) - active.gaps_seconds);
}

bool is_no_better(const findings::Finding& now, const findings::Finding& before) {
  if (now.severity != before.severity) return now.severity > before.severity;
  return badness(now) >= badness(before);
}

FindingTracker::FindingTracker(const WatchOptions& options)
    : raise_ns_(nanoseconds(options.raise_seconds)),
      clear_ns_(nanoseconds(options.clear_seconds)),
      gap_ns_(nanoseconds(options.window_seconds / 4)),
      part_seconds_(options.window_seconds / kBuckets),
      remembered_(options.remembered) {}

Episode FindingTracker::last_episode_of(const Record& record) {
  return {record.active.since_ns, record.active.ended_ns};
}

std::vector<Episode> FindingTracker::episodes_of(const Record& record) {
  std::vector<Episode> all = record.earlier;
  all.push_back(last_episode_of(record));
  return all;
}

const FindingTracker::Record* FindingTracker::find(std::string_view id,
                                                   const std::string& place) const {
  const auto found = records_.find(Key(id, place));
  return found != records_.end() ? &found->second : nullptr;
}

const FindingTracker::Record* FindingTracker::find_reported(std::string_view id,
                                                            const std::string& place) const {
  const Record* const record = find(id, place);
  return record != nullptr && record->times > 0 ? record : nullptr;
}

bool FindingTracker::is_active(std::string_view id, const std::string& place) const {
  const Record* const record = find(id, place);
  return record != nullptr && record->is_active;
}

bool FindingTracker::was_active(std::string_view id, const std::string& place,
                                int64_t then_ns) const {
  const auto covers = [then_ns](const Episode& each) {
    return then_ns >= each.since_ns && (!each.ended_ns || then_ns <= *each.ended_ns);
  };
  const Record* const record = find_reported(id, place);
  return record != nullptr &&
         (covers(last_episode_of(*record)) || std::ranges::any_of(record->earlier, covers));
}

std::optional<Episode> FindingTracker::last_episode(std::string_view id,
                                                    const std::string& place) const {
  const Record* const record = find_reported(id, place);
  if (record == nullptr) return std::nullopt;
  return last_episode_of(*record);
}

std::vector<Episode> FindingTracker::episodes(std::string_view id, const std::string& place) const {
  const Record* const record = find_reported(id, place);
  return record != nullptr ? episodes_of(*record) : std::vector<Episode>{};
}

// Where another reason of the same stands, the new one has to hold for longer: else the two would
// alternate with the noise. What nothing explained has no claim.
int64_t FindingTracker::wait_ns(const Key& key, const Kind& kind) const {
  for (const auto& [other, record] : records_) {
    const bool has_claim = record.is_active && record.kind->role != Role::unsure_why;
    if (has_claim && other.second == key.second && are_alternatives(kind, *record.kind)) {
      return clear_ns_;
    }
  }
  return raise_ns_;
}

void FindingTracker::SharesOfTime::add(std::span<const double> shares, double over_seconds) {
  seconds_of.resize(std::max(seconds_of.size(), shares.size()));
  for (std::size_t i = 0; i < shares.size(); ++i) seconds_of[i] += shares[i] * over_seconds;
  seconds += over_seconds;
}

void FindingTracker::SharesOfTime::add(const SharesOfTime& other) {
  seconds_of.resize(std::max(seconds_of.size(), other.seconds_of.size()));
  for (std::size_t i = 0; i < other.seconds_of.size(); ++i) seconds_of[i] += other.seconds_of[i];
  seconds += other.seconds;
}

// Since it no longer held, not since that is believed.
void FindingTracker::end(Record& record) {
  record.is_active = false;
  record.changed = true;
  const int64_t gone_ns = std::max(record.held_ns, record.gone_ns);
  record.active.ended_ns = std::max(record.active.since_ns, record.until_ns.value_or(gone_ns));
  record.active.finding = final_finding(record);
  record.earlier_shares.add(record.shares);
  record.shares = {};
}

findings::Finding FindingTracker::final_finding(const Record& record) {
  if (!record.report_with) return record.worst;
  SharesOfTime all = record.earlier_shares;
  all.add(record.shares);
  for (double& share : all.seconds_of) share /= all.seconds;
  findings::Finding finding = record.report_with(all.seconds_of);
  finding.where = record.worst.where;
  return finding;
}

void FindingTracker::count(int64_t now_ns, const RuleHit& candidate, Record& record) const {
  // What a rule says is over counts no more.
  if (candidate.until_ns && *candidate.until_ns < now_ns && record.shares.seconds > 0) return;
  if (record.shares.seconds <= 0) return record.shares.add(candidate.shares, part_seconds_);
  if (!candidate.is_level) record.shares.seconds += seconds_between(record.held_ns, updated_ns_);
  record.shares.add(candidate.shares, seconds_between(updated_ns_, now_ns));
}

void FindingTracker::take(RuleHit candidate, Record& record) {
  const bool is_worst = candidate.weight ? *candidate.weight > record.worst_weight
                                         : is_no_better(candidate.finding, record.worst);
  if (!record.is_active || is_worst) {
    record.worst = candidate.finding;
    record.worst_weight = candidate.weight.value_or(0);
  }
  record.active.finding = std::move(candidate.finding);
  record.report_with = std::move(candidate.report_with);
  record.ends_at_once = candidate.ends_at_once;
  record.until_ns = candidate.until_ns;
}

// With what it was at its worst.
ActiveFinding FindingTracker::remembered_as(const Record& record) {
  ActiveFinding active = record.active;
  active.finding = final_finding(record);
  active.since_ns = record.first_since_ns;
  active.times = record.times;
  active.gaps_seconds = record.gaps_seconds;
  if (!record.earlier.empty()) active.episodes = episodes_of(record);
  return active;
}

void FindingTracker::raise(const Key& key, Record& record) {
  for (auto& [other, each] : records_) {
    const bool same_place = other.second == key.second;
    if (!each.is_active || !same_place || other == key) continue;
    const bool is_all = record.kind->role == Role::says_all;
    if (!is_all && !are_alternatives(*record.kind, *each.kind)) continue;
    end(each);
    // One after the other, though for a while both were seen by turns.
    auto& ended_ns = each.active.ended_ns;
    ended_ns = std::max(each.active.since_ns, std::min(*ended_ns, record.since_ns));
  }
  begin(record);
}

void FindingTracker::begin(Record& record) {
  if (const auto& ended_ns = record.active.ended_ns) {
    record.since_ns = std::max(record.since_ns, *ended_ns);
  }
  record.is_active = true;
  record.changed = true;
  if (record.times++ == 0) record.first_since_ns = record.since_ns;
  if (record.active.ended_ns) {
    constexpr std::size_t kMostEarlier = 63;
    if (record.earlier.size() == kMostEarlier) record.earlier.erase(record.earlier.begin());
    record.earlier.push_back({record.active.since_ns, record.active.ended_ns});
    record.gaps_seconds += std::max(0.0, seconds_between(*record.active.ended_ns, record.since_ns));
  }
  record.active.since_ns = record.since_ns;
  record.active.ended_ns.reset();
}

void FindingTracker::hold(int64_t now_ns, RuleHit candidate) {
  Key key(candidate.finding.id, candidate.place);
  Record& record = records_[key];
  record.kind = candidate.kind;
  const bool goes_on =
      record.is_active || (record.held_ns != 0 && now_ns - record.held_ns <= gap_ns_);
  if (!goes_on) {
    record.held_since_ns = now_ns;
    record.since_ns = candidate.since_ns.value_or(now_ns);
    record.shares = {};
  }
  if (candidate.report_with) count(now_ns, candidate, record);
  record.held_ns = now_ns;
  const bool is_ready =
      candidate.at_once || now_ns - record.held_since_ns >= wait_ns(key, *record.kind);
  // What stood before is remembered as it was, until it does again.
  if (!record.is_active && !is_ready) return;
  set_time(record.since_ns, candidate.finding.where);
  take(std::move(candidate), record);
  if (!record.is_active) raise(key, record);
}

// What did not come to stand, and of what ended the oldest.
void FindingTracker::forget(int64_t now_ns) {
  std::erase_if(records_, [&](const auto& each) {
    return each.second.times == 0 && now_ns - each.second.held_ns > gap_ns_;
  });
  while (records_.size() > remembered_) {
    auto oldest = records_.end();
    for (auto at = records_.begin(); at != records_.end(); ++at) {
      if (at->second.is_active) continue;
      if (oldest == records_.end() || at->second.held_ns < oldest->second.held_ns) oldest = at;
    }
    if (oldest == records_.end()) return;
    records_.erase(oldest);
  }
}

void FindingTracker::update(int64_t now_ns, RuleHits candidates) {
  supersede(candidates);
  for (RuleHit& candidate : candidates) hold(now_ns, std::move(candidate));
  for (auto& [key, record] : records_) {
    // After a hole in the samples nobody knows when it went.
    const bool is_seen = now_ns - updated_ns_ <= gap_ns_;
    if (is_seen && record.gone_ns <= record.held_ns && record.held_ns < now_ns) {
      record.gone_ns = now_ns;
    }
    const int64_t after_ns = record.ends_at_once ? 1 : clear_ns_;
    if (record.is_active && now_ns - record.held_ns >= after_ns) end(record);
  }
  forget(now_ns);
  updated_ns_ = now_ns;
}

std::vector<ActiveFinding> FindingTracker::active() const {
  std::vector<Ranked> found;
  for (const auto& [key, record] : records_) {
    if (record.is_active) found.push_back({record.active, record.kind->rank});
  }
  return worst_first(std::move(found));
}

std::vector<ActiveFinding> FindingTracker::take_changes() {
  std::vector<Ranked> found;
  for (auto& [key, record] : records_) {
    if (!std::exchange(record.changed, false)) continue;
    found.push_back({record.active, record.kind->rank});
  }
  return worst_first(std::move(found));
}

std::vector<ActiveFinding> FindingTracker::all() const {
  std::vector<Ranked> found;
  for (const auto& [key, record] : records_) {
    if (record.times > 0) found.push_back({remembered_as(record), record.kind->rank});
  }
  return worst_first(std::move(found));
}

}  // namespace batchscope::watch
