#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "batchscope/advice/job.hpp"
#include "batchscope/base/capped_sum.hpp"
#include "batchscope/findings/trace_metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "paired_collectives.hpp"
#include "rules/rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::Collective;
using findings::Finding;
using findings::percent;

int64_t length(const Collective& each) {
  return each.end_ns - each.start_ns;
}

int64_t median(std::vector<int64_t> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// A collective ends everywhere once the last has come: the shortest duration is that of the last,
// and what others took longer they waited. Behind kernels that costs nothing.
// By the one that came last: what each waited for it.
using Waits = std::vector<std::vector<int64_t>>;

Waits add_waits(const std::vector<TraceSummary>& ranks, const std::vector<PairedCollective>& pairs,
                std::vector<RankTimes>& times) {
  Waits waits(ranks.size(), std::vector<int64_t>(ranks.size()));
  for (const PairedCollective& pair : pairs) {
    const auto of = [&](size_t rank) -> const Collective& {
      return ranks[rank].collectives[pair[rank]];
    };
    size_t last = 0;
    for (size_t rank = 1; rank < ranks.size(); ++rank) {
      if (length(of(rank)) < length(of(last))) last = rank;
    }
    ++times[last].last_to_arrive;
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
      const int64_t waited = std::min(length(of(rank)) - length(of(last)), of(rank).exposed_ns);
      times[rank].waited_ns = base::capped_sum(times[rank].waited_ns, waited);
      waits[last][rank] = base::capped_sum(waits[last][rank], waited);
    }
  }
  return waits;
}

void set_offsets(const std::vector<TraceSummary>& ranks, const std::vector<PairedCollective>& pairs,
                 std::vector<RankTimes>& times) {
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    std::vector<int64_t> apart;
    for (const PairedCollective& pair : pairs) {
      apart.push_back(ranks.front().collectives[pair.front()].end_ns -
                      ranks[rank].collectives[pair[rank]].end_ns);
    }
    times[rank].offset_ns = median(std::move(apart));
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

double share(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

// Of the time of the others, on average, what they wait for that one.
double waited_for(size_t last, const Waits& waits, const std::vector<RankTimes>& times) {
  double sum = 0;
  for (size_t rank = 0; rank < times.size(); ++rank) {
    if (rank != last) sum += share(waits[last][rank], times[rank].wall_ns);
  }
  return sum / static_cast<double>(times.size() - 1);
}

void straggler_rule(const Waits& waits, JobSummary& job) {
  size_t worst = 0;
  for (size_t rank = 1; rank < job.times.size(); ++rank) {
    if (waited_for(rank, waits, job.times) > waited_for(worst, waits, job.times)) worst = rank;
  }
  const RankTimes& slowest = job.times[worst];
  const double others = waited_for(worst, waits, job.times);
  if (others < 0.05) return;
  Finding finding = finding_of("trace.stragglers", "");
  finding.where = findings::TraceStep{slowest.rank, 0};
  // Once it is as fast as the next, they wait for that one.
  set_gain(others / 4, others, finding);
  finding.evidence = {
      findings::evidence_of(findings::metric::kWaitedForRanks, others),
      findings::evidence_of(findings::metric::kLastToArrive,
                            share(slowest.last_to_arrive, job.compared_collectives))};
  finding.what = fmt::format(
      "the other ranks wait for rank {} for {} of their time, in the {} of {} collectives that it "
      "comes to last",
      slowest.rank, percent(others), slowest.last_to_arrive, job.compared_collectives);
  finding.fix =
      "balance the work: shapes, lengths and tables by rank; then look at that machine: clocks, "
      "PCIe width, other jobs";
  job.findings.push_back(std::move(finding));
}

// Ranks whose file names none, or one that another has already, take those that are left.
std::vector<int> numbers_of(const std::vector<TraceSummary>& ranks) {
  std::set<int> taken;
  std::vector<std::optional<int>> said;
  for (const TraceSummary& rank : ranks) {
    const bool is_new = rank.rank && taken.insert(*rank.rank).second;
    said.push_back(is_new ? rank.rank : std::nullopt);
  }
  std::vector<int> numbers;
  int next = 0;
  for (const std::optional<int>& each : said) {
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
  if (most < least) return fmt::format("{} ranks, and no device was recorded.", job.ranks.size());
  std::string text = fmt::format("{} ranks, busy {} to {} of their time. ", job.ranks.size(),
                                 percent(least), percent(most));
  if (!job.findings.empty()) {
    std::string what = job.findings.front().what;
    what.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(what.front())));
    return text + what + ".";
  }
  return text + (job.compared_collectives > 0
                     ? "The others wait for no rank for 5 % of their time."
                     : "They have no collectives in common by which they could be compared.");
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
  std::vector<PairedCollective> pairs = paired_collectives(job.ranks);
  set_offsets(job.ranks, pairs, job.times);
  // Recordings begin apart, and the first collective is where the ranks meet: who is last there was
  // started last.
  if (!pairs.empty()) pairs.erase(pairs.begin());
  job.compared_collectives = static_cast<int64_t>(pairs.size());
  const Waits waits = add_waits(job.ranks, pairs, job.times);
  if (!pairs.empty()) straggler_rule(waits, job);
  job.message = message_of(job);
  return job;
}

}  // namespace batchscope::advice
