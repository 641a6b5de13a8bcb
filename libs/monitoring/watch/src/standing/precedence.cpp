#include "precedence.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>

#include "kinds.hpp"

namespace batchscope::watch {
namespace {

using kind::kCpuQuota;
using kind::kCpuSaturated;
using kind::kDisk;
using kind::kGpuDown;
using kind::kGpuMemory;
using kind::kHardwareSlowdown;
using kind::kHeadroom;
using kind::kHostBound;
using kind::kHostMemory;
using kind::kIdle;
using kind::kLeak;
using kind::kLoading;
using kind::kLowUse;
using kind::kNoSteps;
using kind::kPcieLink;
using kind::kPowerCap;
using kind::kSmallBatch;
using kind::kSteal;
using kind::kStraggler;
using kind::kSynchronisation;
using kind::kThermal;

using findings::Severity;

constexpr std::array<std::string_view, 28> kOrder{kind::kGpuDown,
                                                  kind::kXid,
                                                  kind::kStalled,
                                                  kind::kEcc,
                                                  kind::kRemapPending,
                                                  kind::kHardwareSlowdown,
                                                  kind::kOutOfMemory,
                                                  kind::kThermal,
                                                  kind::kHostMemory,
                                                  kind::kCpuQuota,
                                                  kind::kSteal,
                                                  kind::kPcieLink,
                                                  kind::kStraggler,
                                                  kind::kLoading,
                                                  kind::kDisk,
                                                  kind::kHostBound,
                                                  kind::kSynchronisation,
                                                  kind::kCpuSaturated,
                                                  kind::kLeak,
                                                  kind::kGpuMemory,
                                                  kind::kSmallBatch,
                                                  kind::kMemoryBound,
                                                  kind::kPcieReplays,
                                                  kind::kNoSteps,
                                                  kind::kLowUse,
                                                  kind::kHeadroom,
                                                  kind::kPowerCap,
                                                  kind::kIdle};

bool is_one_of(std::string_view id, std::initializer_list<std::string_view> ids) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// On the same GPU.
bool explains_here(std::string_view id, std::string_view other) {
  if (id == kGpuDown) return true;
  if (is_one_of(id, {kThermal, kHardwareSlowdown})) {
    return is_one_of(other, {kStraggler, kPowerCap, kLowUse, kSmallBatch});
  }
  if (is_one_of(id, {kLoading, kDisk})) return is_one_of(other, {kHeadroom, kPowerCap});
  if (id == kPcieLink) return is_one_of(other, {kLowUse, kSynchronisation, kStraggler});
  if (id == kStraggler) return is_one_of(other, {kLowUse, kSynchronisation, kSmallBatch});
  if (id == kLeak) return is_one_of(other, {kHeadroom, kGpuMemory});
  return false;
}

// What is wrong with the machine, of every GPU.
bool explains_from_the_machine(const Candidate& cause, std::string_view other) {
  if (cause.place != kMachine || cause.finding.severity < Severity::medium) return false;
  const std::string_view id = cause.finding.id;
  if (is_one_of(id, {kCpuQuota, kSteal})) {
    return is_one_of(other, {kLoading, kHostBound, kLowUse, kSynchronisation});
  }
  if (id == kHostMemory) {
    return is_one_of(other, {kLoading, kDisk, kHostBound, kLowUse, kSynchronisation});
  }
  return id == kCpuSaturated && is_one_of(other, {kHostBound, kLowUse, kSynchronisation});
}

// One GPU holds the others up.
bool explains_on_others(const Candidate& cause, const Candidate& explained) {
  const std::string_view id = cause.finding.id, other = explained.finding.id;
  // What costs little explains nothing that costs much.
  if (cause.finding.severity < explained.finding.severity) return false;
  return is_one_of(id, {kStraggler, kThermal, kHardwareSlowdown}) &&
         is_one_of(other, {kSmallBatch, kSynchronisation, kLowUse, kStraggler}) && id != other;
}

bool is_machine_or_process(const std::string& place) {
  return place == kMachine || place.starts_with("pid ");
}

bool explains(const Candidate& cause, const Candidate& other) {
  if (&cause == &other) return false;
  const std::string_view id = cause.finding.id, its = other.finding.id;
  if (id == kind::kLeak && its == kind::kLeak) {  // the process explains the machine
    return cause.place.starts_with("pid ") && other.place == kMachine;
  }
  if (is_machine_or_process(other.place)) return false;
  if (cause.place == other.place) return explains_here(id, its);
  if (is_machine_or_process(cause.place)) return explains_from_the_machine(cause, its);
  return explains_on_others(cause, other);
}

}  // namespace

void supersede(Candidates& candidates) {
  Candidates left;
  std::copy_if(
      candidates.begin(), candidates.end(), std::back_inserter(left), [&](const Candidate& other) {
        return std::none_of(candidates.begin(), candidates.end(),
                            [&](const Candidate& cause) { return explains(cause, other); });
      });
  candidates = std::move(left);
}

bool are_alternatives(std::string_view id, std::string_view other) {
  const auto tells_why = [](std::string_view each) {
    return is_one_of(each,
                     {kLoading, kDisk, kHostBound, kSynchronisation, kLowUse, kNoSteps, kIdle});
  };
  return id != other && tells_why(id) && tells_why(other);
}

int rank_of(std::string_view id) {
  return static_cast<int>(std::find(kOrder.begin(), kOrder.end(), id) - kOrder.begin());
}

}  // namespace batchscope::watch
