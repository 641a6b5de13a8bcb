#include <string>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/host/cpu_time.hpp"
#include "batchscope/host/fitness.hpp"
#include "batchscope/host/text_fields.hpp"
#include "batchscope/host/usage.hpp"

namespace batchscope::host {
namespace {

void read_cpu_time(const base::SystemRoot& root, const CpuList& watched,
                   FitnessSnapshot& snapshot) {
  const auto text = root.read("/proc/stat");
  const auto time = text ? parse_cpu_time(*text, watched) : std::nullopt;
  if (!time) return;
  snapshot.watched_cpus = time->cpus;
  snapshot.total_ns = time->total_ns;
  snapshot.busy_ns = time->busy_ns;
  snapshot.steal_ns = time->steal_ns;
}

// "0.20 0.18 0.12 1/80 11206": three means, running/all threads, newest process.
void read_load(const base::SystemRoot& root, FitnessSnapshot& snapshot) {
  const std::string text = root.read_trimmed("/proc/loadavg");
  const auto fields = split_fields(text);
  if (fields.size() < 4) return;
  snapshot.load_average = base::parse_number<double>(fields[0]);
  snapshot.running = parse_integer(fields[3].substr(0, fields[3].find('/')));
}

// "always [madvise] never" -> "madvise"
std::string chosen(const std::string& text) {
  const size_t open = text.find('[');
  const size_t close = text.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return text.substr(open + 1, close - open - 1);
}

std::optional<bool> parse_flag(const std::string& text) {
  if (text == "1") return true;
  if (text == "0") return false;
  return std::nullopt;
}

std::filesystem::path frequency_folder(const base::SystemRoot& root, const CpuList& watched) {
  const CpuList online = parse_cpu_list(root.read_trimmed("/sys/devices/system/cpu/online"));
  const CpuList& cpus = watched.empty() ? online : watched;
  const int cpu = cpus.empty() ? 0 : cpus.front();
  return "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq";
}

}  // namespace

FitnessSampler::FitnessSampler(base::SystemRoot root, CpuList watched)
    : root_(std::move(root)),
      watched_(std::move(watched)),
      frequency_folder_(frequency_folder(root_, watched_)),
      throttling_files_(throttling_files(root_, find_cgroups(root_))) {}

FitnessSnapshot FitnessSampler::take() const {
  FitnessSnapshot snapshot;
  read_cpu_time(root_, watched_, snapshot);
  snapshot.own_ns = read_own_usage().cpu_ns() + read_children_usage().cpu_ns();
  snapshot.throttling = read_throttling(root_, throttling_files_);
  read_load(root_, snapshot);
  snapshot.governor = root_.read_trimmed(frequency_folder_ / "scaling_governor");
  // One CPU only: on some kernels reading the clock of an idle CPU waits 10 ms for a sample.
  snapshot.clock_khz = parse_integer(root_.read_trimmed(frequency_folder_ / "scaling_cur_freq"));
  snapshot.max_clock_khz =
      parse_integer(root_.read_trimmed(frequency_folder_ / "cpuinfo_max_freq"));
  snapshot.huge_pages = chosen(root_.read_trimmed("/sys/kernel/mm/transparent_hugepage/enabled"));
  snapshot.smt_active = parse_flag(root_.read_trimmed("/sys/devices/system/cpu/smt/active"));
  return snapshot;
}

}  // namespace batchscope::host
