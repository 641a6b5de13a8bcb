#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <limits>
#include <set>
#include <sstream>
#include <string>

#include "batchscope/exporter/metrics_snapshot.hpp"
#include "batchscope/telemetry/metrics.hpp"
#include "scene.hpp"
#include "text/family.hpp"

namespace batchscope::exporter {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kGpu0[] = R"({gpu="0",uuid="GPU-00000000-0000-0000-0000-000000000000"} )";

std::string text_of(const MetricsSnapshot& exposition, Names names = Names::batchscope) {
  return prometheus_text(exposition, names, {"1.2.3", "node1"});
}

Family one(double value) {
  Family family{"x", telemetry::MetricKind::gauge, "help", {}};
  family.add({}, value);
  return family;
}

double read_back(double value) {
  const std::string text = to_text({one(value)});
  return std::strtod(text.c_str() + text.rfind(' '), nullptr);
}

std::set<std::string> families_of(const std::string& text) {
  std::set<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# TYPE ")) names.insert(line.substr(7, line.find(' ', 7) - 7));
  }
  return names;
}

TEST(PrometheusText, EveryNumberOfTheTablesIsThere) {
  const auto names = families_of(text_of(scene::at(1, 10)));
  for (const auto& metric : telemetry::gpu_metrics()) {
    EXPECT_TRUE(names.count("batchscope_gpu_" + std::string(metric.name))) << metric.name;
  }
  for (const auto& metric : telemetry::host_metrics()) {
    EXPECT_TRUE(names.count("batchscope_host_" + std::string(metric.name))) << metric.name;
  }
  for (const auto& metric : telemetry::process_metrics()) {
    EXPECT_TRUE(names.count("batchscope_process_" + std::string(metric.name))) << metric.name;
  }
  for (const auto& metric : telemetry::training_metrics()) {
    EXPECT_TRUE(names.count("batchscope_training_" + std::string(metric.name))) << metric.name;
  }
  EXPECT_FALSE(names.count("batchscope_host_cpu_busy_ratio_by_core"));
}

TEST(PrometheusText, ValuesHaveTheirLabelsAndKinds) {
  auto exposition = scene::at(1, 10);
  exposition.sample.gpus[0].xid_errors_total = {{"79", 2}};
  const std::string text = text_of(exposition);
  EXPECT_THAT(text, HasSubstr("batchscope_gpu_busy_ratio" + std::string(kGpu0) + "0.9\n"));
  EXPECT_THAT(text, HasSubstr("# TYPE batchscope_gpu_busy_ratio gauge\n"));
  EXPECT_THAT(text, HasSubstr("# TYPE batchscope_gpu_energy_joules_total counter\n"));
  EXPECT_THAT(text, HasSubstr(R"(reason="power_cap"} 1)"
                              "\n"));
  EXPECT_THAT(text, HasSubstr(R"(xid="79"} 2)"
                              "\n"));
  EXPECT_THAT(text, HasSubstr(R"(,name="NVIDIA H100 80GB HBM3"} 1)"
                              "\n"));
  EXPECT_THAT(text, HasSubstr("batchscope_host_cpus 64\n"));
  EXPECT_THAT(text, HasSubstr("batchscope_training_steps_total{source=\"train\"} 20\n"));
  EXPECT_THAT(text, HasSubstr("batchscope_build_info{version=\"1.2.3\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("batchscope_last_sample_timestamp_seconds 1785000010\n"));
}

TEST(PrometheusText, WhatIsAbsentHasNoSeries) {
  auto exposition = scene::at(1, 10);
  exposition.sample.gpus[0].sm_active_ratio.reset();
  exposition.sample.host = {};
  exposition.sample.processes.clear();
  exposition.steps.clear();
  const std::string text = text_of(exposition);
  EXPECT_THAT(text, Not(HasSubstr("sm_active_ratio")));
  EXPECT_THAT(text, Not(HasSubstr("batchscope_host_")));
  EXPECT_THAT(text, Not(HasSubstr("batchscope_process_")));
  EXPECT_THAT(text, Not(HasSubstr("batchscope_training_loss")));
}

TEST(PrometheusText, AGpuThatIsDownIsKnownAndNoMore) {
  auto exposition = scene::at(1, 10);
  scene::lose(exposition.sample.gpus[0]);
  exposition.sample.gpus[0].busy_ratio = 0.5;  // not to be believed
  exposition.gpu_last_success_ns["0"] = scene::kBegin;
  const std::string text = text_of(exposition);
  EXPECT_THAT(text, HasSubstr("batchscope_gpu_up" + std::string(kGpu0) + "0\n"));
  EXPECT_THAT(text, HasSubstr("batchscope_gpu_last_success_timestamp_seconds" + std::string(kGpu0) +
                              "1785000000\n"));
  EXPECT_THAT(text, HasSubstr("batchscope_gpu_info"));
  const std::set<std::string> of_gpu{"batchscope_gpu_info", "batchscope_gpu_up",
                                     "batchscope_gpu_last_success_timestamp_seconds"};
  for (const auto& name : families_of(text)) {
    EXPECT_TRUE(!name.starts_with("batchscope_gpu_") || of_gpu.count(name)) << name;
  }
}

TEST(PrometheusText, ProcessesAreAddedUpByName) {
  const std::string text = text_of(scene::at(1, 10));
  EXPECT_THAT(text, HasSubstr("batchscope_process_instances{name=\"python3\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("batchscope_process_cpu_cores{name=\"python3\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("batchscope_process_busiest_thread_ratio{name=\"python3\"} 0.75\n"));
  EXPECT_THAT(text, Not(HasSubstr("pid")));
}

TEST(PrometheusText, ThousandsOfProgramsAreFewSeries) {
  auto exposition = scene::at(1, 10);
  for (int n = 0; n < 2000; ++n) {
    exposition.sample.processes.push_back(scene::process(n, "program" + std::to_string(n), 0.01));
  }
  exposition.sample.processes.back().resident_bytes = scene::kGibibyte * 100;
  const std::string text = text_of(exposition);
  EXPECT_THAT(text, HasSubstr("batchscope_process_instances{name=\"program1999\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("batchscope_process_instances{name=\"(others)\"} "));
  EXPECT_LT(text.size(), 100'000U);
}

TEST(PrometheusText, FindingsAreOnce) {
  auto exposition = scene::at(1, 10);
  findings::Finding finding;
  finding.id = "monitor.gpu-lost";
  finding.severity = findings::Severity::high;
  findings::GpuMoment moment;
  moment.gpu = 3;
  finding.where = moment;
  exposition.findings = {finding, finding};
  moment.slice = 1;
  finding.where = moment;
  exposition.findings.push_back(finding);
  finding.where = std::monostate();
  exposition.findings.push_back(finding);
  finding.table = "pretrain";
  exposition.findings.push_back(finding);
  const std::string text = text_of(exposition);
  const std::string line =
      "batchscope_finding{id=\"monitor.gpu-lost\",severity=\"high\",gpu=\"3\",source=\"\"} 1\n";
  EXPECT_THAT(text, HasSubstr(line));
  EXPECT_EQ(text.find(line, text.find(line) + 1), std::string::npos);
  EXPECT_THAT(text, HasSubstr(",gpu=\"3:1\",source=\"\"} 1\n"));
  EXPECT_THAT(text, HasSubstr(",gpu=\"\",source=\"\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("gpu=\"\",source=\"pretrain\"} 1\n"));
}

TEST(PrometheusText, LabelsOfOthersAreHarmless) {
  Family family{"x", telemetry::MetricKind::gauge, "a\\b\n\"c\"", {}};
  family.add({{"name", "a\"b\\c\nd\xff\xc3\xa9"}}, 1);
  EXPECT_EQ(to_text({family}),
            "# HELP x a\\\\b\\n\"c\"\n# TYPE x gauge\n"
            "x{name=\"a\\\"b\\\\c\\nd\uFFFD\u00e9\"} 1\n");
}

TEST(PrometheusText, ValuesAreReadBackAsTheyWere) {
  for (const double value :
       {0.1 + 0.2, 1.0 / 3, 1785000000.1234567, 9007199254740991.0, 83571507200.0, 5e-324, 1e300,
        -0.0, 1e22, 123456789012345678.0, std::numeric_limits<double>::max()}) {
    EXPECT_EQ(read_back(value), value);
  }
  EXPECT_THAT(to_text({one(std::numeric_limits<double>::quiet_NaN())}), HasSubstr("x NaN\n"));
  EXPECT_THAT(to_text({one(std::numeric_limits<double>::infinity())}), HasSubstr("x +Inf\n"));
}

TEST(PrometheusText, TheOrderIsTheSameEachTime) {
  auto exposition = scene::at(2, 10);
  telemetry::TrainingStep other = exposition.steps[0];
  other.source = "eval";
  exposition.steps.push_back(other);
  const std::string text = text_of(exposition);
  std::swap(exposition.steps[0], exposition.steps[1]);
  EXPECT_EQ(text, text_of(exposition));
}

TEST(DcgmText, NamesUnitsAndLabelsAreDcgmExporters) {
  auto exposition = scene::at(1, 10);
  exposition.gpu_last_xid["0"] = "79";
  const std::string text = text_of(exposition, Names::dcgm);
  const std::string labels =
      R"({gpu="0",UUID="GPU-00000000-0000-0000-0000-000000000000",pci_bus_id="00000000:10:00.0",)"
      R"(device="nvidia0",modelName="NVIDIA H100 80GB HBM3",Hostname="node1"} )";
  EXPECT_THAT(text, HasSubstr("DCGM_FI_DEV_GPU_UTIL" + labels + "90\n"));
  EXPECT_THAT(text, HasSubstr("DCGM_FI_DEV_FB_USED" + labels + "10240\n"));
  EXPECT_THAT(text, HasSubstr("DCGM_FI_DEV_FB_FREE" + labels + "71168\n"))
      << "without what the driver keeps";
  EXPECT_THAT(text, HasSubstr("DCGM_FI_DEV_FB_RESERVED" + labels + "512\n"));
  EXPECT_THAT(text, HasSubstr("DCGM_FI_PROF_GR_ENGINE_ACTIVE" + labels + "0.85\n"));
  EXPECT_THAT(text, HasSubstr("DCGM_FI_DEV_SM_CLOCK" + labels + "1980\n"));
  EXPECT_THAT(text, HasSubstr("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION" + labels + "1005000000\n"));
  EXPECT_THAT(text, HasSubstr("DCGM_FI_DEV_XID_ERRORS" + labels + "79\n"));
  EXPECT_THAT(text, HasSubstr("DCGM_FI_PROF_SM_ACTIVE" + labels + "0.7\n"));
  EXPECT_THAT(text, HasSubstr("batchscope_training_loss"));
  EXPECT_THAT(text, Not(HasSubstr("batchscope_gpu_")));
}

TEST(DcgmText, TheLastErrorIs0WhereThereWasNone) {
  const std::string text = text_of(scene::at(1, 10), Names::dcgm);
  EXPECT_THAT(text, testing::ContainsRegex("DCGM_FI_DEV_XID_ERRORS\\{[^}]*\\} 0\n"));
}

TEST(DcgmText, ASliceGoesByItsGpu) {
  auto exposition = scene::at(1, 10);
  auto slice = exposition.sample.gpus[0];
  slice.gpu = "0:1";
  slice.uuid = "MIG-1";
  slice.name += " MIG 1g.10gb";
  slice.gpu_instance = 7;
  exposition.sample.gpus.push_back(slice);
  EXPECT_THAT(
      text_of(exposition, Names::dcgm),
      HasSubstr(R"(DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-00000000-0000-0000-0000-000000000000",)"
                R"(pci_bus_id="00000000:10:00.0",device="nvidia0",)"
                R"(modelName="NVIDIA H100 80GB HBM3",GPU_I_PROFILE="1g.10gb",GPU_I_ID="7",)"));
}

TEST(DcgmText, AGpuThatIsDownIsAbsent) {
  auto exposition = scene::at(1, 10);
  scene::lose(exposition.sample.gpus[0]);
  EXPECT_THAT(text_of(exposition, Names::dcgm), Not(HasSubstr("DCGM_")));
}

}  // namespace
}  // namespace batchscope::exporter
