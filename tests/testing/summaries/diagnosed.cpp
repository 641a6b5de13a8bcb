#include "testing/summaries/diagnosed.hpp"

#include "testing/summaries/fixtures.hpp"

namespace batchscope::fixtures {
namespace {

using findings::Finding;
using findings::OperationCost;
using findings::OperationRow;
using findings::Status;

using Costs = std::vector<std::optional<OperationCost>>;

OperationCost cost(double calls, double ms) {
  return {calls, ms};
}

OperationRow row(const std::string& name, const std::string& kind, const Costs& at, double change) {
  return {name, kind, at, change};
}

findings::SizeDiagnosis at_size(int64_t size, double time_ms, double faults, double system_ms) {
  findings::SizeDiagnosis result;
  result.batch_size = size;
  result.time_ms = time_ms;
  result.traced_ms = 1.2 * time_ms;
  result.minor_faults = faults;
  result.user_ms = 1.9 * time_ms;
  result.system_ms = system_ms;
  result.voluntary_switches = 12;
  result.involuntary_switches = 1.5;
  result.busy_threads = 2;
  result.imbalance = 1.04;
  result.anonymous_bytes = 512.0 * 1048576;
  result.huge_page_share = 0;
  return result;
}

findings::Diagnostics diagnostics() {
  findings::Diagnostics result;
  result.tracer = "kineto";
  result.sizes = {at_size(1, 36.2, 3, 0.4), at_size(4, 130.1, 12, 1.1),
                  at_size(8, 292.0, 31250, 61.5)};
  result.operations = {
      row("aten::copy_", "operator", {cost(12, 0.4), cost(12, 1.7), cost(12, 28.8)}, 0.11),
      row("aten::addmm", "operator", {cost(36, 30.1), cost(36, 116), cost(36, 236)}, 0.02),
      row("aten::_scaled_dot_product_flash_attention_for_cpu", "operator",
          {cost(6, 3.1), cost(6, 11.9), cost(6, 24.2)}, 0.003)};
  result.primitives = {
      row("brgemm:avx512_core", "matmul", {std::nullopt, std::nullopt, cost(36, 230)}, 0.8),
      row("gemm:jit", "matmul", {cost(36, 30), cost(36, 115), std::nullopt}, 0.8)};
  result.absent = {{"counters", "perf_event_paranoid is 3: sysctl kernel.perf_event_paranoid=1"}};
  return result;
}

Finding cause(const schema::RunConfig& where, Status status, double saved) {
  Finding finding;
  finding.id = "cause.heap-returned";
  finding.status = status;
  finding.where = where;
  finding.batch_sizes = {where.shape.batch_size};
  finding.what = "At batch " + std::to_string(where.shape.batch_size) +
                 " the C library gives freed memory back to the kernel.";
  finding.evidence = {
      {"minor_faults", {31250, {}}, "an iteration", "page faults"},
      {"system_time_share", {0.104, {}}, "ratio", "time in the kernel"},
      {"time_saved", {saved, stats::Interval{saved - 0.02, saved + 0.02}}, "ratio"}};
  finding.cause = "the C library gives freed memory back to the kernel";
  finding.p_value = 0.0004;
  if (status != Status::refuted) finding.fix = "export GLIBC_TUNABLES=glibc.malloc.mmap_max=0";
  if (status == Status::confirmed) finding.severity = findings::Severity::medium;
  finding.doc = "batchscope help cause.heap-returned";
  return finding;
}

}  // namespace

findings::Summary diagnosed() {
  findings::Summary summary = one_group();
  findings::Group& group = summary.groups.front();
  group.diagnostics = diagnostics();
  summary.findings.front().cause = "the C library (confirmed, see cause.heap-returned)";
  summary.findings.push_back(cause(group.rows[1].config, Status::refuted, 0.001));
  summary.findings.push_back(cause(group.rows[2].config, Status::suspected, 0.02));
  summary.findings.push_back(cause(group.rows[3].config, Status::confirmed, 0.12));
  return summary;
}

findings::Summary diagnosed_with(const std::vector<std::string>& names) {
  findings::Summary summary = diagnosed();
  findings::Diagnostics& all = *summary.groups.front().diagnostics;
  all.operations.clear();
  all.primitives.clear();
  all.absent.clear();
  double ms = 1;
  for (const std::string& name : names) {
    all.operations.push_back(row(name, name, {cost(1, ms), cost(1, 4 * ms), cost(1, 9 * ms)}, 0.2));
    all.primitives.push_back(row(name, name, {std::nullopt, cost(1, ms), std::nullopt}, 0.2));
    all.absent[name] = name;
    ms += 0.1;
  }
  return summary;
}

}  // namespace batchscope::fixtures
