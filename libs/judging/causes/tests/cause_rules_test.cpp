#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "batchscope/causes/interventions.hpp"
#include "explained_run.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::causes {
namespace {

using schema::Operation;
using schema::Purpose;
using schema::Visit;
using tables::affine;
using tables::batch_sizes;
using tables::make_run;
using tables::quiet;
using tables::tables_of;
using tables::view_run;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// What a diagnostic visit of one batch size is made to have seen.
using Seen = std::function<void(Visit&, int64_t batch_size)>;

// Batch 1, 2, 4 and 8, of which 8 costs `excess` more than its share, each diagnosed once.
schema::RunFile diagnosed_run(const Seen& seen, double excess = 1.3, const char* device = "cpu",
                              const std::string& engine = "torch") {
  auto configs = batch_sizes({1, 2, 4, 8});
  for (schema::RunConfig& config : configs) {
    config.device = device;
    config.threads = 2;
    config.engine = engine;
  }
  schema::RunFile run = make_run({configs, affine({{8, excess}}), 13, 3, quiet(), 1});
  for (Visit& visit : run.visits) {
    if (visit.block < 12) continue;
    visit.purpose = Purpose::diagnostic;
    visit.diagnosis.emplace();
    seen(visit, run.configs[static_cast<std::size_t>(visit.config)].shape.batch_size);
  }
  return run;
}

std::vector<std::string> causes_of(const schema::RunFile& run) {
  std::vector<std::string> ids;
  for (const findings::Finding& finding : explained_findings(run)) {
    if (finding.id.starts_with("cause.")) ids.push_back(finding.id);
  }
  return ids;
}

findings::Finding cause_of(const schema::RunFile& run, const std::string& id) {
  for (const findings::Finding& finding : explained_findings(run)) {
    if (finding.id == id) return finding;
  }
  ADD_FAILURE() << "no " << id;
  return {};
}

int64_t time_of(const Visit& visit) {
  return visit.samples_ns.front();
}

TEST(CauseRules, NothingSeenIsNothingStated) {
  EXPECT_THAT(causes_of(diagnosed_run([](Visit&, int64_t) {})), IsEmpty());
}

TEST(CauseRules, DiagnosticVisitsAreNotTimed) {
  const schema::RunFile run = diagnosed_run([](Visit& visit, int64_t) {
    for (int64_t& sample : visit.samples_ns) sample *= 50;
  });
  const auto groups = tables_of(view_run(run), {}).groups;
  for (const findings::ConfigRow& row : groups.at(0).rows) {
    EXPECT_EQ(row.n, 12);
    EXPECT_LT(row.time_ms.value, 50);
  }
}

TEST(CauseRules, PrimitivesMadeAnew) {
  const auto run = [](int64_t created) {
    return diagnosed_run([=](Visit& visit, int64_t) {
      visit.diagnosis->logged_iterations = 5;
      visit.diagnosis->primitives = {{"matmul", "brg_matmul:avx512_core_amx", 180,
                                      5 * time_of(visit) / 2, created,
                                      created * time_of(visit) / 100}};
    });
  };
  EXPECT_THAT(causes_of(run(0)), IsEmpty());
  EXPECT_THAT(causes_of(run(2)), IsEmpty()) << "two in five iterations are no steady state";
  const auto found = cause_of(run(180), "cause.primitive-cache");
  EXPECT_THAT(found.what, HasSubstr("36.0 kernels per iteration"));
  EXPECT_THAT(found.fix, HasSubstr("ONEDNN_PRIMITIVE_CACHE_CAPACITY=4096"));
  const auto proposed = proposed_interventions(run(180));
  ASSERT_EQ(proposed.size(), 1u);
  EXPECT_EQ(proposed[0].ablations.size(), 1u) << "it is the same at all sizes";
}

TEST(CauseRules, UnevenThreads) {
  const auto run = [](double second) {
    return diagnosed_run([=](Visit& visit, int64_t batch_size) {
      const auto all = 3 * time_of(visit);
      const double share = batch_size == 1 ? second : 0.95;
      visit.diagnosis->thread_busy_ns = {all,
                                         static_cast<int64_t>(share * static_cast<double>(all))};
    });
  };
  EXPECT_THAT(causes_of(run(0.9)), IsEmpty());
  const auto found = cause_of(run(0.2), "cause.thread-imbalance");
  EXPECT_EQ(config_of(found.where)->shape.batch_size, 1);
  EXPECT_NEAR(found.evidence.at(0).estimate.value, 2 / 1.2, 1e-6);
  const auto proposed = proposed_interventions(run(0.2));
  ASSERT_EQ(proposed.size(), 1u);
  EXPECT_EQ(proposed[0].ablations[0].without.instances, 2);
  EXPECT_EQ(proposed[0].ablations[0].without.threads, 1);
}

TEST(CauseRules, AnotherPathCountsOnlyWhereTheBatchIsOdd) {
  const Seen seen = [](Visit& visit, int64_t batch_size) {
    visit.diagnosis->logged_iterations = 2;
    visit.diagnosis->primitives = {
        {"matmul", batch_size == 8 ? "gemm:jit" : "brg", 1, time_of(visit), 0, 0}};
  };
  const auto found = cause_of(diagnosed_run(seen), "cause.gemm-path");
  EXPECT_THAT(found.what, HasSubstr("mostly gemm:jit (at batch 4: mostly brg)"));
  EXPECT_THAT(causes_of(diagnosed_run(seen, 1.0)), IsEmpty());
}

// Counters of a sample: cycles, reference cycles, instructions, cache misses.
Seen counting(const std::function<std::map<std::string, double>(int64_t)>& a_sample) {
  return [=](Visit& visit, int64_t batch_size) {
    const auto n = static_cast<double>(visit.samples_ns.size()) * static_cast<double>(batch_size);
    for (const auto& [name, count] : a_sample(batch_size)) {
      visit.diagnosis->counters[name] = std::llround(count * n);
    }
  };
}

TEST(CauseRules, ACacheThatOverflows) {
  const auto misses = [](double at_8) {
    return counting([=](int64_t b) {
      const bool last = b == 8;
      return std::map<std::string, double>{{"cycles", last ? 1.3e6 : 1e6},
                                           {"ref_cycles", last ? 1.3e6 : 1e6},
                                           {"instructions", 2e6},
                                           {"llc_misses", last ? at_8 : 1e4}};
    });
  };
  EXPECT_THAT(causes_of(diagnosed_run(misses(4e4))),
              UnorderedElementsAre("cause.last-level-cache"));
  EXPECT_THAT(causes_of(diagnosed_run(misses(1e4))), IsEmpty());
  EXPECT_THAT(causes_of(diagnosed_run(misses(4e4), 1.0)), IsEmpty()) << "nothing is odd";
}

TEST(CauseRules, ASlowerClock) {
  const auto clock = [](double at_8) {
    return counting([=](int64_t b) {
      return std::map<std::string, double>{{"cycles", 1e6},
                                           {"ref_cycles", b == 8 ? 1e6 / at_8 : 1e6}};
    });
  };
  EXPECT_THAT(causes_of(diagnosed_run(clock(0.8))), UnorderedElementsAre("cause.vector-clock"));
  EXPECT_THAT(causes_of(diagnosed_run(clock(0.99))), IsEmpty());
}

TEST(CauseRules, RemoteMemory) {
  const auto remote = [](double share) {
    return counting([=](int64_t) {
      return std::map<std::string, double>{{"llc_misses", 1e5}, {"remote_loads", share * 1e5}};
    });
  };
  EXPECT_THAT(causes_of(diagnosed_run(remote(0.6))), UnorderedElementsAre("cause.remote-memory"));
  EXPECT_THAT(causes_of(diagnosed_run(remote(0.01))), IsEmpty());
}

TEST(CauseRules, SmallPagesWithAndWithoutACounter) {
  const auto pages = [](int64_t huge, double misses) {
    return diagnosed_run([=](Visit& visit, int64_t) {
      visit.diagnosis->anonymous_bytes = int64_t{1} << 30;
      visit.diagnosis->huge_page_bytes = huge;
      if (misses < 0) return;
      const double time = static_cast<double>(3 * time_of(visit));
      visit.diagnosis->counters["dtlb_misses"] = std::llround(misses * time / 8);
    });
  };
  EXPECT_THAT(causes_of(pages(0, -1)), UnorderedElementsAre("cause.small-pages"));
  EXPECT_THAT(causes_of(pages(0, 0.1)), UnorderedElementsAre("cause.small-pages"));
  EXPECT_THAT(causes_of(pages(0, 0.001)), IsEmpty()) << "counted, and hardly any";
  EXPECT_THAT(causes_of(pages(int64_t{1} << 29, -1)), IsEmpty());
}

TEST(CauseRules, AGuessGivesWayToASignal) {
  const schema::RunFile run = diagnosed_run([](Visit& visit, int64_t) {
    visit.diagnosis->anonymous_bytes = int64_t{1} << 30;
    visit.diagnosis->huge_page_bytes = 0;
    visit.diagnosis->thread_busy_ns = {3 * time_of(visit), 0};
  });
  EXPECT_THAT(causes_of(run), UnorderedElementsAre("cause.thread-imbalance"));
}

// A trace of one iteration: kernels by name with their share of the time.
struct Kernel {
  std::string name;
  double share;
  int64_t blocks = 0;
};

void trace(Visit& visit, double busy, const std::vector<Kernel>& kernels) {
  schema::Diagnosis& seen = *visit.diagnosis;
  seen.tracer = "kineto";
  seen.traced_iterations = 1;
  seen.traced_ns = time_of(visit);
  const auto part = [&](double share) {
    return std::llround(share * static_cast<double>(seen.traced_ns));
  };
  seen.device_busy_ns = part(busy);
  seen.multiprocessors = 100;
  for (const Kernel& each : kernels) {
    Operation operation;
    operation.name = each.name;
    operation.kind = schema::OperationKind::kernel;
    operation.calls = 1;
    operation.total_ns = operation.self_ns = part(each.share);
    if (each.blocks > 0) {
      operation.grid_blocks = each.blocks;
      operation.blocks_per_sm = 1;
    }
    seen.operations.push_back(operation);
  }
}

TEST(CauseRules, PaddingIsMeasuredAgainstTheMeanLength) {
  const auto run = [](int64_t longest) {
    schema::RunFile made = diagnosed_run([](Visit&, int64_t) {}, 1.0);
    for (schema::RunConfig& config : made.configs) {
      config.shape.length_mix = "mix";
      config.shape.lengths.assign(8, 10);
      config.shape.lengths.back() = longest;
    }
    return made;
  };
  EXPECT_THAT(causes_of(run(11)), IsEmpty());
  const auto found = cause_of(run(50), "cause.padding");
  EXPECT_EQ(config_of(found.where)->shape.batch_size, 8) << "a batch of one is never padded";
  EXPECT_THAT(found.what, HasSubstr("70 % of the tokens are padding (at batch"));
  const auto proposed = proposed_interventions(run(50));
  ASSERT_EQ(proposed.size(), 1u);
  EXPECT_EQ(proposed[0].ablations[0].without.shape.seq_len, 15);
  EXPECT_TRUE(proposed[0].ablations[0].without.shape.lengths.empty());
}

TEST(CauseRules, ALaunchBoundDevice) {
  const auto run = [](double busy, bool flat) {
    schema::RunFile made =
        diagnosed_run([=](Visit& visit, int64_t) { trace(visit, busy, {}); }, 1.0, "cuda:0");
    for (Visit& visit : made.visits) {
      for (int64_t& sample : visit.samples_ns) sample = flat ? 5'000'000 : sample;
    }
    return made;
  };
  EXPECT_THAT(causes_of(run(0.2, true)), UnorderedElementsAre("cause.launch-bound"));
  EXPECT_THAT(causes_of(run(0.9, true)), IsEmpty());
  EXPECT_THAT(causes_of(run(0.2, false)), IsEmpty()) << "5 + 2b ms grows by 29 % from 1 to 2";
}

TEST(CauseRules, APartlyFilledWave) {
  // 100 blocks at once: 98 at batch 4 are one wave, 110 at batch 8 are two, the second a tenth
  // full.
  const auto run = [](int64_t blocks_at_8, double excess) {
    return diagnosed_run(
        [=](Visit& visit, int64_t batch_size) {
          trace(visit, 0.95, {{"gemm", 0.8, batch_size == 8 ? blocks_at_8 : 98}});
        },
        excess, "cuda:0");
  };
  const auto found = cause_of(run(110, 1.3), "cause.wave-quantization");
  EXPECT_NEAR(found.evidence.at(0).estimate.value, 0.8 * (1 - 1.1 / 2), 1e-3);
  EXPECT_THAT(causes_of(run(110, 1.0)), IsEmpty());
  EXPECT_THAT(causes_of(run(200, 1.3)), IsEmpty()) << "two full waves lose nothing";
}

TEST(CauseRules, OtherKernels) {
  const auto run = [](const char* at_8) {
    return diagnosed_run(
        [=](Visit& visit, int64_t batch_size) {
          trace(visit, 0.95, {{batch_size == 8 ? at_8 : "gemm_a", 0.7}, {"add", 0.02}});
        },
        1.3, "cuda:0");
  };
  EXPECT_THAT(cause_of(run("gemm_b"), "cause.kernel-selection").what,
              HasSubstr("70 % of the traced time in gemm_b"));
  EXPECT_THAT(causes_of(run("gemm_a")), IsEmpty());
}

TEST(CauseRules, AllocationsInSteadyState) {
  const auto run = [](int64_t allocations) {
    schema::RunFile made = diagnosed_run([](Visit&, int64_t) {}, 1.0, "cuda:0");
    for (Visit& visit : made.visits) visit.memory.device_allocations = allocations;
    return made;
  };
  EXPECT_THAT(causes_of(run(0)), IsEmpty());
  const auto found = cause_of(run(6), "cause.device-allocator");
  EXPECT_THAT(found.what, HasSubstr("2.00 allocations from the device per iteration"));
  EXPECT_THAT(found.fix, HasSubstr("expandable_segments:True"));
}

TEST(CauseRules, PageableTransfers) {
  const auto run = [](bool pageable) {
    return diagnosed_run(
        [=](Visit& visit, int64_t) {
          trace(visit, 0.95, {});
          visit.diagnosis->operations.push_back({"Memcpy HtoD",
                                                 schema::OperationKind::memcpy,
                                                 1,
                                                 time_of(visit) / 5,
                                                 time_of(visit) / 5,
                                                 {},
                                                 {},
                                                 {},
                                                 {},
                                                 1000,
                                                 pageable});
        },
        1.0, "cuda:0");
  };
  EXPECT_THAT(causes_of(run(true)), UnorderedElementsAre("cause.pageable-transfers"));
  EXPECT_THAT(causes_of(run(false)), IsEmpty());
}

std::vector<std::string> bottlenecks_of(const schema::RunFile& run) {
  std::vector<std::string> found;
  for (const findings::Finding& finding : explained_findings(run)) {
    if (!finding.id.starts_with("bottleneck.")) continue;
    found.push_back(finding.id + " " + std::string(to_string(finding.severity)));
  }
  return found;
}

TEST(Bottlenecks, AreSharesOfAnIteration) {
  const auto run = [](double copies, double busy, int64_t waits) {
    schema::RunFile made = diagnosed_run(
        [=](Visit& visit, int64_t) {
          trace(visit, busy, {});
          visit.diagnosis->operations.push_back({"cudaStreamSynchronize",
                                                 schema::OperationKind::runtime,
                                                 waits,
                                                 0,
                                                 time_of(visit) / 4,
                                                 {},
                                                 {},
                                                 {},
                                                 {},
                                                 {},
                                                 false});
        },
        1.0, "cuda:0");
    for (Visit& visit : made.visits) {
      const auto all = static_cast<double>(3 * time_of(visit));
      visit.phases = {{"h2d", 10, std::llround(copies * all), 3}, {"forward", 10, 1000, 3}};
    }
    return made;
  };
  EXPECT_THAT(bottlenecks_of(run(0.1, 0.9, 1)), IsEmpty());
  EXPECT_THAT(bottlenecks_of(run(0.3, 0.9, 1)),
              UnorderedElementsAre("bottleneck.transfers medium"));
  EXPECT_THAT(bottlenecks_of(run(0.6, 0.4, 4)),
              UnorderedElementsAre("bottleneck.transfers high", "bottleneck.device-idle high",
                                   "bottleneck.synchronisation medium"));
}

TEST(CauseRules, OnlyWhatIsWanted) {
  schema::RunFile run = diagnosed_run([](Visit& visit, int64_t) {
    visit.diagnosis->anonymous_bytes = int64_t{1} << 30;
    visit.diagnosis->huge_page_bytes = 0;
  });
  run.header.plan.only = {"kernels"};
  EXPECT_THAT(causes_of(run), IsEmpty());
  run.header.plan.only = {"kernels", "memory"};
  EXPECT_THAT(causes_of(run), UnorderedElementsAre("cause.small-pages"));
}

TEST(WorthDiagnosing, AllOfASmallTable) {
  EXPECT_EQ(worth_diagnosing(diagnosed_run([](Visit&, int64_t) {})).size(), 4u);
}

TEST(WorthDiagnosing, TheOddTheirNeighboursAndTheEndsOfALargeOne) {
  const auto configs = batch_sizes({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const auto run = make_run({configs, affine({{6, 1.5}}), 6, 3, quiet(), 1});
  std::vector<int64_t> sizes;
  for (const auto& config : worth_diagnosing(run)) sizes.push_back(config.shape.batch_size);
  EXPECT_THAT(sizes, UnorderedElementsAre(1, 5, 6, 7, 12));
}

}  // namespace
}  // namespace batchscope::causes
