#include "batchscope/measure/loop.hpp"
#include "batchscope/schema/phases.hpp"

namespace batchscope::measure {

PhaseTable::Entry& PhaseTable::find(std::string_view name) {
  for (std::size_t i = 0; i < size_; ++i) {
    // The same literal has the same address almost always, which spares comparing its characters.
    if (entries_[i].name.data() == name.data() && entries_[i].name.size() == name.size()) {
      return entries_[i];
    }
  }
  for (std::size_t i = 0; i < size_; ++i) {
    if (entries_[i].name == name) return entries_[i];
  }
  if (size_ == kCapacity) {
    entries_[kCapacity].name = schema::phases::kOther;
    return entries_[kCapacity];
  }
  entries_[size_].name = name;
  return entries_[size_++];
}

void PhaseTable::phase(std::string_view name, int64_t host_ns, std::optional<int64_t> device_ns) {
  Entry& entry = find(name);
  entry.host_ns += host_ns;
  ++entry.count;
  if (device_ns) {
    entry.device_ns += *device_ns;
    entry.has_device = true;
  }
}

void PhaseTable::reset() {
  for (Entry& entry : entries_) entry = Entry{entry.name};
}

std::vector<schema::Phase> PhaseTable::phases() const {
  std::vector<schema::Phase> result;
  for (const Entry& entry : entries_) {
    if (entry.count == 0) continue;
    schema::Phase phase;
    phase.name = std::string(entry.name);
    phase.host_ns = entry.host_ns;
    phase.count = entry.count;
    if (entry.has_device) phase.device_ns = entry.device_ns;
    result.push_back(std::move(phase));
  }
  return result;
}

}  // namespace batchscope::measure
