#include "recordings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/findings/wording.hpp"
#include "sides.hpp"

namespace batchscope::advice {
namespace {

using attribution::Part;
using trace::ActivityKind;

std::string sides(const std::string& before, const std::string& after) {
  return fmt::format("{} before, {} after", before, after);
}

std::string device_named(const TraceSummary& file, int64_t device) {
  const auto info = std::find_if(file.devices.begin(), file.devices.end(),
                                 [&](const auto& each) { return each.id == device; });
  const bool is_known = info != file.devices.end() && !info->name.empty();
  return is_known ? info->name : "an unnamed " + file.device_word;
}

// "2 x NVIDIA H100": the devices that did something, in the recording that has most of a name.
std::string devices_of(const Files& files) {
  std::map<std::string, int> counts;
  for (const auto& recording : recordings_of(files)) {
    std::map<std::string, int> own;
    for (const TraceSummary* const file : recording) {
      for (const auto& device : file->attribution.devices) ++own[device_named(*file, device.id)];
    }
    for (const auto& [name, count] : own) counts[name] = std::max(counts[name], count);
  }
  std::string text;
  for (const auto& [name, count] : counts) {
    if (!text.empty()) text += " and ";
    text += count > 1 ? fmt::format("{} x {}", count, name) : name;
  }
  return text.empty() ? "no device" : text;
}

struct Version {
  const char* key;
  const char* name;
  int64_t major;  // 12090 is 12.9: of the number that is one
  int64_t minor;
};
constexpr std::array<Version, 8> kVersions{
    {{"cuda_driver_version", "CUDA driver", 1000, 10},
     {"cuda_runtime_version", "CUDA runtime", 1000, 10},
     {"hip_driver_version", "HIP driver", 10'000'000, 100'000},
     {"hip_runtime_version", "HIP runtime", 10'000'000, 100'000},
     {"torch_version", "PyTorch", 0, 0},
     {"pytorch_version", "PyTorch", 0, 0},
     {"nccl_version", "NCCL", 0, 0},
     {"driver_version", "driver", 0, 0}}};

std::string version_of(const TraceSummary& file, const Version& version) {
  const auto stated = file.settings.find(version.key);
  if (stated == file.settings.end()) return "";
  const auto number = base::parse_number<int64_t>(stated->second);
  if (version.major == 0 || !number) return stated->second;
  return fmt::format("{}.{}", *number / version.major, *number % version.major / version.minor);
}

int64_t ranks_of(const Files& files) {
  std::map<int, int> ranks;
  int64_t most = 1;
  for (const TraceSummary& file : files) {
    most = std::max<int64_t>(most, file.world_size.value_or(1));
    if (file.rank) ++ranks[*file.rank];
  }
  return std::max(most, static_cast<int64_t>(ranks.size()));
}

// Of the launches, the share whose work was not recorded.
double lost_share(const TraceSummary& file) {
  const attribution::LostLaunches& lost = file.attribution.lost;
  return lost.launches > 0 ? static_cast<double>(lost.lost) / static_cast<double>(lost.launches)
                           : 0;
}

bool lose_alike(const TraceSummary& before, const TraceSummary& after) {
  return std::abs(lost_share(before) - lost_share(after)) <= 0.01;
}

bool has(const TraceSummary& summary, ActivityKind kind) {
  return summary.kinds.contains(kind);
}

}  // namespace

std::vector<std::string> recording_differences(const Files& before, const Files& after) {
  std::vector<std::string> found;
  const std::string devices = devices_of(before);
  if (devices != devices_of(after)) found.push_back(sides(devices, devices_of(after)));
  if (before.empty() || after.empty()) return found;
  const TraceSummary& first = before.front();
  const TraceSummary& second = after.front();
  for (const Version& version : kVersions) {
    const std::string own = version_of(first, version);
    const std::string other = version_of(second, version);
    const bool differs = !own.empty() && !other.empty() && own != other;
    if (differs) found.push_back(fmt::format("{} {}", version.name, sides(own, other)));
  }
  if (ranks_of(before) != ranks_of(after)) {
    found.push_back(
        sides(fmt::format("{} ranks", ranks_of(before)), fmt::format("{}", ranks_of(after))));
  }
  if (first.read.profiler != second.read.profiler) {
    found.push_back(sides(first.read.profiler, second.read.profiler));
  }
  if (has(first, ActivityKind::python) != has(second, ActivityKind::python)) {
    found.push_back(fmt::format("only the trace {} has Python functions, which slow the host",
                                has(first, ActivityKind::python) ? "before" : "after"));
  }
  if (!lose_alike(first, second)) {
    found.push_back(fmt::format("the work of {} of the launches is missing before, of {} after",
                                findings::percent(lost_share(first)),
                                findings::percent(lost_share(second))));
  }
  return found;
}

bool is_recorded_alike(const TraceSummary& before, const TraceSummary& after, Part part) {
  if (before.read.profiler != after.read.profiler) return false;
  if (!lose_alike(before, after)) return false;
  const auto same = [&](ActivityKind kind) { return !has(before, kind) || has(after, kind); };
  if (part == Part::compute || part == Part::memcpy || part == Part::communication) {
    return !after.attribution.devices.empty();
  }
  if (part != Part::data_loading) return same(ActivityKind::runtime);
  return has(after, ActivityKind::op) || has(after, ActivityKind::range) ||
         has(after, ActivityKind::python);
}

}  // namespace batchscope::advice
