#include "lines/step_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/telemetry/log_line.hpp"

namespace batchscope::stepfeed {
namespace {

constexpr int64_t kNow = 1'795'800'000'000'000'000;

StepLine read(std::string_view line) {
  return read_step_line(line, kNow);
}

TEST(StepLine, IsWhatALoopTells) {
  const auto [step, unknown, problem] = read(
      R"({"step": 12, "seconds": 0.25, "loss": 0.4, "learning_rate": 1e-4, "batch_size": 64,
          "loading_seconds": 0.05, "source": "a", "time_ns": 1795799999000000007})");
  EXPECT_EQ(problem, "");
  EXPECT_EQ(unknown, 0);
  EXPECT_EQ(step.step, 12);
  EXPECT_EQ(step.seconds, 0.25);
  EXPECT_EQ(step.loss, 0.4);
  EXPECT_EQ(step.learning_rate, 1e-4);
  EXPECT_EQ(step.batch_size, 64);
  EXPECT_EQ(step.loading_seconds, 0.05);
  EXPECT_EQ(step.source, "a");
  EXPECT_EQ(step.time_ns, 1'795'799'999'000'000'007);
}

TEST(StepLine, MayBeOneOfALog) {
  telemetry::TrainingStep step;
  step.time_ns = kNow;
  step.step = 3;
  step.seconds = 0.5;
  step.loss_word = "inf";
  const StepLine again = read(telemetry::to_line(step));
  EXPECT_EQ(again.problem, "");
  EXPECT_EQ(again.unknown_fields, 0);
  EXPECT_EQ(again.step.loss_word, "inf");
}

TEST(StepLine, TakesTheReceiversTimeAndCountsWhatItDoesNotKnow) {
  const StepLine line = read(R"({"step": 1.0, "seconds": 1, "epoch": 3, "note": {"a": [1]}})");
  EXPECT_EQ(line.problem, "");
  EXPECT_EQ(line.step.time_ns, kNow);
  EXPECT_EQ(line.step.step, 1);
  EXPECT_EQ(line.unknown_fields, 2);
  EXPECT_EQ(line.step.loss, std::nullopt);
}

TEST(StepLine, TakesWhatPythonWritesOfNumbersThatAreNone) {
  const auto word = [](std::string_view loss) {
    const StepLine line =
        read("{\"step\": 1, \"seconds\": 1, \"loss\": " + std::string(loss) + "}");
    EXPECT_EQ(line.problem, "") << loss;
    EXPECT_FALSE(line.step.loss) << loss;
    return line.step.loss_word;
  };
  EXPECT_EQ(word("NaN"), "nan");
  EXPECT_EQ(word("Infinity"), "inf");
  EXPECT_EQ(word("-Infinity"), "-inf");
  EXPECT_EQ(word("\"NaN\""), "nan");
  EXPECT_EQ(word("null"), "");
}

TEST(StepLine, LeavesTextsAsTheyAre) {
  const StepLine line = read(R"({"step": 1, "seconds": 1, "source": "a\"NaN\u001b[2J"})");
  EXPECT_EQ(line.problem, "");
  EXPECT_EQ(line.step.source, "a\"NaN\\x1b[2J");
}

TEST(StepLine, TakesNoLongerAWaitThanTheStep) {
  EXPECT_EQ(read(R"({"step": 1, "seconds": 1, "loading_seconds": 1.01})").step.loading_seconds, 1);
}

struct Wrong {
  std::string line, problem;
};
class WrongLines : public testing::TestWithParam<Wrong> {};

TEST_P(WrongLines, AreReportedBy) {
  EXPECT_EQ(read(GetParam().line).problem, GetParam().problem);
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongLines,
    testing::Values(
        Wrong{"", "is not a JSON object"}, Wrong{"12", "is not a JSON object"},
        Wrong{"[1]", "is not a JSON object"},
        Wrong{R"({"step": 1, "seconds": 1)", "is not a JSON object"},
        Wrong{"{\"step\": 1, \"seconds\": 1, \"source\": \"\xff\"}", "is not a JSON object"},
        Wrong{std::string(60000, '['), "is not a JSON object"},
        Wrong{R"({"step": 1, "seconds": 1, "x": )" + std::string(20, '[') + std::string(20, ']') +
                  "}",
              "is not a JSON object"},
        Wrong{R"({"seconds": 1})", "step is missing"},
        Wrong{R"({"step": 1})", "seconds is missing"},
        Wrong{R"({"step": 1, "seconds": null})", "seconds is missing"},
        Wrong{R"({"step": 1.5, "seconds": 1})", "step is not an integer"},
        Wrong{R"({"step": "1", "seconds": 1})", "step is not an integer"},
        Wrong{R"({"step": 18446744073709551615, "seconds": 1})", "step is out of range"},
        Wrong{R"({"step": 1, "seconds": NaN})", "seconds is not a number"},
        Wrong{R"({"step": 1, "seconds": 0})", "seconds is not above 0"},
        Wrong{R"({"step": 1, "seconds": -1})", "seconds is out of range"},
        Wrong{R"({"step": 1, "seconds": 1e9})", "seconds is out of range"},
        Wrong{R"({"step": 1, "seconds": 1e999})", "is not a JSON object"},
        Wrong{R"({"step": 1, "seconds": 1, "batch_size": 0})", "batch_size is out of range"},
        Wrong{R"({"step": 1, "seconds": 1, "time_ns": -1})", "time_ns is out of range"},
        Wrong{R"({"step": 1, "seconds": 1, "time_ns": 1795799999000})",
              "time_ns is not a time in nanoseconds since 1970"},
        Wrong{R"({"step": 1, "seconds": 1, "time_ns": 1796000000000000000})",
              "time_ns is not a time in nanoseconds since 1970"},
        Wrong{R"({"step": 1, "seconds": 1, "loss": "low"})", "loss is not a number"},
        Wrong{R"({"step": 1, "seconds": 1, "loss": []})", "loss is not a number"},
        Wrong{R"({"step": 1, "seconds": 1, "source": ")" + std::string(129, 'x') + "\"}",
              "source is too long"},
        Wrong{R"({"type": "sample", "step": 1, "seconds": 1})", "type is not \"step\""}));

}  // namespace
}  // namespace batchscope::stepfeed
