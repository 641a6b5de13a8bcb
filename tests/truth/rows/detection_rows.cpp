#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/stats/rng.hpp"
#include "experiment.hpp"
#include "row.hpp"

namespace batchscope::truth {
namespace {

const std::vector<int64_t> kSix = {1, 2, 3, 4, 6, 8};
const std::vector<int64_t> kEight = {1, 2, 3, 4, 6, 8, 12, 16};
const std::vector<int64_t> kFour = {1, 2, 4, 8};

// An excess at one size that the seed chooses among `places`.
struct Planted {
  std::string law;
  std::vector<int64_t> sizes;
  std::vector<int64_t> places;
  double factor = 1.10;
  int blocks = 12;
  const char* noise = kUsualNoise;

  int64_t place(uint64_t seed) const { return places[seed % places.size()]; }
  findings::Summary analysed(uint64_t seed) const {
    return analyse({{fmt::format("{};anomaly={}:{}{}", law, place(seed), factor, noise)},
                    sizes,
                    blocks,
                    seed});
  }
};

// Its time over that of the law of the others, less 1; absent where the finding has none.
std::optional<findings::Estimate> excess_of(const findings::Finding& finding) {
  for (const findings::Evidence& evidence : finding.evidence) {
    if (evidence.metric == "excess_over_law") return evidence.estimate;
  }
  return std::nullopt;
}

bool is_found(const findings::Summary& summary, int64_t place, double factor) {
  return std::any_of(
      summary.findings.begin(), summary.findings.end(), [&](const findings::Finding& finding) {
        if (finding.id != "scaling.departure" || finding.status != findings::Status::proven) {
          return false;
        }
        const auto excess = excess_of(finding);
        return finding.batch_sizes == std::vector{place} && excess &&
               (excess->value > 0) == (factor > 1) &&
               std::abs(excess->value - (factor - 1)) <= 0.03;
      });
}

bool accuses_another(const findings::Summary& summary, int64_t place) {
  return std::any_of(summary.findings.begin(), summary.findings.end(),
                     [&](const findings::Finding& finding) {
                       return finding.status == findings::Status::proven &&
                              finding.batch_sizes != std::vector{place};
                     });
}

bool is_proven(const findings::Summary& summary, int64_t place) {
  return std::any_of(
      summary.findings.begin(), summary.findings.end(), [&](const findings::Finding& finding) {
        return finding.id == "scaling.departure" && finding.status == findings::Status::proven &&
               finding.batch_sizes == std::vector{place};
      });
}

// A departure, proven or suspected, that has the place among the sizes it names.
bool is_named(const findings::Summary& summary, int64_t place) {
  return std::any_of(
      summary.findings.begin(), summary.findings.end(), [&](const findings::Finding& finding) {
        return finding.id == "scaling.departure" &&
               std::find(finding.batch_sizes.begin(), finding.batch_sizes.end(), place) !=
                   finding.batch_sizes.end();
      });
}

const char* const kTopic = "One slow size";

Row found(const std::string& what, const Planted& planted, double goal) {
  return {kTopic,
          what + ": proven at the right place, right sign, size within 3 points",
          {goal, std::nullopt},
          [=](uint64_t seed) {
            return is_found(planted.analysed(seed), planted.place(seed), planted.factor);
          }};
}

// Of what was found at the right place; not found counts as held.
Row size_interval(const std::string& what, const Planted& planted) {
  return {kTopic,
          what + ": the interval of its size holds the truth",
          {0.93, std::nullopt},
          [=](uint64_t seed) {
            for (const findings::Finding& finding : planted.analysed(seed).findings) {
              if (finding.batch_sizes != std::vector{planted.place(seed)}) continue;
              const auto excess = excess_of(finding);
              if (!excess || !excess->ci) continue;
              const double truth = planted.factor - 1;
              return excess->ci->low <= truth && truth <= excess->ci->high;
            }
            return true;
          }};
}

Row innocent(const std::string& what, const Planted& planted) {
  return {
      kTopic,
      what + ": nothing proven but of the true size",
      {0.98, std::nullopt},
      [=](uint64_t seed) { return !accuses_another(planted.analysed(seed), planted.place(seed)); }};
}

Row named(const std::string& what, const Planted& planted, double goal) {
  return {kTopic, what + ": named, as a suspicion", {goal, std::nullopt}, [=](uint64_t seed) {
            return is_named(planted.analysed(seed), planted.place(seed));
          }};
}

// What a run without an odd size says would be found, planted in a fresh one.
Row smallest_excess(const std::string& what, const Planted& planted) {
  return {kTopic,
          what + ": off by as much as an equal run states: proven",
          {0.8, std::nullopt},
          [=](uint64_t seed) {
            Planted innocent = planted;
            innocent.factor = 1;
            const auto stated =
                innocent.analysed(seed).groups.front().smallest_provable_excess.value_or(1e6);
            Planted odd = planted;
            odd.factor = seed % 2 == 0 ? 1 + stated : 1 / (1 + stated);
            const uint64_t again = stats::mix_seed(seed, 0xf00d);
            return is_proven(odd.analysed(again), odd.place(again));
          }};
}

void add(std::vector<Row>& rows, const std::string& what, const Planted& planted, double goal) {
  rows.push_back(found(what, planted, goal));
  rows.push_back(innocent(what, planted));
}

}  // namespace

std::vector<Row> detection_rows() {
  const std::string even = "affine:5ms,2ms", steep = "affine:1ms,10ms", flat = "affine:20ms,2ms";
  const std::vector<int64_t> inside_six = {2, 3, 4, 6}, inside_eight = {2, 3, 4, 6, 8, 12};
  std::vector<Row> rows;
  add(rows, "+10 %, {1,2,3,4,6,8}, 5 + 2 x ms", {even, kSix, inside_six}, 0.95);
  add(rows, "+10 %, {1,2,3,4,6,8}, 1 + 10 x ms", {steep, kSix, inside_six}, 0.95);
  add(rows, "+10 %, {1,2,3,4,6,8}, 20 + 2 x ms", {flat, kSix, inside_six}, 0.95);
  add(rows, "-10 %, {1,2,3,4,6,8}, 5 + 2 x ms", {even, kSix, inside_six, 0.90}, 0.95);
  add(rows, "+10 %, 8 sizes to 16, 5 + 2 x ms", {even, kEight, inside_eight}, 0.95);
  add(rows, "-10 %, 8 sizes to 16, 5 + 2 x ms", {even, kEight, inside_eight, 0.90}, 0.95);
  add(rows, "+10 % at 2 or 4, {1,2,4,8}, 5 + 2 x ms", {even, kFour, {2, 4}}, 0.92);
  add(rows, "-10 % at 2 or 4, {1,2,4,8}, 5 + 2 x ms", {even, kFour, {2, 4}, 0.90}, 0.92);
  rows.push_back(size_interval("+10 %, {1,2,3,4,6,8}, 5 + 2 x ms", {even, kSix, inside_six}));
  for (const int blocks : {8, 12}) {
    const std::string of = fmt::format(", {} blocks", blocks);
    rows.push_back(smallest_excess("{1,2,4,8}, 5 + 2 x ms" + of, {even, kFour, {2, 4}, 1, blocks}));
    rows.push_back(
        smallest_excess("{1,2,3,4,6,8}, 5 + 2 x ms" + of, {even, kSix, inside_six, 1, blocks}));
    rows.push_back(smallest_excess("{1,2,3,4,6,8}, 1 + 10 x ms, visit noise 3 %, process 2 %" + of,
                                   {steep, kSix, inside_six, 1, blocks, kLoudNoise}));
    rows.push_back(smallest_excess("8 sizes to 16, 20 + 2 x ms" + of,
                                   {flat, kEight, inside_eight, 1, blocks}));
  }
  add(rows, "+10 %, {1,2,3,4,6,8}, 5 + 2 x ms, visit noise 3 %, process 2 %, 16 blocks",
      {even, kSix, inside_six, 1.10, 16, kLoudNoise}, 0.85);
  add(rows, "+15 %, {1,2,3,4,6,8}, 5 + 2 x ms, visit noise 3 %, process 2 %, 16 blocks",
      {even, kSix, inside_six, 1.15, 16, kLoudNoise}, 0.95);
  add(rows, "+15 %, {1,2,3,4,6,8}, 5 + 2 x ms, a busy machine",
      {even, kSix, inside_six, 1.15, 12, kBusyNoise}, 0.90);
  const Planted ends_six{even, kSix, {1, 8}}, ends_four{even, kFour, {1, 8}};
  rows.push_back(named("+10 % at an end, {1,2,3,4,6,8}, 5 + 2 x ms", ends_six, 0.9));
  rows.push_back(innocent("+10 % at an end, {1,2,3,4,6,8}, 5 + 2 x ms", ends_six));
  rows.push_back(named("+10 % at an end, {1,2,4,8}, 5 + 2 x ms", ends_four, 0.9));
  rows.push_back(innocent("+10 % at an end, {1,2,4,8}, 5 + 2 x ms", ends_four));
  return rows;
}

}  // namespace batchscope::truth
