// Logs of training loops as their frameworks write them, each with what stands around its steps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/bytes/byte_source.hpp"
#include "batchscope/bytes/compress.hpp"
#include "batchscope/stepfeed/step_log.hpp"
#include "formats/formats.hpp"

namespace batchscope::stepfeed {
namespace {

using telemetry::TrainingStep;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class StepFormats : public testing::Test {
 protected:
  StepFormats() { std::filesystem::create_directories(folder_); }
  ~StepFormats() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(std::string_view text) const {
    std::ofstream(folder_ / "log", std::ios::binary) << text;
    return folder_ / "log";
  }
  StepLog read(std::string_view text) const {
    const auto file = write(text);
    EXPECT_TRUE(is_step_log(file));
    auto log = read_step_log(file);
    EXPECT_TRUE(log.has_value()) << (log ? "" : log.error().what);
    return log ? *std::move(log) : StepLog{};
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) /
                                  testing::UnitTest::GetInstance()->current_test_info()->name();
};

std::vector<int64_t> numbers(const StepLog& log) {
  std::vector<int64_t> all;
  for (const TrainingStep& step : log.steps) all.push_back(step.step);
  return all;
}

std::vector<double> seconds(const StepLog& log) {
  std::vector<double> all;
  for (const TrainingStep& step : log.steps) all.push_back(step.seconds);
  return all;
}

TEST_F(StepFormats, TheStateOfATrainerHasItsMeanTimeAtItsEnd) {
  const auto log = read(R"({
  "best_metric": null,
  "global_step": 30,
  "log_history": [
    {
      "epoch": 0.1,
      "grad_norm": 1.5,
      "learning_rate": 5e-05,
      "loss": 2.5,
      "step": 10
    },
    {
      "epoch": 0.2,
      "eval_loss": 2.4,
      "eval_runtime": 3.0,
      "step": 10
    },
    {
      "epoch": 0.2,
      "learning_rate": 4e-05,
      "loss": NaN,
      "step": 20
    },
    {
      "epoch": 0.3,
      "step": 30,
      "train_loss": 2.1,
      "train_runtime": 63.0
    }
  ],
  "stateful_callbacks": {"TrainerControl": {"args": {"step": 1}}}
})");
  EXPECT_THAT(numbers(log), ElementsAre(10, 20));
  EXPECT_THAT(seconds(log), ElementsAre(2, 2));
  EXPECT_TRUE(log.has_mean_times);
  EXPECT_EQ(log.steps[0].loss, 2.5);
  EXPECT_EQ(log.steps[0].learning_rate, 5e-5);
  EXPECT_EQ(log.steps[1].loss_word, "nan");
  EXPECT_EQ(log.counts.bad_lines, 0);
}

// Of ten steps the one that is told evaluated, or started the workers of an epoch.
TEST_F(StepFormats, AStepThatIsReportedAloneAndFarLongerIsForItself) {
  std::string nano, vision;
  for (int i = 0; i < 30; ++i) {
    nano += "iter " + std::to_string(10 * i) + ": loss 2.0, time " + (i == 20 ? "9000" : "100") +
            ".00ms, mfu 30%\n";
    vision +=
        "Epoch: [" + std::to_string(i / 10) + "]  [ " + std::to_string(i % 10 * 10) +
        "/100]  eta: 0:01:00  lr: 0.1  loss: 6.9 (6.9)  time: " + (i % 10 == 0 ? "9.0" : "0.1") +
        "  data: 0.01\n";
  }
  const auto full = [](const StepLog& log) {
    double seconds = 0;
    for (const TrainingStep& step : log.steps) seconds += step.full_seconds();
    return seconds;
  };
  EXPECT_NEAR(full(read(nano)), 29.0 + 9, 0.2);
  EXPECT_NEAR(full(read(vision)), 28.8 + 3 * 9, 0.3);
}

// A mean of ten steps stands for all of them, however long it is.
TEST_F(StepFormats, AMeanIsForAllOfItsSteps) {
  std::string text;
  for (int i = 1; i <= 20; ++i) {
    text += "iteration " + std::to_string(10 * i) +
            "/ 1000 | elapsed time per iteration (ms): " + (i == 15 ? "5000.0" : "500.0") +
            " | global batch size: 8 | lm loss: 2.0 |\n";
  }
  const auto log = read(text);
  ASSERT_EQ(log.steps.size(), 20U);
  EXPECT_EQ(log.steps[14].replaces, 10);
  EXPECT_NEAR(log.steps[14].full_seconds(), 50, 1e-9);
}

// However many blanks line up the numbers.
TEST_F(StepFormats, BlanksOfAnEpochOfMmengineDoNotMatter) {
  std::string text;
  for (const char* const at : {"(train)   [1][ 50/100]", "(train)   [1][100/100]",
                               "(train)   [2][ 50/100]", "(train)     [2][100/100]"}) {
    text += std::string("mmengine - INFO - Epoch") + at +
            "  lr: 2e-2  time: 0.3000  data_time: 0.2  loss: 1.0\n";
  }
  EXPECT_THAT(numbers(read(text)), ElementsAre(50, 100, 150, 200));
}

TEST_F(StepFormats, TheStateOfATrainerThatGoesOnAsksForTimes) {
  const auto log = read(
      R"({"log_history": [{"epoch": 1, "loss": 2, "step": 5}, {"epoch": 2, "loss": 1, "step": 9}]})");
  EXPECT_THAT(numbers(log), ElementsAre(5, 9));
  EXPECT_THAT(seconds(log), ElementsAre(0, 0));
  EXPECT_THAT(log.missing, ElementsAre(HasSubstr("seconds (Trainer writes only"), "loading_seconds",
                                       "batch_size"));
  EXPECT_LT(log.steps[0].time_ns, log.steps[1].time_ns);
}

TEST_F(StepFormats, LinesOfMmcvCountTheirEpochsOn) {
  const auto log = read(R"({"env_info": "torch 1.8", "seed": 0}
{"mode": "train", "epoch": 1, "iter": 50, "lr": [0.0005, 0.005], "data_time": 0.25, "loss": 5.5, "time": 0.5}
{"mode": "train", "epoch": 1, "iter": 100, "lr": 0.0005, "data_time": 0.25, "loss": 5, "time": 0.75}
{"mode": "val", "epoch": 1, "iter": 20, "lr": 0.0005, "bbox_mAP": 0.1, "loss": 4}
{"mode": "train", "epoch": 2, "iter": 50, "lr": 0.0005, "data_time": 0.25, "loss": 4, "time": 0.5}
)");
  EXPECT_THAT(numbers(log), ElementsAre(50, 100, 150));
  EXPECT_THAT(seconds(log), ElementsAre(0.5, 0.75, 0.5));
  EXPECT_EQ(log.steps[0].loading_seconds, 0.25);
  EXPECT_EQ(log.steps[0].learning_rate, 0.0005);
  EXPECT_EQ(log.steps[2].time_ns - log.steps[1].time_ns, 25'000'000'000);
  EXPECT_EQ(log.counts.bad_lines, 0);
  EXPECT_THAT(log.missing, ElementsAre("batch_size"));
}

TEST_F(StepFormats, LinesOfMmengineAreWithoutEvaluations) {
  const auto log = read(
      R"({"lr": 0.01, "data_time": 0.01, "loss": 2.3, "time": 0.25, "epoch": 1, "iter": 10, "step": 10}
{"coco/bbox_mAP": 0.3, "data_time": 0.01, "time": 0.05, "step": 1}
{"lr": 0.01, "data_time": 0.01, "loss": 2.2, "time": 0.5, "epoch": 2, "iter": 10, "step": 20}
)");
  EXPECT_THAT(numbers(log), ElementsAre(10, 20));
  EXPECT_THAT(seconds(log), ElementsAre(0.25, 0.5));
}

TEST_F(StepFormats, LinesOfDetectron2) {
  const auto log = read(
      R"({"data_time": 0.003, "eta_seconds": 9, "iteration": 19, "loss_cls": 1, "lr": 0.02, "time": 0.5, "total_loss": 2.5}
{"bbox/AP": 30.5, "iteration": 19}
{"data_time": 0.003, "iteration": 39, "lr": 0.02, "time": 0.25, "total_loss": 2}
)");
  EXPECT_THAT(numbers(log), ElementsAre(19, 39));
  EXPECT_THAT(seconds(log), ElementsAre(0.5, 0.25));
  EXPECT_EQ(log.steps[0].loss, 2.5);
}

TEST_F(StepFormats, TheLogOfDetectron2TellsTheLastTime) {
  const auto log = read(
      "[03/21 09:59:00 detectron2]: Rank of current process: 0. World size: 1\n"
      "[03/21 10:00:00 d2.utils.events]:  eta: 1:20:00  iter: 19  total_loss: 4.1  loss_cls: 1.2  "
      "time: 0.3512  last_time: 0.5  data_time: 0.01  last_data_time: 0.125  lr: 0.02  max_mem: "
      "3000M\n");
  EXPECT_THAT(numbers(log), ElementsAre(19));
  EXPECT_THAT(seconds(log), ElementsAre(0.5));
  EXPECT_EQ(log.steps[0].loading_seconds, 0.125);
  EXPECT_EQ(log.steps[0].loss, 4.1);
  EXPECT_EQ(log.counts.bad_lines, 0);
}

TEST_F(StepFormats, TheTableOfLightningIsSparse) {
  const auto log = read(
      "epoch,lr-Adam,step,step_time,train_loss_step,val_loss\n"
      "0,,0,0.5,2.5,\n,0.001,0,,,\n0,,1,0.25,nan,\n0,,1,,,1.5\n");
  EXPECT_THAT(numbers(log), ElementsAre(0, 1));
  EXPECT_THAT(seconds(log), ElementsAre(0.5, 0.25));
  EXPECT_EQ(log.steps[1].loss_word, "nan");
}

TEST_F(StepFormats, ATableOfLightningWithoutTimesAsksForThem) {
  const auto log = read("epoch,step,train_loss,val_loss\n0,49,2.5,\n0,99,2.25,\n0,99,,1\n");
  EXPECT_THAT(numbers(log), ElementsAre(49, 99));
  EXPECT_THAT(log.missing.at(0), StartsWith("seconds (Lightning writes none: log step_time"));
}

TEST_F(StepFormats, TheResultsOfUltralyticsAddUpTheirTimes) {
  const auto log = read(
      "   epoch,   time,  train/box_loss,  train/cls_loss,  val/box_loss,  lr/pg0\n"
      "       1,   50.5,            1.25,             0.5,           2.0,    0.01\n"
      "       2,   99.5,            1.00,             0.5,           2.0,    0.01\n");
  EXPECT_THAT(numbers(log), ElementsAre(1, 2));
  EXPECT_THAT(seconds(log), ElementsAre(50.5, 49));
  EXPECT_EQ(log.steps[0].loss, 1.75);
  EXPECT_EQ(log.steps[0].learning_rate, 0.01);
}

TEST_F(StepFormats, WhatKerasPrintsCountsFullEpochs) {
  const auto log = read(
      "Epoch 1/2\n"
      "  1/100 [....] - ETA: 9s - loss: 9\r 50/100 [====>...] - ETA: 1s - loss: 3"
      "\r100/100 [========] - 5s 50ms/step - loss: 0.5 - accuracy: 0.9 - val_loss: 0.25\n"
      "Epoch 2/2\n"
      "\x1b[1m  1/100\x1b[0m \x1b[1m10s\x1b[0m 110ms/step - loss: 2\b\b\b\b"
      "\x1b[1m100/100\x1b[0m \x1b[32m━━━━\x1b[0m\x1b[37m\x1b[0m \x1b[1m5s\x1b[0m 2s/step - "
      "accuracy: 0.9 - loss: 0.25\n");
  EXPECT_THAT(numbers(log), ElementsAre(100, 200));
  EXPECT_THAT(seconds(log), ElementsAre(0.05, 2));
  EXPECT_EQ(log.steps[1].loss, 0.25);
}

TEST_F(StepFormats, TheTableOfKerasHasNoTimes) {
  const auto log = read("epoch,accuracy,loss,val_loss\n0,0.5,2.5,3\n1,0.6,2,3\n");
  EXPECT_THAT(numbers(log), ElementsAre(0, 1));
  EXPECT_EQ(log.steps[1].loss, 2);
  EXPECT_THAT(log.missing.at(0), StartsWith("seconds (CSVLogger writes none"));
}

TEST_F(StepFormats, LinesOfTorchvisionAreWithoutItsTests) {
  const auto log = read(
      "Not using distributed mode\n"
      "Epoch: [0]  [  0/100]  eta: 0:10:00  lr: 0.1  img/s: 330.2  loss: 6.5 (7.0000)  time: 0.5  "
      "data: 0.125  max mem: 5000\n"
      "Epoch: [0]  [ 90/100]  eta: 0:10:00  lr: 0.1  img/s: 330.2  loss: 6.5 (7.0000)  time: 0.25  "
      "data: 0.125  max mem: 5000\n"
      "Epoch: [0] Total time: 0:01:40\n"
      "Test:   [ 0/20]  eta: 0:00:10  loss: 5 (5)  time: 9.5  data: 0.4  max mem: 5000\n"
      "Epoch: [1]  [  0/100]  eta: 0:10:00  lr: 0.1  loss: 6.5 (7.0000)  time: 0.5  data: 0.125\n");
  EXPECT_THAT(numbers(log), ElementsAre(0, 90, 100));
  EXPECT_THAT(seconds(log), ElementsAre(0.5, 0.25, 0.5));
  EXPECT_EQ(log.steps[0].loading_seconds, 0.125);
  EXPECT_EQ(log.steps[0].loss, 6.5);
  EXPECT_EQ(log.counts.bad_lines, 0);
}

TEST_F(StepFormats, TheLogOfMegatronTellsMillisecondsAndBatches) {
  const auto log = read(
      "using world size: 8\n lr .................... 0.0001\n"
      " [2025-04-13 23:41:12] iteration       10/    1000 | consumed samples:          160 | "
      "elapsed "
      "time per iteration (ms): 1250.0 | learning rate: 0.000000E+00 | global batch size:    16 | "
      "loss scale: 8388608.0 | number of skipped iterations:  10 |\n"
      " [2025-04-13 23:41:20] iteration       20/    1000 | consumed samples:          320 | "
      "elapsed "
      "time per iteration (ms): 500.0 | learning rate: 4.000000E-05 | global batch size:    16 | "
      "lm "
      "loss: 1.050000E+01 | loss scale: 131072.0 | grad norm: 3.874 |\n"
      "time (ms) | forward-compute: 53.79\n"
      "validation loss at iteration 20 | lm loss value: 1.0E+01 | lm loss PPL: 2.2E+04 |\n");
  EXPECT_THAT(numbers(log), ElementsAre(10, 20));
  EXPECT_THAT(seconds(log), ElementsAre(1.25, 0.5));
  EXPECT_EQ(log.steps[1].loss, 10.5);
  EXPECT_EQ(log.steps[1].batch_size, 16);
  EXPECT_EQ(log.steps[1].learning_rate, 4e-5);
}

TEST_F(StepFormats, TheLogOfNanoGpt) {
  const auto log = read(
      "step 0: train loss 10.9, val loss 10.9\n"
      "iter 0: loss 10.5, time 1250.00ms, mfu -100.00%\niter 10: loss 9.5, time 125.00ms, mfu "
      "1%\n");
  EXPECT_THAT(numbers(log), ElementsAre(0, 10));
  EXPECT_THAT(seconds(log), ElementsAre(1.25, 0.125));
  EXPECT_EQ(log.steps[0].loss, 10.5);
}

TEST_F(StepFormats, OtherTexts) {
  EXPECT_THAT(
      seconds(
          read("08/21 02:58:41 - mmengine - INFO - Epoch(train)  [1][ 10/510]  lr: 1.0e-02  eta: "
               "0:00:00  time: 0.25  data_time: 0.01  loss: 1.5\n"
               "08/21 02:58:41 - mmengine - INFO - Epoch(val)  [1][10/25]  eta: 0:00:00  time: "
               "0.5  data_time: 0.01\n")),
      ElementsAre(0.25));
  EXPECT_THAT(numbers(read("08/21 02:58:41 - mmengine - INFO - Iter(train) [   50/80000]  lr: "
                           "1.0e-02  eta: 0:00:00  time: 0.25  data_time: 0.01  loss: 1.5\n")),
              ElementsAre(50));
  EXPECT_THAT(numbers(read("2021-05-20 15:24:00,123 - mmdet - INFO - Epoch [2][50/510]\tlr: "
                           "1.978e-02, eta: 10:00:00, time: 0.430, data_time: 0.006, memory: 6814, "
                           "loss_cls: 0.5, loss: 1.5\n")),
              ElementsAre(50));
  EXPECT_THAT(seconds(read("Epoch: [0][  10/5005]\tTime  0.5 ( 0.6)\tData  0.010 ( 0.2)\tLoss "
                           "6.5e+00 (6.9e+00)\tAcc@1   0.00 (  0.10)\n")),
              ElementsAre(0.5));
  EXPECT_THAT(numbers(read("Train: 0 [  50/1251 (  4%)]  Loss: 6.943 (6.94)  Time: 0.512s, 1000/s  "
                           "(0.600s, 853/s)  LR: 1.000e-06  Data: 0.010 (0.050)\n")),
              ElementsAre(50));
  EXPECT_THAT(
      seconds(read("[05/20 15:24:00] eta: 0:05:18 - epoch: 5/20 - batch: 0/13 - total_loss: "
                   "0.25 - time: 0.5 - data_time: 0.125 - lr: 0.01\n")),
      ElementsAre(0.5));
}

TEST_F(StepFormats, LinesOfTheFeedHaveTheirOwnTimes) {
  const auto log = read(
      "{\"step\": 1, \"seconds\": 0.5, \"epoch\": 1, \"time_ns\": "
      "1730000000000000000}\nno step\n{\"step\": 2, \"seconds\": 1}");
  EXPECT_THAT(numbers(log), ElementsAre(1, 2));
  EXPECT_EQ(log.steps[0].time_ns, 1'730'000'000'000'000'000);
  EXPECT_GT(log.steps[1].time_ns, 1'790'000'000'000'000'000);
  EXPECT_EQ(log.counts.bad_lines, 1);
  EXPECT_EQ(log.counts.first_problem, "is not a JSON object");
}

TEST_F(StepFormats, ALogMayBeCompressed) {
  const std::string text = "iter 0: loss 10.5, time 1250.00ms\niter 10: loss 9.5, time 125.00ms\n";
  EXPECT_THAT(seconds(read(bytes::gzipped(*bytes::bytes_of(text)))), ElementsAre(1.25, 0.125));
}

TEST_F(StepFormats, OtherFilesHaveNoSteps) {
  for (const char* const text :
       {"", "{",
        "{\n\"traceEvents\": [\n{\"ph\": \"X\", \"ts\": 1, \"dur\": 2, \"step\": 3}\n]\n}\n",
        "batch,latency_ms\n1,2\n2,3\n", "{\"type\":\"header\",\"schema_version\":1}\n",
        "The time: is 3, the loss: 4 of Epoch 3\n", "{\"log_history\": []}"}) {
    const auto file = write(text);
    EXPECT_FALSE(is_step_log(file)) << text;
    const auto log = read_step_log(file);
    ASSERT_FALSE(log.has_value()) << text;
    EXPECT_EQ(log.error().kind, base::ErrorKind::input);
    EXPECT_THAT(log.error().fix, HasSubstr("nanoGPT"));
    EXPECT_LT(log.error().fix.size(), 300u);
  }
}

TEST(StepFormatTable, NamesWhereAStepsNumberAndItsLossBe) {
  for (const StepFormat& format : step_formats()) {
    EXPECT_FALSE(format.marks[1].empty()) << format.name;
    EXPECT_FALSE(format.step[0].empty() || format.loss[0].empty()) << format.name;
    EXPECT_FALSE(format.seconds[0].empty()) << format.name;
  }
}

}  // namespace
}  // namespace batchscope::stepfeed
