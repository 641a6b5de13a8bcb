#include "resources.hpp"

#include <algorithm>

namespace batchscope::cluster {

bool on_cpu_alone(const JobFile& job) {
  return std::all_of(job.configs.begin(), job.configs.end(),
                     [](const schema::RunConfig& config) { return config.device == "cpu"; });
}

int64_t cpus_of(const JobFile& job) {
  int64_t most = 1;
  for (const schema::RunConfig& config : job.configs) {
    most = std::max<int64_t>(most, int64_t{config.threads} * config.instances);
  }
  return most;
}

}  // namespace batchscope::cluster
