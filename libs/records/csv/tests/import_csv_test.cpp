#include "batchscope/csv/import_csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/schema/not_stated.hpp"
#include "csv_rows.hpp"
#include "imported.hpp"

namespace batchscope::csv {
namespace {

using schema::RunFile;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ImportCsv, ReadsTimesInTheUnitOfTheColumn) {
  const RunFile run = import_ok("batch,latency_ms\n1,50.30\n2,140.09\n4,175.25\n8,504.16\n");
  ASSERT_EQ(run.visits.size(), 4u);
  EXPECT_THAT(run.visits[0].samples_ns, ElementsAre(50'300'000));
  EXPECT_THAT(run.visits[3].samples_ns, ElementsAre(504'160'000));
  EXPECT_EQ(run.configs[2].shape.batch_size, 4);
  EXPECT_EQ(run.header.origin, schema::Origin::imported);
  EXPECT_EQ(run.header.plan.blocks, 1);
}

TEST(ImportCsv, KnowsEveryUnitAndSpelling) {
  for (const auto& [header, cell] : {std::pair{"batch_size,time_s", "1,2.5"},
                                     {"Batch Size,Time (ms)", "1,2500"},
                                     {"BATCH,latency(us)", "1,2500000"},
                                     {"batch,time_ns", "1,2500000000"},
                                     {"batch,throughput_per_s", "1,0.4"}}) {
    const RunFile run = import_ok(std::string(header) + "\n" + cell + "\n");
    ASSERT_EQ(run.visits.size(), 1u) << header;
    EXPECT_THAT(run.visits[0].samples_ns, ElementsAre(2'500'000'000)) << header;
  }
}

TEST(ImportCsv, EveryWayToWriteMicrosecondsIsOne) {
  for (const char* const unit : {"us", "\xc2\xb5s", "\xce\xbcs", "usec", "microseconds"}) {
    for (const std::string name : {"Latency (", "time [", "latency_"}) {
      const auto run = import_csv("batch_size," + name + unit + "\n1,153\n", "t.csv", {});
      ASSERT_TRUE(run) << name << unit;
      EXPECT_EQ(run->visits[0].samples_ns[0], 153'000) << name << unit;
    }
  }
  const auto run = import_csv("1: 153 \xc2\xb5s\n2: 266 \xce\xbcs\n", "t.txt", {});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->visits[1].samples_ns[0], 266'000);
  // A letter that is none of these makes no other unit of it.
  EXPECT_FALSE(import_csv("batch_size,Latency (\xc9\xb1s)\n1,153\n", "t.csv", {}));
}

TEST(ImportCsv, TakesNoTimeThatARunFileCannotHold) {
  const RunFile run =
      import_ok("batch,time_s,std_s\n1,1000000,1000000\n2,1000001,1\n4,1,1000001\n");
  ASSERT_EQ(run.visits.size(), 2u);
  EXPECT_THAT(run.visits[0].samples_ns, ElementsAre(schema::kLongestNs));
  EXPECT_EQ(run.visits[0].reported_std_ns, schema::kLongestNs);
  EXPECT_FALSE(run.visits[1].reported_std_ns);
  ASSERT_EQ(run.events.size(), 2u);
  EXPECT_THAT(run.events[0].what, HasSubstr("line 3: a batch of more than 11 days"));
  std::string lines = schema::header_line(run.header) + "\n";
  for (const schema::RunConfig& config : run.configs) {
    lines += schema::config_line(config.shape.batch_size == 1 ? 0 : 1, config) + "\n";
  }
  for (const schema::Visit& visit : run.visits) lines += schema::visit_line(visit) + "\n";
  const auto again = schema::parse_run_file(lines, "again");
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->visits.size(), 2u);
}

TEST(ImportCsv, ReadsTheSpreadByAllItsNames) {
  for (const char* names :
       {"latency_ms,std_ms", "latency_ms,std_latency_ms", "latency_ms,latency_std_ms",
        "latency_ms,latency_ms_std", "latency_ms,std", "latency_ms,std_", "latency_ms,StdDev",
        "Time (ms),std_dev(ms)", "latency_ms,stddev_time_ms"}) {
    const RunFile run = import_ok(std::string("batch,repeats,") + names + "\n4,9,20,0.5\n");
    EXPECT_EQ(run.visits.at(0).reported_std_ns, 500'000) << names;
  }
  const RunFile share = import_ok("batch,latency_ms,std (%)\n4,20,0.5\n");
  EXPECT_FALSE(share.visits.at(0).reported_std_ns) << "of what, it does not say";
  EXPECT_THAT(share.header.notes.back(), HasSubstr("columns not read: std (%)"));
}

TEST(ImportCsv, TheSpreadOfAThroughputIsAsLargeAShareOfTheTime) {
  for (const char* names :
       {"throughput_per_s,std_per_s", "throughput_per_s,std", "throughput_per_s,throughput_std"}) {
    const RunFile run = import_ok(std::string("batch,") + names + "\n4,200,10\n");
    EXPECT_THAT(run.visits.at(0).samples_ns, ElementsAre(20'000'000));
    EXPECT_EQ(run.visits.at(0).reported_std_ns, 1'000'000) << names;
  }
  const RunFile timed = import_ok("batch,latency_ms,std_per_s\n4,20,10\n");
  EXPECT_FALSE(timed.visits.at(0).reported_std_ns) << "there is no throughput";
  EXPECT_THAT(timed.header.notes.back(), HasSubstr("columns not read: std_per_s"));
}

TEST(ImportCsv, AColumnWithoutAUnitHasTheOneThatIsGiven) {
  const RunFile run = import_ok("batch,latency,std\n1,0.5,0.01\n", {.unit = "s"});
  EXPECT_THAT(run.visits.at(0).samples_ns, ElementsAre(500'000'000));
  EXPECT_EQ(run.visits.at(0).reported_std_ns, 10'000'000);
  EXPECT_THAT(error_of("batch,time\n1,2\n"), HasSubstr("unit ms"));
  const RunFile stated = import_ok("batch,time,latency_ms\n1,1700000000,20\n", {.unit = "s"});
  EXPECT_THAT(stated.visits.at(0).samples_ns, ElementsAre(20'000'000));
  EXPECT_THAT(stated.header.notes, testing::Contains(HasSubstr("--unit is not used")));
  EXPECT_THAT(stated.header.notes.back(), HasSubstr("columns not read: time"));
}

TEST(ImportCsv, ThroughputCountsSamplesNotBatches) {
  const RunFile run = import_ok("batch_size,throughput_per_s\n8,80\n");
  EXPECT_THAT(run.visits[0].samples_ns, ElementsAre(100'000'000));
}

TEST(ImportCsv, PassesOverWhatIsAboveTheHeaderAndBelowTheTable) {
  const RunFile run = import_ok(
      "caffe:vgg16:1\nForward "
      "latency\nbatch,latency(us),std(us),memory(B)\n1,6277.4,22.35,949944320\n"
      "2,14500,30.5,960000000\nPreprocess latency\nmean(us),std(us)\n3306.44,1535.62\n");
  ASSERT_EQ(run.visits.size(), 2u);
  EXPECT_EQ(run.visits[0].memory.peak_allocated_bytes, 949944320);
  EXPECT_EQ(run.visits[0].reported_std_ns, 22350);
  ASSERT_EQ(run.events.size(), 3u);
  EXPECT_THAT(run.events[0].what, HasSubstr("line 6:"));
  EXPECT_THAT(run.events[2].what, HasSubstr("line 8:"));
}

TEST(ImportCsv, RepeatedConfigurationsBecomeBlocks) {
  const RunFile run = import_ok("batch,time_ms\n1,10\n2,19\n1,11\n2,20\n1,12\n");
  EXPECT_EQ(run.configs.size(), 2u);
  EXPECT_EQ(run.visits[4].block, 2);
  EXPECT_EQ(run.header.plan.blocks, 3);
}

TEST(ImportCsv, RowsThatDifferInAColumnNobodyKnowsAreNoRepeats) {
  const auto configs = [](const std::string& header, const std::vector<std::string>& rows) {
    std::string text = header + ",batch_size,latency_ms\n";
    for (const std::string& row : rows) text += row + "\n";
    const auto run = import_csv(text, "t.csv", {});
    EXPECT_TRUE(run);
    return run ? run->configs.size() : 0;
  };
  EXPECT_EQ(configs("gpu", {"T4,1,5", "T4,8,24", "A100,1,3", "A100,8,8"}), 4u);
  EXPECT_EQ(configs("gpu", {"T4,8,24", "A100,8,8", "H100,8,5"}), 3u);
  EXPECT_EQ(configs("input_len", {"128,1,4", "128,8,5", "512,1,9", "512,8,12"}), 4u);
  EXPECT_EQ(configs("compile", {"False,1,4", "True,1,3", "False,1,4.1", "True,1,3.1"}), 2u);
  // What was measured, and what numbers the repeats.
  EXPECT_EQ(configs("power_w", {"61.2,1,4", "60.8,1,4.1", "70.1,8,9", "70.9,8,9.1"}), 2u);
  EXPECT_EQ(configs("memory_mb", {"612,1,4", "608,1,4.1", "701,8,9", "709,8,9.1"}), 2u);
  EXPECT_EQ(configs("run", {"1,1,4", "1,8,9", "2,1,4.1", "2,8,9.1"}), 2u);
  // Nothing would be pooled: as it was.
  EXPECT_EQ(configs("note", {"a,1,4", "b,8,9"}), 2u);
  const auto run = import_csv("gpu,batch_size,latency_ms\nT4,1,5\nA100,1,3\n", "t.csv", {});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->configs[1].param.at("gpu"), "A100");
}

TEST(ImportCsv, AxesComeFromColumnsThenFromOptions) {
  const RunFile run =
      import_ok("model,batch,seq_len,precision,threads,time_ms\nbert,4,128,bf16,2,10\n,4,64,,,11\n",
                {.model = "fallback", .precision = "fp16", .device = "cuda:0"});
  ASSERT_EQ(run.configs.size(), 2u);
  EXPECT_EQ(run.configs[0].model, "bert");
  EXPECT_EQ(run.configs[0].precision, schema::Precision::bf16);
  EXPECT_EQ(run.configs[0].shape.seq_len, 128);
  EXPECT_EQ(run.configs[0].threads, 2);
  EXPECT_EQ(run.configs[1].model, "fallback");
  EXPECT_EQ(run.configs[1].precision, schema::Precision::fp16);
  EXPECT_EQ(run.configs[1].device, "cuda:0");
}

TEST(ImportCsv, ARowThatCannotBeUsedIsReportedByLineAndTheRestIsKept) {
  const RunFile run =
      import_ok("batch,time_ms\n1,10\nzero,3\n-2,3\n2,\n4,nan\n8,-1\n16,1e300\n32,50\n");
  EXPECT_EQ(run.visits.size(), 2u);
  EXPECT_EQ(run.events.size(), 6u);
}

TEST(ImportCsv, TellsAtMostTwentyRowsButCountsAll) {
  std::string text = "batch,time_ms\n1,10\n";
  for (int i = 0; i < 100; ++i) text += "x,1\n";
  const RunFile run = import_ok(text);
  EXPECT_EQ(run.events.size(), 20u);
  EXPECT_THAT(run.header.notes, testing::Contains(HasSubstr("100 rows")));
}

TEST(ImportCsv, ACommaWithinANumberIsNotReadAsTwoCells) {
  const RunFile run = import_ok("batch,latency_ms\n1,10\n2,1,250.5\n4,30,\n");
  EXPECT_EQ(run.visits.size(), 2u);
  EXPECT_THAT(run.events.at(0).what, HasSubstr("line 3: more cells than the header has columns"));
}

TEST(ImportCsv, ATimeThatContradictsTheThroughputIsNoMeasurement) {
  const RunFile run =
      import_ok("batch,latency_ms,throughput_per_s\n1,10,100\n4,20,201\n8,10,100\n");
  EXPECT_EQ(run.visits.size(), 2u);
  EXPECT_THAT(run.events.at(0).what, HasSubstr("line 4: time and throughput contradict"));
}

TEST(ImportCsv, OfTwoTimeColumnsTheFirstIsReadAndTheOtherReported) {
  const RunFile run = import_ok("batch,latency_ms,time_us\n1,10,77\n");
  EXPECT_THAT(run.visits[0].samples_ns, ElementsAre(10'000'000));
  EXPECT_THAT(run.header.notes.back(), HasSubstr("columns not read: time_us"));
}

TEST(ImportCsv, RepeatsThatCannotBeAreLeftOutAndReported) {
  const RunFile run = import_ok("batch,latency_ms,std_ms,repeats\n1,10,-1,0\n2,20,,\n4,30,0.5,9\n");
  ASSERT_EQ(run.visits.size(), 3u);
  EXPECT_FALSE(run.visits[0].reported_std_ns);
  EXPECT_FALSE(run.visits[0].reported_repeats);
  EXPECT_EQ(run.events.size(), 2u);
  EXPECT_THAT(run.events.at(0).what, HasSubstr("'0' repeats left out"));
  EXPECT_THAT(run.events.at(1).what, HasSubstr("'-1' left out"));
  EXPECT_EQ(run.visits[2].reported_std_ns, 500'000);
}

TEST(ImportCsv, ABatchSizeBeyondAnyModelIsRefused) {
  EXPECT_THAT(error_of("batch,latency_ms\n9223372036854775807,1\n"),
              HasSubstr("is not a batch size"));
}

TEST(ImportCsv, SaysWhatIsMissing) {
  EXPECT_THAT(error_of(""), HasSubstr("no header line"));
  EXPECT_THAT(error_of("a,b\n1,2\n"), HasSubstr("no header line"));
  EXPECT_THAT(error_of("batch,latency\n1,2\n"), HasSubstr("no column with a time and its unit"));
  EXPECT_THAT(error_of("batch,latency_ms\n"), HasSubstr("no usable row"));
  EXPECT_THAT(error_of(std::string_view("\0\xff\xfe\x01,\n\n", 7)), HasSubstr("no header line"));
}

TEST(ImportCsv, NamesColumnsNobodyReads) {
  const RunFile run = import_ok("batch,time_ms,colour\n1,10,red\n");
  EXPECT_THAT(run.header.notes, testing::Contains(HasSubstr("colour")));
}

TEST(ImportCsv, WhatTheTableDoesNotTellIsNotStated) {
  const RunFile run = import_ok("batch,latency_ms\n1,10\n2,19\n");
  EXPECT_FALSE(schema::states_precision(run.configs[0]));
  EXPECT_FALSE(schema::states_device(run.configs[0]));
  EXPECT_FALSE(schema::states_threads(run.configs[0]));
  EXPECT_EQ(execution_in_words(run.configs[0]), "precision, device and threads not stated");
  EXPECT_EQ(describe(run.configs[0]), "table.csv batch_size=1");
  const RunFile reported =
      import_ok("batch,latency_ms,threads\n1,10,4\n2,19,\n", {.precision = "bf16", .threads = 2});
  EXPECT_EQ(execution_in_words(reported.configs[0]), "bf16, 4 threads, device not stated");
  EXPECT_EQ(reported.configs[1].threads, 2);
}

TEST(ImportCsv, WhatIsNotStatedSurvivesTheRunFile) {
  const RunFile run = import_ok("batch,latency_ms\n1,10\n");
  const std::string text =
      schema::header_line(run.header) + "\n" + schema::config_line(0, run.configs[0]) + "\n";
  const auto read = schema::parse_run_file(text, "f");
  ASSERT_TRUE(read) << base::to_string(read.error());
  EXPECT_EQ(read->configs.front(), run.configs.front());
}

TEST(ImportCsv, TabsAndSemicolonsSeparateToo) {
  for (const char* text : {"batch\tlatency_ms\tmodel\n1\t50.5\ta b\n2\t99\ta,b\n",
                           "batch;latency_ms;model\n1;50.5;a b\n2;99;a,b\n"}) {
    const RunFile run = import_ok(text);
    ASSERT_EQ(run.visits.size(), 2u) << text;
    EXPECT_THAT(run.visits[0].samples_ns, ElementsAre(50'500'000));
    EXPECT_EQ(run.configs[0].model, "a b");
    EXPECT_EQ(run.configs[1].model, "a,b");
  }
}

TEST(ImportCsv, DecimalCommasAreReadWhereTheyAreNothingElse) {
  const RunFile run = import_ok("batch;latency_ms\n1;50,30\n2;1250,125\n4;200\n");
  ASSERT_EQ(run.visits.size(), 3u);
  EXPECT_THAT(run.visits[0].samples_ns, ElementsAre(50'300'000));
  EXPECT_THAT(run.visits[1].samples_ns, ElementsAre(1'250'125'000));
  EXPECT_THAT(error_of("batch;latency_ms\n1;1,250\n2;2,500\n"),
              HasSubstr("the comma in '1,250' may separate decimals or thousands"));
  EXPECT_THAT(error_of("batch;latency_ms\n1;50,30\n2;99.5\n"),
              HasSubstr("some numbers have a comma and some a point"));
  EXPECT_THAT(error_of("batch;latency_ms\n1;1.250,5\n"), HasSubstr("decimal point"));
}

TEST(ImportCsv, ReadsTheLinesThatScriptsPrint) {
  const RunFile run = import_ok(
      "Benchmark\n1: 50.30 ms\nbatch 2: 0.14009 s\nBatch size 4: 175250us\nbs=8: 504.16ms\n");
  ASSERT_EQ(run.visits.size(), 4u);
  EXPECT_THAT(run.visits[0].samples_ns, ElementsAre(50'300'000));
  EXPECT_THAT(run.visits[1].samples_ns, ElementsAre(140'090'000));
  EXPECT_THAT(run.visits[2].samples_ns, ElementsAre(175'250'000));
  EXPECT_EQ(run.configs[3].shape.batch_size, 8);
  EXPECT_THAT(run.events.front().what, HasSubstr("line 1:"));
}

TEST(ImportCsv, LinesWithoutAUnitAreMillisecondsAndThatIsReported) {
  const RunFile run = import_ok("1: 50.30\n2: 140.09\n");
  EXPECT_THAT(run.visits[0].samples_ns, ElementsAre(50'300'000));
  EXPECT_THAT(run.header.notes, testing::Contains(HasSubstr("count as milliseconds")));
  const RunFile seconds = import_ok("1: 0.5\n", {.unit = "s"});
  EXPECT_THAT(seconds.visits[0].samples_ns, ElementsAre(500'000'000));
  EXPECT_THAT(seconds.header.notes, testing::Not(testing::Contains(HasSubstr("milliseconds"))));
  EXPECT_FALSE(import_csv("1: 5\n", "f", {.unit = "weeks"}));
}

TEST(ImportCsv, LinesOfWhichOnlySomeStateAUnitAreRefused) {
  const std::string refused = error_of("1: 50.30 ms\n\n2: 0.09\n4: 0.17 s\n");
  EXPECT_THAT(refused, HasSubstr("table.csv:3"));
  EXPECT_THAT(refused, HasSubstr("unit ms"));
  const RunFile reported = import_ok("1: 50.30 ms\n2: 0.09\n", {.unit = "s"});
  EXPECT_THAT(reported.visits.at(0).samples_ns, ElementsAre(50'300'000));
  EXPECT_THAT(reported.visits.at(1).samples_ns, ElementsAre(90'000'000));
}

TEST(ImportCsv, SaysThatIntervalsOfRepeatsMayBeTooNarrow) {
  const RunFile run = import_ok("batch,latency_ms,std_ms,repeats\n1,10,1,9\n");
  EXPECT_THAT(run.header.notes, testing::Contains(HasSubstr("may be too narrow")));
}

TEST(CsvRows, KnowsQuotesLineEndsMarksAndWhereARowBegan) {
  const auto rows = csv_rows(
      "\xEF\xBB\xBF"
      "a,b\r\n\r\n\"x\ny\",\"say \"\"hi\"\"\"\nlast,row");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_THAT(rows[0].fields, ElementsAre("a", "b"));
  EXPECT_THAT(rows[1].fields, ElementsAre("x\ny", "say \"hi\""));
  EXPECT_EQ(rows[1].line, 3);
  EXPECT_THAT(rows[2].fields, ElementsAre("last", "row"));
  EXPECT_EQ(rows[2].line, 5);
}

}  // namespace
}  // namespace batchscope::csv
