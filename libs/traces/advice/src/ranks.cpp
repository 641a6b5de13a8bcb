#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "batchscope/advice/job.hpp"
#include "batchscope/base/capped_sum.hpp"
#include "batchscope/findings/wording.hpp"
#include "paired_collectives.hpp"
#include "rules/rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::Collective;
using findings::Finding;
using findings::Metric;
using findings::percent;

constexpr Metric kWaitedForRanks{"waited_for_ranks",
                                 "Share of time that the other ranks waited in collectives for "
                                 "this rank, averaged over these ranks."};
constexpr Metric kLastToArrive{
    "last_to_arrive",
    "Share of the collectives in which this rank arrived last (it has the shortest duration)."};

int64_t length(const Collective& each) {
  return each.end_ns - each.start_ns;
}

int64_t median(std::vector<int64_t> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Of the ranks that talk to each other in some collectives.
struct GroupTimes {
  int64_t collectives = 0;
  std::vector<int64_t> last;                // in how many a member comes last
  std::vector<std::vector<int64_t>> waits;  // for that member, of each
};
using Groups = std::map<std::vector<size_t>, GroupTimes>;  // by their members

int64_t begin_of(const TraceSummary& rank) {
  int64_t begin = INT64_MAX;
  for (const auto& device : rank.attribution.devices) begin = std::min(begin, device.start_ns);
  return begin == INT64_MAX ? 0 : begin;
}

// A collective ends everywhere once the last has come: the shortest duration is that of the last,
// and what others took longer they waited. Behind kernels that costs nothing.
class Waiting {
 public:
  explicit Waiting(JobSummary& job) : job_(job), met_(job.ranks.size()) {
    for (size_t rank = 0; rank < met_.size(); ++rank) met_[rank] = rank;
  }

  void add(const PairedCollective& pair) {
    const std::vector<size_t> ranks = ranks_of(pair);
    GroupTimes& group = groups_[ranks];
    group.last.resize(ranks.size());
    group.waits.resize(ranks.size(), std::vector<int64_t>(ranks.size()));
    ++group.collectives;
    const size_t last = last_of(pair);
    bool is_waited_for = false;
    for (size_t i = 0; i < ranks.size(); ++i) {
      const int64_t late = lateness(pair.members[last], pair.members[i]);
      const int64_t waited = std::min(late, of(pair.members[i]).exposed_ns);
      int64_t& sum = job_.times[ranks[i]].waited_ns;
      sum = base::capped_sum(sum, waited);
      group.waits[last][i] = base::capped_sum(group.waits[last][i], waited);
      is_waited_for = is_waited_for || late > 0;
    }
    if (is_waited_for) ++group.last[last], ++job_.times[ranks[last]].last_to_arrive;
    for (const size_t rank : ranks) join(ranks.front(), rank);
  }

  const Groups& groups() const { return groups_; }

 private:
  using Member = PairedCollective::Member;

  const Collective& of(const Member& member) const {
    return job_.ranks[member.rank].collectives[member.index];
  }

  static std::vector<size_t> ranks_of(const PairedCollective& pair) {
    std::vector<size_t> ranks;
    for (const Member& member : pair.members) ranks.push_back(member.rank);
    return ranks;
  }

  size_t last_of(const PairedCollective& pair) const {
    const auto shorter = [&](const Member& a, const Member& b) {
      return length(of(a)) < length(of(b));
    };
    const auto last = std::min_element(pair.members.begin(), pair.members.end(), shorter);
    return static_cast<size_t>(last - pair.members.begin());
  }

  // How much later the last comes. Recordings begin apart: by how much shows where two ranks first
  // meet, and is nobody's delay. Seen from when it ends, which is the same moment for both.
  int64_t lateness(const Member& last, const Member& own) const {
    const int64_t late = length(of(own)) - length(of(last));
    if (met_[last.rank] == met_[own.rank]) return late;
    const int64_t began = of(own).end_ns - begin_of(job_.ranks[own.rank]);
    const int64_t last_began = of(last).end_ns - begin_of(job_.ranks[last.rank]);
    return std::max<int64_t>(0, late - std::max<int64_t>(0, began - last_began));
  }

  void join(size_t a, size_t b) {
    if (met_[a] != met_[b]) std::replace(met_.begin(), met_.end(), size_t{met_[b]}, met_[a]);
  }

  JobSummary& job_;
  std::vector<size_t> met_;  // the same number of ranks that have met, also through others
  Groups groups_;
};

// What is to be added to the times of another rank, of those that are in collectives together.
using Offsets = std::vector<std::map<size_t, int64_t>>;

Offsets offsets_of(const std::vector<TraceSummary>& ranks,
                   const std::vector<PairedCollective>& pairs) {
  std::map<std::pair<size_t, size_t>, std::vector<int64_t>> apart;
  for (const PairedCollective& pair : pairs) {
    const auto& first = pair.members.front();
    const int64_t end = ranks[first.rank].collectives[first.index].end_ns;
    for (const auto& each : std::span(pair.members).subspan(1)) {
      apart[{first.rank, each.rank}].push_back(end -
                                               ranks[each.rank].collectives[each.index].end_ns);
    }
  }
  Offsets offsets(ranks.size());
  for (auto& [both, values] : apart) {
    const int64_t offset = median(std::move(values));
    offsets[both.first][both.second] = offset;
    offsets[both.second][both.first] = -offset;
  }
  return offsets;
}

// From rank to rank: a clock is known against those that it can be reached from.
void set_offsets(const Offsets& offsets, std::vector<RankTimes>& times) {
  std::vector<bool> is_set(times.size());
  for (size_t first = 0; first < times.size(); ++first) {
    if (is_set[first]) continue;
    is_set[first] = true;
    times[first].clock_of = times[first].rank;
    std::vector<size_t> reached{first};
    for (size_t i = 0; i < reached.size(); ++i) {
      for (const auto& [other, offset] : offsets[reached[i]]) {
        if (is_set[other]) continue;
        is_set[other] = true;
        times[other].clock_of = times[first].rank;
        times[other].offset_ns = times[reached[i]].offset_ns + offset;
        reached.push_back(other);
      }
    }
  }
}

RankTimes times_of(const TraceSummary& summary, int rank) {
  RankTimes times;
  times.rank = rank;
  times.source = summary.source;
  for (const auto& device : summary.attribution.devices) {
    times.wall_ns = std::max(times.wall_ns, device.wall_ns());
    times.compute_ns = base::capped_sum(times.compute_ns, device.parts[attribution::Part::compute]);
  }
  for (const Collective& each : summary.collectives) {
    times.communication_ns = base::capped_sum(times.communication_ns, length(each));
  }
  return times;
}

double share(int64_t part, int64_t full) {
  return full > 0 ? static_cast<double>(part) / static_cast<double>(full) : 0;
}

// Of the time of the others in the group, on average, what they wait for that member.
double waited_for(size_t last, const std::vector<size_t>& ranks, const GroupTimes& group,
                  const std::vector<RankTimes>& times) {
  double sum = 0;
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (i != last) sum += share(group.waits[last][i], times[ranks[i]].wall_ns);
  }
  return sum / static_cast<double>(ranks.size() - 1);
}

// "the other ranks", or which.
std::string others_in_words(const std::vector<size_t>& ranks, const JobSummary& job) {
  if (ranks.size() == job.ranks.size()) return "the other ranks";
  std::vector<int64_t> numbers;
  for (const size_t rank : ranks) numbers.push_back(job.times[rank].rank);
  return fmt::format("in the group of ranks {}, the others", findings::list(numbers));
}

constexpr double kLeastWaited = 0.05;

constexpr Kind kStragglers{
    Row("trace.stragglers", "Some ranks make the others wait",
        Prose("One rank of a job arrives last at collectives, and the others wait there for at "
              "least {%} of their time, on average. The first collective does not count: "
              "recordings that start at different times meet there.",
              kLeastWaited),
        "Balance the work between ranks; check the machines of slow ranks.", kByGain,
        metrics(&kWaitedForRanks, &kLastToArrive))};

void straggler_rule(const std::vector<size_t>& ranks, const GroupTimes& group, JobSummary& job) {
  size_t worst = 0;
  double others = 0;
  for (size_t i = 0; i < ranks.size(); ++i) {
    const double waited = waited_for(i, ranks, group, job.times);
    if (waited > others) worst = i;
    others = std::max(others, waited);
  }
  if (others < kLeastWaited) return;
  const int slowest = job.times[ranks[worst]].rank;
  Finding& finding = job.findings.emplace_back(finding_of(kStragglers, ""));
  finding.where = findings::TraceStep{slowest, 0};
  // Once it is as fast as the next, they wait for that one.
  set_gain(others / 4, others, finding);
  finding.evidence = {
      findings::evidence_of(kWaitedForRanks, others),
      findings::evidence_of(kLastToArrive, share(group.last[worst], group.collectives))};
  finding.what = fmt::format(
      "{} wait for rank {} for {} of their time: it arrives last at {} of {} collectives",
      others_in_words(ranks, job), slowest, percent(others), group.last[worst], group.collectives);
  finding.fix =
      "balance the work (shapes, lengths and tables by rank); then check that machine (clocks, "
      "PCIe width, other jobs)";
}

// Of each group who is last, the most waited for first.
void straggler_rules(const Groups& groups, JobSummary& job) {
  for (const auto& [ranks, group] : groups) straggler_rule(ranks, group, job);
  std::stable_sort(job.findings.begin(), job.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.gain->high > b.gain->high; });
}

// Ranks whose file names none, or one that another has already, take those that are left.
std::vector<int> numbers_of(const std::vector<TraceSummary>& ranks) {
  std::set<int> taken;
  std::vector<std::optional<int>> stated;
  for (const TraceSummary& rank : ranks) {
    const bool is_new = rank.rank && taken.insert(*rank.rank).second;
    stated.push_back(is_new ? rank.rank : std::nullopt);
  }
  std::vector<int> numbers;
  int next = 0;
  for (const std::optional<int>& each : stated) {
    while (!each && taken.contains(next)) ++next;
    if (!each) taken.insert(next);
    numbers.push_back(each.value_or(next));
  }
  return numbers;
}

std::string message_of(const JobSummary& job) {
  double least = 1;
  double most = 0;
  for (const TraceSummary& rank : job.ranks) {
    for (const auto& device : rank.attribution.devices) {
      least = std::min(least, device.parts.busy_share());
      most = std::max(most, device.parts.busy_share());
    }
  }
  if (most < least)
    return fmt::format("{} ranks, and no device in their traces.", job.ranks.size());
  std::string text = fmt::format("{} ranks are busy {} to {} of the time. ", job.ranks.size(),
                                 percent(least), percent(most));
  if (!job.findings.empty()) {
    std::string what = job.findings.front().what;
    what.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(what.front())));
    return text + what + ".";
  }
  return text + (job.compared_collectives > 0
                     ? "No rank makes the others wait for 5 % of their time."
                     : "They share no collectives, so there is no comparison.");
}

}  // namespace

JobSummary compare_ranks(std::vector<TraceSummary> ranks) {
  JobSummary job;
  std::stable_sort(ranks.begin(), ranks.end(), [](const TraceSummary& a, const TraceSummary& b) {
    return a.rank.value_or(INT32_MAX) < b.rank.value_or(INT32_MAX);
  });
  job.ranks = std::move(ranks);
  if (job.ranks.size() < 2) {
    if (!job.ranks.empty()) job.message = job.ranks.front().message;
    return job;
  }
  const std::vector<int> numbers = numbers_of(job.ranks);
  for (size_t i = 0; i < job.ranks.size(); ++i) {
    job.times.push_back(times_of(job.ranks[i], numbers[i]));
  }
  const std::vector<PairedCollective> pairs = paired_collectives(job.ranks);
  set_offsets(offsets_of(job.ranks, pairs), job.times);
  job.compared_collectives = static_cast<int64_t>(pairs.size());
  Waiting waiting(job);
  for (const PairedCollective& pair : pairs) waiting.add(pair);
  straggler_rules(waiting.groups(), job);
  job.message = message_of(job);
  return job;
}

std::vector<const Kind*> rank_kinds() {
  return {&kStragglers};
}

}  // namespace batchscope::advice
