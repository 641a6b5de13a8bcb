#include "batchscope/trace/activity.hpp"

#include <array>

#include "batchscope/base/enum_names.hpp"
#include "batchscope/trace/trace.hpp"

namespace batchscope::trace {
namespace {

constexpr std::array<base::Name<ActivityKind>, 11> kKindNames{{
    {ActivityKind::op, "operator"},
    {ActivityKind::python, "python"},
    {ActivityKind::range, "range"},
    {ActivityKind::runtime, "runtime"},
    {ActivityKind::wait, "wait"},
    {ActivityKind::kernel, "kernel"},
    {ActivityKind::memcpy, "memcpy"},
    {ActivityKind::memset, "memset"},
    {ActivityKind::device_range, "device range"},
    {ActivityKind::device_wait, "device wait"},
    {ActivityKind::overhead, "overhead"},
}};

}  // namespace

std::string_view to_string(ActivityKind kind) {
  return base::name_of(kKindNames, kind);
}

Activity ActivityTable::row(size_t index) const {
  return {start_ns[index], duration_ns[index], correlation[index], name[index],
          track[index],    detail[index],      kind[index]};
}

void ActivityTable::add(const Activity& activity) {
  start_ns.push_back(activity.start_ns);
  duration_ns.push_back(activity.duration_ns);
  correlation.push_back(activity.correlation);
  name.push_back(activity.name);
  track.push_back(activity.track);
  detail.push_back(activity.detail);
  kind.push_back(activity.kind);
}

void ActivityTable::resize(size_t rows) {
  start_ns.resize(rows);
  duration_ns.resize(rows);
  correlation.resize(rows);
  name.resize(rows);
  track.resize(rows);
  detail.resize(rows);
  kind.resize(rows);
}

void ActivityTable::append(const ActivityTable& others) {
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(start_ns, others.start_ns);
  append(duration_ns, others.duration_ns);
  append(correlation, others.correlation);
  append(name, others.name);
  append(track, others.track);
  append(detail, others.detail);
  append(kind, others.kind);
}

void ActivityTable::reserve(size_t rows) {
  start_ns.reserve(rows);
  duration_ns.reserve(rows);
  correlation.reserve(rows);
  name.reserve(rows);
  track.reserve(rows);
  detail.reserve(rows);
  kind.reserve(rows);
}

const LaunchFacts* Trace::launch_of(size_t row) const {
  const uint32_t detail = activities.detail[row];
  if (activities.kind[row] != ActivityKind::kernel || detail == kNone) return nullptr;
  return &launches[detail];
}

const CopyFacts* Trace::copy_of(size_t row) const {
  const ActivityKind kind = activities.kind[row];
  const uint32_t detail = activities.detail[row];
  const bool copies_bytes = kind == ActivityKind::memcpy || kind == ActivityKind::memset;
  return copies_bytes && detail != kNone ? &copies[detail] : nullptr;
}

const DeviceInfo* Trace::device_info(int64_t id) const {
  for (const DeviceInfo& device : devices) {
    if (device.id == id) return &device;
  }
  return nullptr;
}

}  // namespace batchscope::trace
