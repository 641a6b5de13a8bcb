#include "caches.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "batchscope/device/text_fields.hpp"

namespace batchscope::device {
namespace {

// "48K", "2048K", "32M" as sysfs writes cache sizes; 0 for anything else.
int64_t parse_size(std::string_view text) {
  const int64_t unit = text.ends_with('K') ? 1024 : text.ends_with('M') ? 1024 * 1024 : 1;
  if (unit != 1) text.remove_suffix(1);
  return parse_integer(text).value_or(0) * unit;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

using Kind = std::pair<int, std::string>;  // level and type, the order of the result

class CacheCollector {
 public:
  void add(const base::SystemRoot& root, const std::filesystem::path& folder) {
    const auto level = parse_integer(root.read_trimmed(folder / "level"));
    const std::string sharers = root.read_trimmed(folder / "shared_cpu_list");
    if (!level || sharers.empty()) return;
    const Kind kind{static_cast<int>(*level), lower(root.read_trimmed(folder / "type"))};
    // The list of sharers names the instance: every CPU that shares it shows the same text.
    if (!instances_[kind].insert(sharers).second) return;
    Cache& cache = caches_[kind];
    cache.level = kind.first;
    cache.type = kind.second;
    cache.size_bytes = std::max(cache.size_bytes, parse_size(root.read_trimmed(folder / "size")));
    cache.cpus_per_instance =
        std::max(cache.cpus_per_instance, static_cast<int>(parse_cpu_list(sharers).size()));
    ++cache.instances;
  }

  std::vector<Cache> result() const {
    std::vector<Cache> list;
    for (const auto& [kind, cache] : caches_) list.push_back(cache);
    return list;
  }

 private:
  std::map<Kind, Cache> caches_;
  std::map<Kind, std::set<std::string>> instances_;
};

}  // namespace

std::vector<Cache> read_caches(const base::SystemRoot& root, const CpuList& cpus) {
  CacheCollector collector;
  for (const int cpu : cpus) {
    const std::filesystem::path folder =
        "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache";
    for (const std::string& name : root.list(folder)) {
      if (name.starts_with("index")) collector.add(root, folder / name);
    }
  }
  return collector.result();
}

}  // namespace batchscope::device
