#include "activity/host_states.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_trace.hpp"

namespace batchscope::attribution {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// In microseconds, without the row.
struct State {
  int64_t start;
  int64_t end;
  HostState state;
  bool operator==(const State&) const = default;
};

std::vector<State> states_of(const MadeTrace& made, size_t thread = 0) {
  const trace::Trace trace = made.made();
  const Correlations correlations(trace);
  std::vector<State> states;
  for (const HostSpan& each :
       host_states(trace, thread, classes_of(trace.names), pageable_copies(trace, correlations))) {
    states.push_back({each.start_ns / 1000, each.end_ns / 1000, each.state});
  }
  return states;
}

TEST(HostStates, AnOperatorThatStartsSomethingLaunchesAllTheWhile) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  made.op(thread, "aten::linear", 0, 50).op(thread, "aten::addmm", 5, 40);
  made.call(thread, "cudaLaunchKernel", 20, 30, 1);
  EXPECT_THAT(states_of(made), ElementsAre(State{0, 50, HostState::launches}));
}

TEST(HostStates, AnOperatorThatStartsNothingWorks) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  made.op(thread, "aten::sort", 0, 500).op(thread, "aten::empty", 10, 20);
  EXPECT_THAT(states_of(made), ElementsAre(State{0, 500, HostState::works}));
}

TEST(HostStates, PythonAndRangesAreNothing) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  made.python(thread, "train.py(1): main", 0, 500).range(thread, "forward", 10, 400);
  EXPECT_THAT(states_of(made), IsEmpty());
}

TEST(HostStates, WaitingGoesBeforeOperatorsAndLoadingBeforeAll) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  made.op(thread, "aten::item", 0, 100).call(thread, "cudaStreamSynchronize", 20, 90);
  made.range(thread, "enumerate(DataLoader)#_Iter.__next__", 200, 300);
  made.op(thread, "aten::stack", 210, 290).call(thread, "cudaStreamSynchronize", 220, 230);
  EXPECT_THAT(states_of(made),
              ElementsAre(State{0, 20, HostState::works}, State{20, 90, HostState::waits},
                          State{90, 100, HostState::works}, State{200, 300, HostState::loads}));
}

TEST(HostStates, ALoaderThatRunsKernelsIsNone) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  made.range(thread, "get_batch", 0, 100).call(thread, "cudaLaunchKernel", 40, 50, 1);
  EXPECT_THAT(states_of(made), ElementsAre(State{40, 50, HostState::launches}));
}

TEST(HostStates, CopiesOfPageableMemoryWait) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  const size_t stream = made.stream(0, 7);
  made.call(thread, "cudaMemcpyAsync", 0, 10, 1).copy(stream, trace::HostMemory::pinned, 5, 9, 1);
  made.call(thread, "cudaMemcpyAsync", 20, 30, 2);
  made.copy(stream, trace::HostMemory::pageable, 22, 29, 2);
  EXPECT_THAT(states_of(made),
              ElementsAre(State{0, 10, HostState::launches}, State{20, 30, HostState::waits}));
}

TEST(HostStates, WaitsAreApartByCall) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  made.call(thread, "cudaMalloc", 0, 10).call(thread, "cudaDeviceSynchronize", 10, 20);
  EXPECT_THAT(states_of(made),
              ElementsAre(State{0, 10, HostState::waits}, State{10, 20, HostState::waits}));
}

// Recorders before 2022 write ranges as operators.
TEST(HostStates, ALongOperatorAroundOthersIsARange) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  made.op(thread, "## forward ##", 0, 9000);
  made.op(thread, "aten::add", 10, 30).call(thread, "cudaLaunchKernel", 15, 20, 1);
  made.op(thread, "aten::mul", 8000, 8030).call(thread, "cudaLaunchKernel", 8010, 8020, 2);
  EXPECT_THAT(states_of(made), ElementsAre(State{10, 30, HostState::launches},
                                           State{8000, 8030, HostState::launches}));
}

TEST(HostStates, ALongOperatorWithNoneInsideIsOne) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  made.op(thread, "aten::cudnn_convolution", 0, 9000);
  made.call(thread, "cudaLaunchKernel", 8000, 8010, 1);
  EXPECT_THAT(states_of(made), ElementsAre(State{0, 9000, HostState::launches}));
}

TEST(HostStates, AStepOfTheRecorderIsNoOperator) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  made.op(thread, "ProfilerStep#3", 0, 900).call(thread, "cudaGraphLaunch", 10, 30, 1);
  EXPECT_THAT(states_of(made), ElementsAre(State{10, 30, HostState::launches}));
}

TEST(HostStates, ManyShortOperatorsAreWorkTogether) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  for (int i = 0; i < 20; ++i) made.op(thread, "aten::index", i * 20, i * 20 + 15);
  EXPECT_THAT(states_of(made), ElementsAre(State{0, 395, HostState::works}));
}

TEST(HostStates, SomeShortOperatorsStayApart) {
  MadeTrace made;
  const size_t thread = made.thread(1);
  for (int i = 0; i < 10; ++i) made.op(thread, "aten::view", i * 20, i * 20 + 15);
  EXPECT_EQ(states_of(made).size(), 10U);
}

TEST(HostStates, APauseIsLongWhenItIsThreeTimesTheUsual) {
  const auto with_pauses = [](int64_t pause_us) {
    std::vector<HostSpan> states;
    for (int64_t i = 0; i < 5; ++i) {
      states.push_back({i * pause_us * 1000, i * pause_us * 1000 + 1, HostState::launches, 0});
    }
    return states;
  };
  EXPECT_EQ(long_pause_ns({}), kLongHostWork);
  EXPECT_EQ(long_pause_ns(with_pauses(5)), kLongHostWork);
  EXPECT_EQ(long_pause_ns(with_pauses(50)), 3 * (50'000 - 1));
  EXPECT_EQ(long_pause_ns(with_pauses(5000)), kLongHostRun);
}

}  // namespace
}  // namespace batchscope::attribution
