#include <gtest/gtest.h>

#include "batchscope/attribution/attribution.hpp"
#include "made_trace.hpp"

namespace batchscope::attribution {
namespace {

// A device that is busy from 0 to 100 us and from 1000 us on, and a thread that started both.
class GapCause : public testing::Test {
 protected:
  void busy_until_100_and_from_1000(int64_t second_call = 990) {
    made.call(main, "cudaLaunchKernel", -20, -10, 1).kernel(stream, 0, 100, 1);
    made.call(main, "cudaLaunchKernel", second_call, second_call + 8, 2);
    made.kernel(stream, 1000, 1100, 2);
  }

  DeviceTime device(size_t index = 0) const {
    Attribution found = attribute(made.made());
    return found.devices.at(index);
  }
  // Microseconds.
  int64_t of(Part part) const { return device().parts[part] / 1000; }

  MadeTrace made;
  size_t main = made.thread(1);
  size_t stream = made.stream(0, 7);
};

TEST_F(GapCause, IsTheLoaderThatTheThreadIsIn) {
  busy_until_100_and_from_1000();
  made.range(main, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0, 950);
  EXPECT_EQ(of(Part::data_loading), 850);
  EXPECT_EQ(of(Part::launch), 50);
  const Gap gap = device().largest_gaps.at(0);
  EXPECT_EQ(gap.cause, Part::data_loading);
  EXPECT_EQ(gap.call, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
}

TEST_F(GapCause, IsTheHostsWorkWhereNothingWasRecorded) {
  busy_until_100_and_from_1000();
  EXPECT_EQ(of(Part::host), 890);
  EXPECT_EQ(of(Part::launch), 10);
}

TEST_F(GapCause, IsLaunchingBetweenOperatorsThatFollowSoon) {
  busy_until_100_and_from_1000();
  for (int64_t at = 0; at < 980; at += 60) made.op(main, "aten::view", at, at + 8);
  made.op(main, "aten::add", 985, 1005);
  // The first 300 us and more of operators that start nothing are work.
  EXPECT_EQ(of(Part::host), 868);
  EXPECT_EQ(of(Part::launch), 32);
}

// Nothing that is launched earlier ends it.
TEST_F(GapCause, IsNoWaitOfBeforeWhereNoWorkFollows) {
  made.call(main, "cudaLaunchKernel", -20, -10, 1).kernel(stream, 0, 5000, 1);
  made.call(main, "cudaStreamSynchronize", 100, 5200);
  made.call(main, "cudaStreamBeginCapture", 5200, 5209);
  for (int64_t at = 5210; at < 8980; at += 10) made.call(main, "cudaLaunchKernel", at, at + 9, at);
  made.call(main, "cudaStreamEndCapture", 8980, 8990);
  made.range(main, "ProfilerStep#1", -50, 9000);
  EXPECT_EQ(of(Part::synchronisation), 200);
  EXPECT_GE(of(Part::launch), 3700);
}

TEST_F(GapCause, ARangeAroundTheHostsWorkLiesInItsOwnGapsOnly) {
  made.call(main, "cudaLaunchKernel", -20, -10, 1).kernel(stream, 0, 100, 1);
  made.range(main, "compile", 150, 99'000);
  made.call(main, "cudaLaunchKernel", 99'980, 99'990, 2).kernel(stream, 100'000, 100'100, 2);
  made.op(main, "small", 100'150, 101'000);
  made.call(main, "cudaLaunchKernel", 101'080, 101'090, 3).kernel(stream, 101'100, 101'200, 3);
  const auto places = device().places;
  ASSERT_FALSE(places.empty());
  EXPECT_EQ(places[0].call, "compile");
  EXPECT_EQ(places[0].gaps, 1);
  EXPECT_EQ(places[0].calls, 1);
}

TEST_F(GapCause, IsAWaitThatGoesOnWhileTheDeviceIdles) {
  busy_until_100_and_from_1000();
  made.op(main, "aten::item", 0, 960).call(main, "cudaStreamSynchronize", 10, 950);
  // The wait until 100 us could have been for launching: it explains the launching behind it.
  EXPECT_EQ(of(Part::synchronisation), 900);
  ASSERT_EQ(device().places.size(), 1U);
  const IdleSite place = device().places.front();
  EXPECT_EQ(place.cause, Part::synchronisation);
  EXPECT_EQ(place.call, "cudaStreamSynchronize");
  EXPECT_EQ(place.ns, 900'000);
  EXPECT_EQ(place.inside, "aten::item");
}

TEST_F(GapCause, IsReportedByWhatMostOfItLiesIn) {
  made.call(main, "cudaLaunchKernel", -20, -10, 1).kernel(stream, 0, 100, 1);
  // One long wait, and more in all in short ones.
  made.call(main, "cudaEventSynchronize", 100, 500).call(main, "cudaLaunchKernel", 501, 505, 2);
  made.kernel(stream, 510, 600, 2);
  int64_t at = 600;
  for (int64_t number = 3; number < 9; ++number, at += 200) {
    made.call(main, "cudaStreamSynchronize", at, at + 90);
    made.call(main, "cudaLaunchKernel", at + 91, at + 95, number);
    made.kernel(stream, at + 100, at + 200, number);
  }
  const std::vector<IdleSite> places = device().places;
  ASSERT_GE(places.size(), 2U);
  EXPECT_EQ(places[0].call, "cudaStreamSynchronize");
  EXPECT_EQ(places[0].gaps, 6);
  EXPECT_GE(places[0].ns, 540'000);
  EXPECT_EQ(places[1].call, "cudaEventSynchronize");
}

TEST_F(GapCause, IsTheWaitBeforeForAsLongAsThatWas) {
  busy_until_100_and_from_1000();
  made.call(main, "cudaStreamSynchronize", 70, 100);
  for (int64_t at = 110; at < 980; at += 40) {
    made.op(main, "aten::add", at, at + 30).call(main, "cudaLaunchKernel", at + 5, at + 10);
  }
  EXPECT_EQ(of(Part::synchronisation), 30);
  EXPECT_EQ(of(Part::launch), 870);
}

TEST_F(GapCause, OfWhatWasLaunchedAheadIsTheDevice) {
  busy_until_100_and_from_1000(50);
  EXPECT_EQ(of(Part::device), 900);
  ASSERT_EQ(device().places.size(), 1U);
  EXPECT_EQ(device().places.front().call, "gemm");
}

TEST_F(GapCause, OfWhatWasLaunchedAheadAndStartsSoonIsTheDevices) {
  made.call(main, "cudaDeviceSynchronize", 0, 95);
  made.call(main, "cudaLaunchKernel", -20, -10, 1).kernel(stream, 0, 100, 1);
  made.call(main, "cudaLaunchKernel", -9, -5, 2).kernel(stream, 102, 110, 2);
  EXPECT_EQ(of(Part::device), 2);
  EXPECT_EQ(of(Part::synchronisation), 0);
}

TEST_F(GapCause, OfWhatWasLaunchedBeforeTheRecordingIsNotTheThreads) {
  made.range(main, "load_data", 0, 950);
  made.kernel(stream, 0, 100, 1).kernel(stream, 1000, 1100, 2);
  made.call(main, "cudaLaunchKernel", 1150, 1160, 3).kernel(stream, 1165, 1200, 3);
  EXPECT_EQ(of(Part::device), 900);
  EXPECT_EQ(device().orphans, 2);
}

// Its own stream has no call at all in the trace, as where the end of the recording is lost.
TEST_F(GapCause, OfAStreamWithoutAnyCallIsReportedByTheDevice) {
  const auto other = made.stream(0, 30);
  made.range(main, "load_data", 0, 950);
  made.kernel(stream, 0, 100, 1).kernel(other, 1000, 1100, 2);
  made.call(main, "cudaLaunchKernel", 1150, 1160, 3).kernel(stream, 1165, 1200, 3);
  EXPECT_EQ(of(Part::device), 900);
  EXPECT_EQ(of(Part::data_loading), 0);
}

TEST_F(GapCause, OfAnOrphanAmongOthersIsTheThreads) {
  busy_until_100_and_from_1000();
  made.range(main, "load_data", 1090, 1990).kernel(stream, 2000, 2100, 77);
  EXPECT_EQ(of(Part::data_loading), 890);
}

TEST_F(GapCause, OfWhatWasLaunchedAheadIsNotTheWaitOfAThread) {
  busy_until_100_and_from_1000(50);
  made.call(main, "cudaDeviceSynchronize", 60, 1105);
  EXPECT_EQ(of(Part::device), 900);
  EXPECT_EQ(of(Part::synchronisation), 0);
}

TEST_F(GapCause, IsNotTheWaitWhereAnotherDeviceIsBusy) {
  busy_until_100_and_from_1000(50);
  made.call(main, "cudaDeviceSynchronize", 60, 1105);
  const size_t other = made.stream(1, 7);
  made.call(main, "cudaLaunchKernel", 40, 45, 3).kernel(other, 90, 995, 3);
  EXPECT_EQ(of(Part::device), 900);
  EXPECT_EQ(of(Part::synchronisation), 0);
}

TEST_F(GapCause, IsThatOfTheThreadWhoseTurnItWas) {
  const size_t autograd = made.thread(2);
  made.call(main, "cudaLaunchKernel", -20, -10, 1).kernel(stream, 0, 100, 1);
  made.call(autograd, "cudaLaunchKernel", 990, 998, 2).kernel(stream, 1000, 1100, 2);
  made.range(main, "load_data", 50, 960);
  EXPECT_EQ(of(Part::data_loading), 860);
  EXPECT_EQ(of(Part::launch), 40);
}

TEST_F(GapCause, IsNotThatOfAThreadThatGoesItsOwnWay) {
  const size_t other = made.thread(2);
  const size_t beside = made.stream(0, 9);
  // Both launch all the time, so neither waits for the other.
  for (int64_t at = -2000; at < -100; at += 20) {
    made.call(main, "cudaLaunchKernel", at, at + 15);
    made.call(other, "cudaLaunchKernel", at + 5, at + 18);
  }
  busy_until_100_and_from_1000();
  made.call(other, "cudaLaunchKernel", -20, -10, 3).kernel(beside, 10, 90, 3);
  made.range(other, "load_data", 50, 1200);
  EXPECT_EQ(of(Part::data_loading), 0);
  EXPECT_EQ(of(Part::host), 890);
}

// A launch loads its kernel, another one waits by asking.
TEST_F(GapCause, OfALaunchThatLoadsIsTheHostsWork) {
  made.call(main, "cudaLaunchKernel", -20, -10, 1).kernel(stream, 0, 100, 1);
  made.call(main, "cudaLaunchKernel", 150, 6950, 2).kernel(stream, 7000, 7100, 2);
  EXPECT_EQ(of(Part::host), 6850);
  EXPECT_EQ(of(Part::launch), 50);
}

TEST_F(GapCause, IsAWaitWhereAThreadAsksAgainAndAgain) {
  busy_until_100_and_from_1000();
  for (int64_t at = 60; at < 980; at += 10) made.call(main, "cudaEventQuery", at, at + 10);
  EXPECT_EQ(of(Part::synchronisation), 900) << "from 100 us to the next launch, and that";
}

// Two processes of one file, each with a device, that count their calls alike.
TEST(GapCauses, OfProcessesWithTheSameNumbersAreTheirOwn) {
  MadeTrace both;
  for (const int64_t process : {1, 2}) {
    const size_t thread = both.thread(process, process);
    const size_t stream = both.stream(process - 1, 7);
    both.call(thread, "cudaLaunchKernel", -20, -10, 1).kernel(stream, 0, 100, 1);
    both.call(thread, "cudaLaunchKernel", 990, 998, 2).kernel(stream, 1000, 1100, 2);
    if (process == 1) both.range(thread, "enumerate(DataLoader)#_Iter.__next__", 0, 980);
    if (process == 2) both.op(thread, "aten::sort", 0, 980);
  }
  const Attribution found = attribute(both.made());
  ASSERT_EQ(found.devices.size(), 2U);
  EXPECT_EQ(found.devices[0].parts[Part::data_loading], 880'000);
  EXPECT_EQ(found.devices[1].parts[Part::data_loading], 0);
  EXPECT_EQ(found.devices[1].parts[Part::host], 880'000);
}

// As sglang's decode: a kernel that is launched at once and runs after what nobody recorded.
TEST_F(GapCause, OfWhatIsLaunchedInTimeAndStartsLateIsTheDevice) {
  busy_until_100_and_from_1000(140);
  made.call(main, "cudaStreamSynchronize", 160, 1100);
  EXPECT_EQ(of(Part::device), 852);
  EXPECT_EQ(of(Part::launch), 48);
  EXPECT_EQ(of(Part::synchronisation), 0);
}

TEST_F(GapCause, WithinAGraphIsTheDevice) {
  made.call(main, "cudaGraphLaunch", -20, 2000, 1);
  made.kernel(stream, 0, 100, 1).kernel(stream, 400, 500, 1).kernel(stream, 510, 520, 1);
  made.call(main, "cudaEventSynchronize", 2000, 2100);
  EXPECT_EQ(of(Part::device), 310);
  ASSERT_EQ(device().places.size(), 1U);
  EXPECT_EQ(device().places.front().call, "cudaGraphLaunch");
  EXPECT_EQ(device().places.front().gaps, 2);
}

TEST_F(GapCause, OfTimeThatMayHoldLostWorkIsNotKnown) {
  busy_until_100_and_from_1000();
  made.range(main, "load_data", 0, 700).call(main, "cudaGraphLaunch", 710, 720, 7);
  EXPECT_EQ(of(Part::unknown), 290);
  EXPECT_EQ(of(Part::data_loading), 600);
  EXPECT_EQ(device().hidden_ns, 290'000);
  const Attribution found = attribute(made.made());
  EXPECT_EQ(found.lost.launches, 3);
  EXPECT_EQ(found.lost.lost, 1);
  EXPECT_EQ(found.lost.lost_graphs, 1);
}

TEST_F(GapCause, OfLostWorkEndsWhereTheDeviceWasWaitedFor) {
  busy_until_100_and_from_1000();
  made.call(main, "cudaLaunchKernel", 110, 120, 7).call(main, "cudaDeviceSynchronize", 130, 400);
  EXPECT_EQ(of(Part::unknown), 290);
  EXPECT_EQ(of(Part::host), 590);
}

TEST_F(GapCause, OfWhatAGraphsCaptureRecordsIsTheHosts) {
  busy_until_100_and_from_1000();
  made.call(main, "cudaStreamBeginCapture_v10000", 110, 120);
  for (int64_t i = 0; i < 5; ++i) {
    made.call(main, "cudaLaunchKernel", 130 + 10 * i, 135 + 10 * i, 100 + i);
  }
  made.call(main, "cudaStreamEndCapture_v10000", 200, 210);
  const Attribution found = attribute(made.made());
  EXPECT_EQ(found.lost.captured, 5);
  EXPECT_EQ(found.lost.lost, 0);
  EXPECT_EQ(of(Part::unknown), 0);
}

TEST_F(GapCause, OfKernelsWithoutTimeIsNotKnown) {
  constexpr int64_t kLate = 5'000'000;
  for (int64_t i = 0; i < 4; ++i) {
    const int64_t at = kLate + 100 * i;
    made.call(main, "cudaLaunchKernel", at, at + 10, i);
    made.kernel(stream, i == 1 ? 0 : at + 15, i == 1 ? 5 : at + 40, i);
  }
  EXPECT_EQ(device().start_ns, (kLate + 15) * 1000);
  EXPECT_EQ(of(Part::unknown), 115);
  EXPECT_EQ(attribute(made.made()).lost.without_time, 1);
}

TEST_F(GapCause, OfTheHostIsLocatedByWhatIsInnermostForLongest) {
  busy_until_100_and_from_1000();
  made.python(main, "train.py(3): main", -50, 1500).python(main, "data.py(8): prepare", 110, 985);
  made.op(main, "aten::view", 300, 324);
  made.python(main, "data.py(20): normalize", 330, 940);
  const DeviceTime found = device();
  ASSERT_GE(found.places.size(), 2U);
  EXPECT_EQ(found.places[0].call, "data.py(8): prepare") << "with what it calls";
  EXPECT_GE(found.places[0].ns, 800'000);
  EXPECT_EQ(found.places[1].call, "data.py(20): normalize");
  EXPECT_EQ(found.places[1].ns, 610'000);
  EXPECT_EQ(found.largest_gaps.at(0).call, "data.py(20): normalize");
}

TEST(Wall, IsTheStepsWhereTheyAreRecorded) {
  MadeTrace made;
  const size_t main = made.thread(1);
  const size_t stream = made.stream(0, 7);
  made.range(main, "ProfilerStep#3", 0, 1000).range(main, "prepare", 10, 600);
  made.call(main, "cudaLaunchKernel", 690, 695, 1).kernel(stream, 700, 800, 1);
  const DeviceTime device = attribute(made.made()).devices.at(0);
  EXPECT_EQ(device.start_ns, 0);
  EXPECT_EQ(device.end_ns, 1'000'000);
  EXPECT_EQ(device.parts.busy_ns(), 100'000);
  EXPECT_EQ(device.parts[Part::host], 890'000);
  EXPECT_EQ(device.gaps, 2);
  EXPECT_EQ(device.places.at(0).call, "prepare");
}

TEST_F(GapCause, IsNotKnownWhereNobodyStartsAnything) {
  made.kernel(stream, 0, 100).kernel(stream, 1000, 1100);
  EXPECT_EQ(of(Part::unknown), 900);
  EXPECT_EQ(device().orphans, 2);
}

}  // namespace
}  // namespace batchscope::attribution
