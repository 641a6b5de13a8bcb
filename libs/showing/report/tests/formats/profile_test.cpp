#include "batchscope/report/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace batchscope::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A run of two sizes, each measured once, and what is known of it: the first has enough samples for
// its quantiles, the second too few.
struct ReportedRun {
  ReportedRun() {
    findings::Group& group = summary.groups.emplace_back();
    for (const int64_t size : {1, 2}) {
      schema::RunConfig& config = run.configs.emplace_back();
      config.model = "m";
      config.shape.batch_size = size;
      findings::ConfigRow& row = group.rows.emplace_back();
      row.config = config;
      row.distribution.samples_ms = {10, 10, 20};
      const findings::Estimate time{10, {}};
      estimates.push_back({static_cast<int>(size) - 1, 1, time, time, {}});
    }
    findings::Distribution& supported = group.rows.front().distribution;
    supported.p95_ms = findings::Estimate{12, stats::Interval{11, 13}};
    supported.p99_ms = findings::Estimate{14, stats::Interval{12, 16}};
    summary.answer.lines = {"Cannot tell."};
  }

  schema::RunFile run;
  findings::Summary summary;
  std::vector<measure::ConfigEstimate> estimates;
};

TEST(ProfileText, HasP95AndP99OfEveryRowAndMarksWhatNothingSupportsFor) {
  const ReportedRun reported;
  const std::string text = profile_text(reported.run, reported.estimates, "here", reported.summary);
  EXPECT_THAT(text, AllOf(HasSubstr("batch 1: 10 ms, p95 12 ms, p99 14 ms, 10 ms per sample"),
                          HasSubstr("batch 2: 10 ms, p95 ~19 ms, p99 ~19.8 ms, 5 ms per sample"),
                          HasSubstr("\n~: too few samples to be reliable.\n"),
                          HasSubstr("\nhere\n\nCannot tell.\n")));
  const std::string coloured =
      profile_text(reported.run, reported.estimates, "here", reported.summary, {.colour = true});
  EXPECT_THAT(coloured,
              AllOf(HasSubstr(", \x1b[2mp99 ~19.8 ms\x1b[0m, "), HasSubstr(", p99 14 ms, ")));
}

TEST(ProfileText, InBriefIsTheAnswerAlone) {
  const ReportedRun reported;
  EXPECT_EQ(profile_text(reported.run, reported.estimates, "here", reported.summary,
                         {.extent = document::Extent::answer}),
            "Cannot tell.\n");
}

TEST(ProfileText, NamesSteerNoTerminal) {
  ReportedRun reported;
  for (schema::RunConfig& config : reported.run.configs) config.model = "\x1b[2J";
  const std::string text =
      profile_text(reported.run, reported.estimates, "\x1b[2J", reported.summary);
  EXPECT_THAT(text, AllOf(HasSubstr("\\x1b[2J"), Not(HasSubstr("\x1b"))));
}

TEST(ProfileJson, HasP95AndP99WithTheirIntervalsIfAny) {
  const ReportedRun reported;
  const auto document = nlohmann::json::parse(
      profile_json(reported.run, reported.estimates, "run.jsonl", reported.summary));
  const auto& configs = document["configs"];
  EXPECT_EQ(configs[0]["p99_ms"]["ci_high"], 16);
  EXPECT_NEAR(configs[1]["p95_ms"]["value"], 19, 1e-9);
  EXPECT_FALSE(configs[1]["p99_ms"].contains("ci_low"));
}

}  // namespace
}  // namespace batchscope::report
