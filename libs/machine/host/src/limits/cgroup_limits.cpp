#include <algorithm>
#include <string>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/host/cgroup.hpp"
#include "batchscope/host/text_fields.hpp"

namespace batchscope::host {
namespace {

// v1 has no word for "unlimited": it shows the largest page-aligned number instead.
constexpr int64_t kUnlimitedV1 = int64_t{1} << 60;

std::optional<double> cpus_of(std::optional<int64_t> quota, std::optional<int64_t> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

// "200000 100000" or "max 100000"
std::optional<double> quota_v2(const base::SystemRoot& root, const std::filesystem::path& group) {
  const std::string text = root.read_trimmed(group / "cpu.max");
  const auto fields = split_fields(text);
  if (fields.size() != 2) return std::nullopt;
  return cpus_of(parse_integer(fields[0]), parse_integer(fields[1]));
}

// A quota of -1 is none.
std::optional<double> quota_v1(const base::SystemRoot& root, const std::filesystem::path& group) {
  return cpus_of(parse_integer(root.read_trimmed(group / "cpu.cfs_quota_us")),
                 parse_integer(root.read_trimmed(group / "cpu.cfs_period_us")));
}

std::optional<int64_t> memory_limit_of(const base::SystemRoot& root, CgroupVersion version,
                                       const std::filesystem::path& group) {
  const char* file = version == CgroupVersion::v2 ? "memory.max" : "memory.limit_in_bytes";
  const auto bytes = parse_integer(root.read_trimmed(group / file));  // "max" is no integer
  if (!bytes || *bytes >= kUnlimitedV1) return std::nullopt;
  return bytes;
}

// v2 counts microseconds (throttled_usec), v1 nanoseconds (throttled_time).
std::optional<Throttling> parse_cpu_stat(std::string_view text) {
  const auto periods = find_number(text, "nr_periods");
  const auto throttled = find_number(text, "nr_throttled");
  if (!periods || !throttled) return std::nullopt;
  const auto microseconds = find_number(text, "throttled_usec");
  const int64_t time =
      microseconds ? *microseconds * 1000 : find_number(text, "throttled_time").value_or(0);
  return Throttling{*periods, *throttled, time};
}

}  // namespace

std::optional<CpuQuota> read_cpu_quota(const base::SystemRoot& root, const Cgroups& cgroups) {
  std::optional<CpuQuota> tightest;
  for (const auto& group : cgroups.cpu.lineage()) {
    const auto cpus =
        cgroups.cpu.version == CgroupVersion::v2 ? quota_v2(root, group) : quota_v1(root, group);
    if (cpus && (!tightest || *cpus < tightest->cpus)) tightest = CpuQuota{*cpus, group};
  }
  return tightest;
}

std::optional<CgroupMemoryLimit> read_memory_limit(const base::SystemRoot& root,
                                                   const Cgroups& cgroups) {
  std::optional<CgroupMemoryLimit> tightest;
  for (const auto& group : cgroups.memory.lineage()) {
    const auto bytes = memory_limit_of(root, cgroups.memory.version, group);
    if (bytes && (!tightest || *bytes < tightest->bytes)) {
      tightest = CgroupMemoryLimit{*bytes, group};
    }
  }
  return tightest;
}

std::optional<int64_t> read_memory_use(const base::SystemRoot& root, CgroupVersion version,
                                       const std::filesystem::path& group) {
  const bool v2 = version == CgroupVersion::v2;
  const auto held =
      parse_integer(root.read_trimmed(group / (v2 ? "memory.current" : "memory.usage_in_bytes")));
  if (!held) return std::nullopt;
  const std::string stat = root.read_trimmed(group / "memory.stat");
  const auto file = find_number(stat, v2 ? "inactive_file" : "total_inactive_file");
  return std::max<int64_t>(0, *held - file.value_or(0));
}

std::vector<std::filesystem::path> throttling_files(const base::SystemRoot& root,
                                                    const Cgroups& cgroups) {
  auto files = base::mapped(cgroups.cpu.lineage(),
                            [](const std::filesystem::path& group) { return group / "cpu.stat"; });
  std::erase_if(files, [&](const std::filesystem::path& file) { return !root.exists(file); });
  return files;
}

std::optional<Throttling> read_throttling(const base::SystemRoot& root,
                                          const std::vector<std::filesystem::path>& files) {
  std::optional<Throttling> sum;
  for (const auto& file : files) {
    const auto text = root.read(file);
    const auto one = text ? parse_cpu_stat(*text) : std::nullopt;
    if (!one) continue;
    if (!sum) sum.emplace();
    sum->periods += one->periods;
    sum->throttled_periods += one->throttled_periods;
    sum->throttled_ns += one->throttled_ns;
  }
  return sum;
}

}  // namespace batchscope::host
