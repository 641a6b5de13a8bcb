#include "batchscope/schema/visit.hpp"

namespace batchscope::schema {

std::vector<InstanceTimes> by_instance(const Visit& visit) {
  if (visit.instance_samples.empty()) return {{visit.warmup_ns, visit.samples_ns}};
  std::vector<InstanceTimes> all;
  std::span<const int64_t> warmup = visit.warmup_ns;
  std::span<const int64_t> samples = visit.samples_ns;
  for (std::size_t i = 0; i < visit.instance_samples.size(); ++i) {
    const auto warmups = static_cast<std::size_t>(visit.instance_warmups[i]);
    const auto timed = static_cast<std::size_t>(visit.instance_samples[i]);
    all.push_back({warmup.first(warmups), samples.first(timed)});
    warmup = warmup.subspan(warmups);
    samples = samples.subspan(timed);
  }
  return all;
}

}  // namespace batchscope::schema
