#include "batchscope/monitor_report/plain_lines.hpp"

#include <gmock/gmock.h>

#include "machines.hpp"

namespace batchscope::monitor_report {
namespace {

using testing::kMachineSecond;
using testing::kNoon;

TEST(PlainLines, OneLineAnInterval) {
  telemetry::Sample sample = testing::made_up_sample(2, 119);
  sample.gpus[1].up = false;
  sample.gpus[1].why_down = "GPU is lost";
  const ScreenHistory history = testing::made_up_history(1);
  EXPECT_EQ(sample_line(sample, &history),
            "12:01:59  GPU 0 94 %, 60.0/79.6 GiB, 400 W; GPU 1 down: GPU is lost; "
            "CPU 33 %, RAM 112/504 GiB; step 12,339, loss 2.461");
}

TEST(PlainLines, WhatIsNotKnownIsLeftOut) {
  telemetry::Sample sample;
  sample.time_ns = kNoon;
  EXPECT_EQ(sample_line(sample, nullptr), "12:00:00  no GPU");
}

TEST(PlainLines, AFindingIsReportedWhereItIsRaisedAndWhereItEnds) {
  watch::ActiveFinding one = testing::active("the GPU has fallen off the bus",
                                             findings::Severity::high, kNoon, "drain the node", 3);
  EXPECT_EQ(finding_line(one),
            "12:00:00  HIGH  GPU 3: the GPU has fallen off the bus (drain the node) "
            "[monitor.test]");
  one.ended_ns = kNoon + 200 * kMachineSecond;
  EXPECT_EQ(finding_line(one),
            "12:03:20  ended after 3 min 20 s: GPU 3: the GPU has fallen off the bus "
            "[monitor.test]");
}

TEST(PlainLines, NamesSteerNothing) {
  telemetry::Sample sample;
  telemetry::GpuReading gpu;
  gpu.gpu = "0";
  gpu.why_down = "x\n\x1b[2Jy";
  sample.gpus = {gpu};
  EXPECT_EQ(sample_line(sample, nullptr), "00:00:00  GPU 0 down: x y");
  EXPECT_EQ(finding_line(testing::active("a\x1b[1A\nb", findings::Severity::low, 0)),
            "00:00:00  LOW  a b [monitor.test]");
}

}  // namespace
}  // namespace batchscope::monitor_report
