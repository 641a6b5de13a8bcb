// What the rules of accelerators ask of the device: that it is one, whoever made it, and CUDA only
// where the advice is CUDA's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "batchscope/causes/interventions.hpp"
#include "explained_run.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::causes {
namespace {

using schema::Visit;
using tables::affine;
using tables::batch_sizes;
using tables::make_run;
using tables::quiet;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;

int64_t time_of(const Visit& visit) {
  return visit.samples_ns.front();
}

// Batch 1, 2, 4 and 8 on a device, each diagnosed once; `seen` is what every visit is made to show.
schema::RunFile run_on(const std::string& device,
                       const std::function<double(const schema::RunConfig&)>& law,
                       const std::function<void(Visit&)>& seen) {
  auto configs = batch_sizes({1, 2, 4, 8});
  for (schema::RunConfig& config : configs) {
    config.device = device;
    config.engine = "torch";
  }
  schema::RunFile run = make_run({configs, law, 13, 3, quiet(), 1});
  for (Visit& visit : run.visits) {
    if (visit.block >= 12) {
      visit.purpose = schema::Purpose::diagnostic;
      schema::Diagnosis& diagnosis = visit.diagnosis.emplace();
      diagnosis.tracer = "kineto";
      diagnosis.traced_iterations = 1;
      diagnosis.traced_ns = time_of(visit);
    }
    seen(visit);
  }
  return run;
}

std::map<std::string, findings::Finding> findings_of(const schema::RunFile& run) {
  std::map<std::string, findings::Finding> findings;
  for (const findings::Finding& each : explained_findings(run)) {
    findings.emplace(each.id, each);
  }
  return findings;
}

// A fifth of the time busy, which is the same for every batch.
schema::RunFile launch_bound_on(const std::string& device) {
  return run_on(
      device, [](const schema::RunConfig&) { return 5e6; },
      [](Visit& visit) {
        if (visit.diagnosis) visit.diagnosis->device_busy_ns = time_of(visit) / 5;
      });
}

TEST(DeviceRules, HoldForEveryAccelerator) {
  for (const char* const device : {"cuda:0", "xpu:0", "mtia:1", "gpu"}) {
    const auto findings = findings_of(launch_bound_on(device));
    EXPECT_THAT(findings, Contains(Key("cause.launch-bound"))) << device;
    EXPECT_THAT(findings, Contains(Key("bottleneck.device-idle"))) << device;
  }
}

TEST(DeviceRules, HoldForNothingElse) {
  for (const char* const device : {"cpu", ""}) {
    const auto findings = findings_of(launch_bound_on(device));
    EXPECT_THAT(findings, Not(Contains(Key("cause.launch-bound")))) << device;
    EXPECT_THAT(findings, Not(Contains(Key("bottleneck.device-idle")))) << device;
  }
}

TEST(DeviceRules, AdviseGraphsOnCudaAlone) {
  const auto on_cuda = findings_of(launch_bound_on("cuda:0"));
  const auto beside = findings_of(launch_bound_on("xpu:0"));
  for (const char* const id : {"cause.launch-bound", "bottleneck.device-idle"}) {
    EXPECT_THAT(on_cuda.at(id).fix, HasSubstr("CUDA graph")) << id;
    EXPECT_THAT(beside.at(id).fix, AllOf(HasSubstr("larger batch"), Not(HasSubstr("CUDA")))) << id;
  }
}

TEST(DeviceRules, TryTheVariableOfCudasAllocatorOnCudaAlone) {
  const auto allocating_on = [](const char* device) {
    return run_on(device, affine(), [](Visit& visit) { visit.memory.device_allocations = 6; });
  };
  EXPECT_EQ(proposed_interventions(allocating_on("cuda:0")).size(), 1U);
  EXPECT_THAT(proposed_interventions(allocating_on("xpu:0")), IsEmpty());
  const auto on_cuda = findings_of(allocating_on("cuda:0")).at("cause.device-allocator");
  EXPECT_THAT(on_cuda.fix, HasSubstr("PYTORCH_CUDA_ALLOC_CONF"));
  const auto beside = findings_of(allocating_on("xpu:0")).at("cause.device-allocator");
  EXPECT_THAT(beside.fix, AllOf(HasSubstr("few batch shapes"), Not(HasSubstr("CUDA"))));
  EXPECT_THAT(beside.what, HasSubstr("No experiment"));
}

TEST(DeviceRules, CopiesCountOnEveryAccelerator) {
  const auto copying_on = [](const char* device) {
    return run_on(device, affine(), [](Visit& visit) {
      const int64_t all = 3 * time_of(visit);
      visit.phases = {{"h2d", 10, all / 2, 3}, {"forward", 10, 1000, 3}};
    });
  };
  EXPECT_THAT(findings_of(copying_on("xpu:0")), Contains(Key("bottleneck.transfers")));
  EXPECT_THAT(findings_of(copying_on("cpu")), Not(Contains(Key("bottleneck.transfers"))));
}

// Calls of the runtime, all with their share of half of the traced time.
schema::RunFile waiting_on(const std::string& device, const std::map<std::string, int64_t>& calls) {
  return run_on(device, affine(), [&](Visit& visit) {
    if (!visit.diagnosis) return;
    for (const auto& [name, count] : calls) {
      schema::Operation operation;
      operation.name = name;
      operation.kind = schema::OperationKind::runtime;
      operation.calls = count;
      operation.self_ns = time_of(visit) / 2;
      visit.diagnosis->operations.push_back(operation);
    }
  });
}

TEST(DeviceRules, KnowTheWaitsOfOtherRuntimes) {
  const auto synchronises = Contains(Key("bottleneck.synchronisation"));
  for (const char* const name : {"hipStreamSynchronize", "aclrtSynchronizeStream", "urQueueFinish",
                                 "cudaDeviceSynchronize", "hipMemcpy"}) {
    EXPECT_THAT(findings_of(waiting_on("xpu:0", {{name, 4}})), synchronises) << name;
    EXPECT_THAT(findings_of(waiting_on("xpu:0", {{name, 1}})), Not(synchronises)) << name;
  }
  EXPECT_THAT(findings_of(waiting_on("xpu:0", {{"urEnqueueKernelLaunch", 4}})), Not(synchronises));
}

TEST(DeviceRules, LeaveOutTheWaitsOfTheLoopItself) {
  const auto synchronises = Contains(Key("bottleneck.synchronisation"));
  schema::RunFile scaled = waiting_on("cuda:0", {{"cudaStreamSynchronize", 2}});
  EXPECT_THAT(findings_of(scaled), synchronises);
  for (schema::RunConfig& config : scaled.configs) {
    config.mode = schema::Mode::train;
    config.precision = schema::Precision::fp16;
  }
  EXPECT_THAT(findings_of(scaled), Not(synchronises)) << "the scaler asks once a step";
  schema::RunFile series = waiting_on("cuda:0", {{"cudaStreamSynchronize", 20}});
  for (Visit& visit : series.visits) {
    if (visit.diagnosis) visit.diagnosis->traced_iterations = 10;
  }
  const auto share = [&] {
    return findings_of(series).at("bottleneck.synchronisation").evidence.at(0).estimate.value;
  };
  EXPECT_NEAR(share(), 0.5 * 10 / 20, 0.01);
  series.header.plan.sync = schema::Sync::end;
  EXPECT_NEAR(share(), 0.5 * 18 / 20, 0.01);
}

TEST(DeviceRules, LoadingThatADeviceHidesIsNoBottleneck) {
  const auto loading_on = [](std::optional<int64_t> on_device) {
    return run_on("cuda:0", affine(), [&](Visit& visit) {
      visit.phases = {{"load", 3 * time_of(visit) * 3 / 4, on_device, 3}};
    });
  };
  EXPECT_THAT(findings_of(loading_on(std::nullopt)), Contains(Key("bottleneck.loading")));
  EXPECT_THAT(findings_of(loading_on(0)), Not(Contains(Key("bottleneck.loading"))));
}

TEST(DeviceRules, CountAWaitOnceWhereTheDriversCallInsideIsTracedToo) {
  const auto once = waiting_on("xpu:0", {{"urQueueFinish", 1}, {"zeCommandQueueSynchronize", 1}});
  EXPECT_THAT(findings_of(once), Not(Contains(Key("bottleneck.synchronisation"))));
}

}  // namespace
}  // namespace batchscope::causes
