#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>

#include "batchscope/analyze/analyze.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::analyze {
namespace {

using findings::Answer;
using findings::AnswerKind;
using findings::Confidence;
using findings::MachineFitness;
using tables::affine;
using tables::batch_sizes;
using tables::FakeRun;
using tables::make_run;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

double flat(const schema::RunConfig& config) {
  return 1e6 * static_cast<double>(config.shape.batch_size);
}

schema::RunFile repeatable(const FakeRun& fake) {
  schema::RunFile run = make_run(fake);
  run.header.command_line = {"batchscope", "profile", "-m", "m", "-o", "run.jsonl"};
  return run;
}

findings::CommandLine again_in_words(const findings::Again& wanted) {
  findings::CommandLine words = {"again"};
  for (const int64_t size : wanted.batch_sizes) words.push_back(std::to_string(size));
  if (wanted.waits_for_quiet) words.push_back("quiet");
  if (wanted.blocks) words.push_back("blocks=" + std::to_string(*wanted.blocks));
  return words;
}

findings::Summary summary_of(const schema::RunFile& run) {
  Options options;
  options.names = {"run.jsonl"};
  options.commands.again = again_in_words;
  options.commands.diagnose = [](const schema::Header&) {
    return findings::CommandLine{"diagnose"};
  };
  options.commands.check_machine = [] { return findings::CommandLine{"check"}; };
  options.commands.resume = [](const findings::Resumed&) {
    return findings::CommandLine{"resume"};
  };
  return analyze(std::span(&run, 1), options);
}

Answer answer_of(const FakeRun& fake) {
  return summary_of(repeatable(fake)).answer;
}

TEST(Answer, NamesTheSettingWhoseGainIsShown) {
  const Answer answer = answer_of({batch_sizes({1, 2, 4}), affine(), 12, 3, {}, 1});
  EXPECT_EQ(answer.kind, AnswerKind::setting);
  EXPECT_EQ(answer.confidence, Confidence::shown);
  EXPECT_EQ(answer.headline, "Use batch 4");
  EXPECT_EQ(answer.setting, "batch 4");
  ASSERT_TRUE(answer.config && answer.throughput_per_s && answer.latency && answer.gain);
  EXPECT_GT(answer.gain->ci->low, 0);
  EXPECT_EQ(answer.against, "batch 1");
  EXPECT_GE(answer.latency->p99_ms.value, answer.latency->p95_ms.value);
  EXPECT_THAT(answer.next, HasSubstr("grows"));
  EXPECT_EQ(answer.command, "again 1 2 4 8 16");
  EXPECT_LE(answer.lines.size(), 6U);
}

// Ten runs whose intervals are wider than any gain: none names a size, in any field of the
// document.
TEST(Answer, NamesNothingWhereTheIntervalsAreWiderThanTheGain) {
  int named = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const findings::Summary summary =
        summary_of(repeatable({batch_sizes({1, 2, 4, 8}), flat, 4, 3, {0.6, 0, 0, 0, 1}, seed}));
    const Answer& answer = summary.answer;
    if (answer.confidence != Confidence::cannot_tell) {
      ++named;
      continue;
    }
    EXPECT_EQ(answer.headline, "Cannot tell which batch size is best");
    EXPECT_THAT(answer.setting, IsEmpty());
    EXPECT_FALSE(answer.config || answer.throughput_per_s || answer.latency || answer.gain);
    for (const std::string& line : answer.lines) EXPECT_THAT(line, Not(HasSubstr("Use batch")));
    EXPECT_TRUE(summary.groups.at(0).is_open);
    EXPECT_TRUE(summary.recommendations.at(0).undecided);
    for (const std::string& sentence : summary.words) {
      EXPECT_THAT(sentence, Not(HasSubstr("se batch"))) << sentence;
      EXPECT_THAT(sentence, Not(HasSubstr("looks best"))) << sentence;
    }
    EXPECT_THAT(answer.command, testing::AnyOf(StartsWith("again blocks="), "check"));
  }
  EXPECT_LE(named, 1);
}

TEST(Answer, SaysThatNothingIsBetterWhereThatIsShown) {
  const Answer answer = answer_of({batch_sizes({1, 2, 4}),
                                   [](const schema::RunConfig& config) {
                                     const auto x = static_cast<double>(config.shape.batch_size);
                                     return 1e6 * x * (x > 1 ? 1.1 : 1.0);
                                   },
                                   12,
                                   3,
                                   {0.001, 0, 0, 0, 1},
                                   1});
  EXPECT_EQ(answer.headline, "Use batch 1");
  EXPECT_EQ(answer.confidence, Confidence::shown);
  EXPECT_FALSE(answer.gain);
  EXPECT_THAT(answer.sure, HasSubstr("no other size"));
  EXPECT_TRUE(answer.next_is_page) << "separate visits have no gain to verify";
}

TEST(Answer, OneSizeHasNothingToBeBetterThan) {
  const Answer answer = answer_of({batch_sizes({4}), affine(), 12, 3, {}, 1});
  EXPECT_EQ(answer.kind, AnswerKind::none);
  EXPECT_EQ(answer.confidence, Confidence::cannot_tell);
  EXPECT_THAT(answer.setting, IsEmpty());
  EXPECT_THAT(answer.headline, HasSubstr("batch 4"));
  EXPECT_TRUE(answer.throughput_per_s && answer.latency);
  EXPECT_EQ(answer.command, "again 1 2 4 8");
}

TEST(Answer, TellsTheSizeThatIsProvenSlow) {
  const auto odd = [](const schema::RunConfig& config) {
    return affine()(config) * (config.shape.batch_size == 4 ? 1.5 : 1);
  };
  const Answer answer = answer_of({batch_sizes({1, 2, 3, 4, 6, 8}), odd, 12, 3, {}, 1});
  EXPECT_THAT(answer.lines,
              testing::Contains(StartsWith("Proven slow: Batch 4 takes 49 % longer")));
  EXPECT_THAT(answer.lines.back(), Not(StartsWith("Proven slow"))) << "the command stays last";
  EXPECT_LE(answer.lines.size(), 6U);
}

TEST(Answer, AMemoryLimitWithoutRecordedMemoryCannotBeReported) {
  schema::RunFile run = repeatable({batch_sizes({1, 2, 4}), affine(), 12, 3, {}, 1});
  run.header.plan.memory_limit_bytes = int64_t{1} << 30;
  for (schema::Visit& visit : run.visits) visit.memory = {};
  const Answer answer = summary_of(run).answer;
  EXPECT_EQ(answer.confidence, Confidence::cannot_tell);
  EXPECT_EQ(answer.headline, "Cannot tell whether anything meets memory <= 1.00 GiB");
  EXPECT_EQ(answer.sure, "the run has no memory figures");
  EXPECT_EQ(answer.setting, "");
}

TEST(Answer, OneVisitEachIsASuspicion) {
  const Answer answer = answer_of({batch_sizes({1, 2, 4}), affine(), 1, 3, {}, 1});
  EXPECT_EQ(answer.confidence, Confidence::suspected);
  EXPECT_EQ(answer.headline, "Use batch 4");
  EXPECT_THAT(answer.sure, HasSubstr("one visit"));
  EXPECT_EQ(answer.command, "again blocks=12");
  EXPECT_FALSE(answer.gain) << "one pair is no figure";
}

TEST(Answer, OnePairOfVisitsRaisesNoFinding) {
  const auto odd = [](const schema::RunConfig& config) {
    return affine()(config) * (config.shape.batch_size == 4 ? 50 : 1);
  };
  for (const int blocks : {1, 2}) {
    const auto run = repeatable({batch_sizes({1, 2, 3, 4, 6, 8}), odd, blocks, 3, {}, 1});
    EXPECT_EQ(summary_of(run).findings.empty(), blocks == 1) << blocks;
  }
}

TEST(Answer, ImportedNumbersAreASuspicion) {
  schema::RunFile run = make_run({batch_sizes({1, 2, 4}), affine(), 12, 3, {}, 1});
  run.header.origin = schema::Origin::imported;
  const Answer answer = summary_of(run).answer;
  EXPECT_EQ(answer.confidence, Confidence::suspected);
  EXPECT_THAT(answer.sure, HasSubstr("imported"));
}

TEST(Answer, AModelAgainstAnotherLeadsByTheDifference) {
  std::vector<schema::RunConfig> configs = batch_sizes({2, 8});
  for (schema::RunConfig config : batch_sizes({2, 8})) {
    config.model = "n";
    configs.push_back(config);
  }
  const auto law = [](double factor) {
    return [factor](const schema::RunConfig& config) {
      return affine()(config) * (config.model == "n" ? factor : 1.0);
    };
  };
  const Answer slower = answer_of({configs, law(1.1), 12, 3, {0.005, 0, 0, 0, 1}, 1});
  EXPECT_EQ(slower.kind, AnswerKind::comparison);
  EXPECT_EQ(slower.confidence, Confidence::shown);
  EXPECT_THAT(slower.headline,
              testing::ContainsRegex("^n takes (9.[0-9]|10|11) % longer than m at batch"));
  EXPECT_NEAR(slower.gain->value, 0.1, 0.01);
  const Answer same = answer_of({configs, law(1), 12, 3, {0.005, 0, 0, 0, 1}, 1});
  EXPECT_THAT(same.headline, StartsWith("n and m take the same time, within "));
  EXPECT_EQ(same.confidence, Confidence::shown);
  const Answer open = answer_of({configs, law(1), 4, 3, {0.5, 0, 0, 0, 1}, 1});
  EXPECT_EQ(open.headline, "No significant difference between n and m");
  EXPECT_EQ(open.confidence, Confidence::cannot_tell);
  const Answer fifth = answer_of({configs, law(0.2), 12, 3, {0.005, 0, 0, 0, 1}, 1});
  EXPECT_THAT(fifth.headline, HasSubstr("takes 80 % less time (5.0 times as fast) than m"));
}

TEST(Answer, AModelThatTakesLongerOnAverageIsReportedSo) {
  std::vector<schema::RunConfig> configs = batch_sizes({2});
  configs.push_back(configs.front());
  configs.back().model = "n";
  schema::RunFile run = repeatable({configs, affine(), 12, 30, {0.003, 0, 0, 0, 1}, 1});
  for (schema::Visit& visit : run.visits) {
    if (visit.config == 0) continue;
    for (std::size_t i = 0; i < visit.samples_ns.size(); i += 3) visit.samples_ns[i] *= 2;
  }
  const Answer answer = summary_of(run).answer;
  EXPECT_EQ(answer.confidence, Confidence::shown);
  EXPECT_THAT(answer.headline, HasSubstr("longer on average than m"));
  EXPECT_NEAR(answer.gain->value, 1.0 / 3, 0.05);
}

TEST(Answer, TwoSingleRunsAreASuspicionAtMost) {
  const FakeRun fake{batch_sizes({1, 2, 4}), affine(), 12, 3, {0.005, 0, 0, 0, 1}, 1};
  FakeRun slower = fake;
  slower.law = [](const schema::RunConfig& config) { return 1.2 * affine()(config); };
  const std::vector<schema::RunFile> runs = {make_run(fake), make_run(slower)};
  Options options;
  options.names = {"old.jsonl", "new.jsonl"};
  const Answer answer = analyze(runs, options).answer;
  EXPECT_EQ(answer.kind, AnswerKind::comparison);
  EXPECT_EQ(answer.confidence, Confidence::suspected);
  EXPECT_THAT(answer.headline, StartsWith("new.jsonl takes 2"));
}

TEST(Answer, TellsWhatDisturbedTheMachine) {
  schema::RunFile run = repeatable({batch_sizes({1, 2, 4}), affine(), 12, 3, {}, 1});
  EXPECT_EQ(summary_of(run).answer.fitness, MachineFitness::unknown);
  for (schema::Visit& visit : run.visits) visit.fitness.steal_ratio = 0;
  EXPECT_EQ(summary_of(run).answer.machine, "quiet");
  run.visits.front().fitness.steal_ratio = 0.3;
  const Answer disturbed = summary_of(run).answer;
  EXPECT_EQ(disturbed.fitness, MachineFitness::disturbed);
  EXPECT_THAT(disturbed.machine, StartsWith("the hypervisor took CPU time away in 1 of 36 visits"));
}

TEST(Answer, WhatWasShownUnderLoadIsReportedAsThat) {
  schema::RunFile run = repeatable({batch_sizes({1, 2, 4}), affine(), 12, 3, {}, 1});
  const auto with_busy = [&](std::size_t visits) {
    for (std::size_t i = 0; i < run.visits.size(); ++i) {
      run.visits[i].fitness.steal_ratio = i < visits ? 0.3 : 0;
    }
    return summary_of(run).answer;
  };
  const Answer few = with_busy(18), most = with_busy(19);
  EXPECT_EQ(most.confidence, few.confidence);
  EXPECT_EQ(most.sure, few.sure + "; measured under load");
  EXPECT_THAT(most.machine, testing::HasSubstr("--wait-for-quiet"));
  EXPECT_THAT(few.machine, testing::Not(testing::HasSubstr("--wait-for-quiet")));
}

TEST(Answer, AComparisonUnderLoadIsReportedAsThatInDetailToo) {
  auto configs = batch_sizes({1, 4});
  for (auto other : batch_sizes({1, 4})) {
    other.threads = 3;
    configs.push_back(other);
  }
  const auto law = [](const schema::RunConfig& config) {
    return affine()(config) * (config.threads == 3 ? 1.2 : 1.0);
  };
  schema::RunFile run = repeatable({configs, law, 12, 3, {}, 1});
  const auto reported = [&] {
    std::size_t n = 0;
    for (const findings::Comparison& each : summary_of(run).comparisons) {
      EXPECT_TRUE(each.significant);
      n += each.message.find("holds under load") != std::string::npos ? 1U : 0U;
    }
    return n;
  };
  EXPECT_EQ(reported(), 0U);
  for (schema::Visit& visit : run.visits) visit.fitness.steal_ratio = 0.3;
  EXPECT_EQ(reported(), 2U);
}

TEST(Answer, WhereMostVisitsWereDisturbedAQuietMachineComesFirst) {
  schema::RunFile run = repeatable({batch_sizes({1, 2}), affine(), 3, 3, {}, 1});
  EXPECT_EQ(summary_of(run).answer.command, "again blocks=12");
  for (schema::Visit& visit : run.visits) visit.fitness.steal_ratio = 0.3;
  const Answer disturbed = summary_of(run).answer;
  EXPECT_EQ(disturbed.command, "again quiet blocks=12");
  EXPECT_THAT(disturbed.next, StartsWith("Make the machine quieter"));
}

TEST(Answer, OthersOnTheProcessorAreALoadWhereEachThreadCouldHaveOne) {
  schema::RunFile run = repeatable({batch_sizes({1, 2, 4}), affine(), 12, 3, {}, 1});
  for (schema::Visit& visit : run.visits) {
    visit.usage.wait_max_thread_ns = visit.samples_ns.front();
  }
  for (schema::RunConfig& config : run.configs) config.threads = 2;
  run.header.machine.logical_cpus = 1;
  EXPECT_EQ(summary_of(run).answer.fitness, MachineFitness::unknown);
  run.header.machine.logical_cpus = 2;
  EXPECT_EQ(summary_of(run).answer.fitness, MachineFitness::disturbed);
}

// A difference below what matters is no question that more blocks are worth.
TEST(Answer, WhatIsAlikeIsNotMeasuredForEver) {
  int alike = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const findings::Summary summary =
        summary_of(repeatable({batch_sizes({1, 2}), flat, 12, 3, {0.015, 0, 0, 0, 1}, seed}));
    const auto& pick = summary.recommendations.at(0);
    if (!pick.open_gain || std::abs(pick.open_gain->value) >= 0.01) continue;
    ++alike;
    EXPECT_THAT(summary.answer.command, IsEmpty());
    EXPECT_FALSE(pick.blocks_needed);
  }
  EXPECT_GE(alike, 3);
}

TEST(Answer, MoreBlocksAreManyMore) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const Answer answer =
        answer_of({batch_sizes({1, 2, 4, 8}), flat, 10, 3, {0.2, 0, 0, 0, 1}, seed});
    int blocks = 0;
    if (std::sscanf(answer.command.c_str(), "again blocks=%d", &blocks) != 1) continue;
    EXPECT_GE(blocks, 15);
  }
}

schema::Event failure(int config) {
  schema::Event event;
  event.kind = schema::EventKind::error;
  event.where.config = config;
  return event;
}

TEST(Answer, WhatFailedIsNotMeasuredAgain) {
  schema::RunFile run = repeatable({batch_sizes({1, 2, 3, 4}), affine(), 12, 3, {}, 1});
  std::erase_if(run.visits, [](const schema::Visit& visit) { return visit.config == 2; });
  run.events = {failure(2), failure(2)};
  EXPECT_EQ(summary_of(run).answer.command, "again 1 2 4 8 16");
  run = repeatable({batch_sizes({1, 2}), affine(), 12, 3, {}, 1});
  std::erase_if(run.visits, [](const schema::Visit& visit) { return visit.config == 1; });
  run.events = {failure(1), failure(1)};
  const Answer alone = summary_of(run).answer;
  EXPECT_EQ(alone.kind, AnswerKind::none) << "a size is no choice";
  EXPECT_THAT(alone.command, IsEmpty());
}

TEST(Answer, SizesWithDifferentNumbersOfVisitsAreReportedAsThat) {
  schema::RunFile run = repeatable({batch_sizes({1, 2, 4}), affine(), 12, 3, {}, 1});
  std::erase_if(run.visits,
                [](const schema::Visit& visit) { return visit.config == 1 && visit.block >= 9; });
  EXPECT_THAT(summary_of(run).answer.sure, HasSubstr("9 to 12 visits"));
}

TEST(Answer, ARunThatWasInterruptedIsGoneOnWith) {
  schema::RunFile run = repeatable({batch_sizes({1, 2, 4}), affine(), 12, 3, {}, 1});
  run.end.reset();
  EXPECT_EQ(summary_of(run).answer.command, "resume");
}

TEST(Answer, NothingMeasuredIsStated) {
  const Answer answer = analyze({}).answer;
  EXPECT_EQ(answer.kind, AnswerKind::none);
  EXPECT_EQ(answer.confidence, Confidence::cannot_tell);
  EXPECT_EQ(answer.lines.front(), "No measurements.");
}

}  // namespace
}  // namespace batchscope::analyze
