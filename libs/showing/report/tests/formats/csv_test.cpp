#include "batchscope/report/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "batchscope/base/characters.hpp"
#include "testing/summaries/fixtures.hpp"

namespace batchscope::report {
namespace {

using Record = std::vector<std::string>;

// A reader of RFC 4180, so that quoting is tested by undoing it.
std::vector<Record> parse(const std::string& text) {
  std::vector<Record> records(1, Record(1));
  bool in_quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_quotes && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      records.back().back().push_back('"');
      ++i;
    } else if (c == '"') {
      in_quotes = !in_quotes;
    } else if (c == ',' && !in_quotes) {
      records.back().emplace_back();
    } else if (c == '\n' && !in_quotes) {
      records.emplace_back(1);
    } else {
      records.back().back().push_back(c);
    }
  }
  records.pop_back();  // after the last line's end
  return records;
}

TEST(Csv, HasExactlyTheDocumentedColumns) {
  EXPECT_EQ(csv({}),
            "model,batch_size,seq_len,precision,device,threads,instances,mode,engine,"
            "time_ms,time_ci_low_ms,time_ci_high_ms,per_sample_ms,per_sample_ci_low_ms,"
            "per_sample_ci_high_ms,expected_ms,efficiency,efficiency_ci_low,efficiency_ci_high,"
            "relative_slowdown,jump_ratio,jump_ci_low,jump_ci_high,throughput_per_s,"
            "throughput_ci_low,throughput_ci_high,n,n_iterations,verdict\n");
}

TEST(Csv, SlowIterationsAddTheMean) {
  findings::Summary summary = fixtures::one_group();
  const std::size_t plain = parse(csv(summary)).front().size();
  findings::ConfigRow& row = summary.groups[0].rows[0];
  row.mean_ms = {1.1 * row.time_ms.value, std::nullopt};
  row.slow_share = 0.25;
  const auto records = parse(csv(summary));
  EXPECT_THAT(Record(records[0].begin() + static_cast<std::ptrdiff_t>(plain), records[0].end()),
              testing::ElementsAre("mean_ms", "mean_ci_low_ms", "mean_ci_high_ms", "slow_share"));
  EXPECT_EQ(records[1].back(), "0.25");
}

TEST(Csv, VariableLengthInputAddsItsTokens) {
  findings::Summary summary = fixtures::one_group();
  const std::size_t plain = parse(csv(summary)).front().size();
  findings::ConfigRow& row = summary.groups[0].rows[0];
  row.config.shape.length_mix = "16-128:lognormal(48,0.6)";
  row.tokens = findings::TokenFacts{90, 120, 0.25, {9000, stats::Interval{8000, 10'000}}};
  const auto records = parse(csv(summary));
  EXPECT_THAT(
      Record(records[0].begin() + static_cast<std::ptrdiff_t>(plain), records[0].end()),
      testing::ElementsAre("length_mix", "real_tokens", "padded_tokens", "padding",
                           "real_tokens_per_s", "real_tokens_ci_low", "real_tokens_ci_high"));
  EXPECT_THAT(Record(records[1].begin() + static_cast<std::ptrdiff_t>(plain), records[1].end()),
              testing::ElementsAre("16-128:lognormal(48,0.6)", "90", "120", "0.25", "9000", "8000",
                                   "10000"));
  EXPECT_EQ(records[2].size(), records[0].size());
}

TEST(Csv, EnvironmentsAddTheirVariables) {
  findings::Summary summary = fixtures::one_group();
  const std::size_t plain = parse(csv(summary)).front().size();
  findings::Group& group = summary.groups[0];
  group.key.environment = group.rows[0].config.environment = {{"MALLOC_ARENA_MAX", "1"}};
  const auto records = parse(csv(summary));
  ASSERT_EQ(records[0].size(), plain + 1);
  EXPECT_EQ(records[0].back(), "environment");
  EXPECT_EQ(records[1].back(), "MALLOC_ARENA_MAX=1");
}

TEST(Csv, OneRowAConfigurationOfEveryGroup) {
  const auto records = parse(csv(fixtures::three_groups()));
  ASSERT_EQ(records.size(), 1u + 3 * 4);
  for (const Record& record : records) EXPECT_EQ(record.size(), 29u);
  EXPECT_EQ(records[5][3], "bf16");
  EXPECT_EQ(records[5][2], "64");
}

TEST(Csv, WhatIsAbsentIsEmpty) {
  const auto records = parse(csv(fixtures::seed_table()));
  const Record& two = records[2];
  EXPECT_EQ(two[2], "");  // seq_len
  EXPECT_EQ(two[9], "140.09");
  EXPECT_EQ(two[10], "");  // no interval
  EXPECT_EQ(two[12], "70.045");
  EXPECT_EQ(two[28], "suspect");
  EXPECT_EQ(records[1][20], "");  // no jump to the first size
}

TEST(Csv, NumbersReadBackToTheSameDouble) {
  const findings::Summary summary = fixtures::one_group();
  const auto records = parse(csv(summary));
  for (std::size_t i = 0; i < 4; ++i) {
    const findings::ConfigRow& row = summary.groups[0].rows[i];
    EXPECT_EQ(std::strtod(records[i + 1][10].c_str(), nullptr), row.time_ms.ci->low);
    EXPECT_EQ(std::strtod(records[i + 1][16].c_str(), nullptr), row.efficiency->value);
    EXPECT_EQ(std::strtod(records[i + 1][25].c_str(), nullptr), row.throughput_per_s.ci->high);
  }
}

TEST(Csv, NamesKeepQuotesButNoControlCharacters) {
  const auto records = parse(csv(fixtures::hostile()));
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records[1].size(), 29u);
  EXPECT_EQ(records[1][0], base::clean(fixtures::hostile_name()));
}

TEST(Csv, NamesAreNoFormulas) {
  findings::Summary summary = fixtures::one_group();
  for (const std::string name : {"=1+1", "+1", "-m", "@SUM(A1)", "=HYPERLINK(\"x\",1)"}) {
    for (findings::ConfigRow& row : summary.groups[0].rows) row.config.model = name;
    EXPECT_EQ(parse(csv(summary))[1][0], "'" + name);
  }
  for (findings::ConfigRow& row : summary.groups[0].rows) row.config.model = "a=b";
  EXPECT_EQ(parse(csv(summary))[1][0], "a=b");
}

TEST(Csv, NumbersBelowZeroStayNumbers) {
  findings::Summary summary = fixtures::one_group();
  summary.groups[0].rows[0].time_ms.ci = stats::Interval{-0.5, 1};
  EXPECT_EQ(parse(csv(summary))[1][10], "-0.5");
}

}  // namespace
}  // namespace batchscope::report
