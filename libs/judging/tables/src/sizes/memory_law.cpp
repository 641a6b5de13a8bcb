#include "memory_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/floors.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/device_name.hpp"
#include "batchscope/stats/law.hpp"

namespace batchscope::tables {
namespace {

using findings::percent;

// A line that hardly rises over the sizes measured says nothing of much larger ones.
constexpr double kLeastGrowth = 0.05;

struct PeakKind {
  std::optional<int64_t> schema::Memory::*bytes;
  findings::MemoryPeak peak;
  const char* words;
  bool on_host;
};
constexpr PeakKind kAllocated{&schema::Memory::peak_allocated_bytes,
                              findings::MemoryPeak::allocated, "peak allocated on the device",
                              false};
constexpr PeakKind kReserved{&schema::Memory::peak_reserved_bytes, findings::MemoryPeak::reserved,
                             "peak reserved on the device", false};
constexpr PeakKind kResident{&schema::Memory::peak_iterations_rss_bytes,
                             findings::MemoryPeak::resident,
                             "peak resident memory of the process in its iterations", true};

struct Peaks {
  std::vector<double> sizes;
  std::vector<double> bytes;
};

Peaks peaks_of(const findings::Group& group, const PeakKind& kind) {
  Peaks peaks;
  for (const findings::ConfigRow& row : group.rows) {
    const auto& bytes = row.memory.*kind.bytes;
    if (!bytes || *bytes <= 0) continue;
    peaks.sizes.push_back(static_cast<double>(row.config.shape.batch_size));
    peaks.bytes.push_back(static_cast<double>(*bytes));
  }
  return peaks;
}

std::string text_of(double bytes) {
  return base::format_bytes(std::llround(bytes));
}

double line_through(const Peaks& peaks, std::size_t a, std::size_t b, double size) {
  const double slope = (peaks.bytes[b] - peaks.bytes[a]) / (peaks.sizes[b] - peaks.sizes[a]);
  return peaks.bytes[a] + slope * (size - peaks.sizes[a]);
}

// A size between two others is held against the line through them, the largest against the two
// nearest below it that do not jump themselves; nothing could call the smallest a jump.
std::vector<findings::MemoryJump> jumps_of(const Peaks& peaks) {
  std::vector<findings::MemoryJump> jumps;
  std::vector<std::size_t> winsorized;
  const std::size_t n = peaks.sizes.size();
  for (std::size_t i = 0; i < n; ++i) {
    const bool last = i + 1 == n;
    double expected = 0;
    if (i > 0 && !last) expected = line_through(peaks, i - 1, i + 1, peaks.sizes[i]);
    if (last && winsorized.size() > 1) {
      expected =
          line_through(peaks, winsorized[winsorized.size() - 2], winsorized.back(), peaks.sizes[i]);
    }
    if (expected > 0 && peaks.bytes[i] > (1 + findings::kMemoryJump) * expected) {
      jumps.push_back({static_cast<int64_t>(peaks.sizes[i]), peaks.bytes[i] - expected});
    } else {
      winsorized.push_back(i);
    }
  }
  return jumps;
}

void fill_departure(const Peaks& peaks, findings::MemoryLaw& law) {
  for (std::size_t i = 0; i < peaks.sizes.size(); ++i) {
    const double line = law.base_bytes + law.per_sample_bytes * peaks.sizes[i];
    const double departure = peaks.bytes[i] / line - 1;
    if (std::abs(departure) < std::abs(law.largest_departure)) continue;
    law.largest_departure = departure;
    law.worst_batch_size = static_cast<int64_t>(peaks.sizes[i]);
  }
}

// What the peaks of one place, the host or a device, have to stay under.
struct Limit {
  std::optional<int64_t> bytes;  // absent: not known
  std::string of;
  // The most that was taken there at any size, though not by what the law is fitted to.
  int64_t taken_bytes = 0;
};

// The smallest size that ran out of memory again and again.
std::optional<int64_t> smallest_too_large(const findings::Group& group) {
  std::optional<int64_t> smallest;
  for (const findings::Exclusion& each : group.set_aside) {
    const int64_t size = each.config.shape.batch_size;
    if (each.reason == findings::LeftOutReason::out_of_memory)
      smallest = std::min(smallest.value_or(size), size);
  }
  return smallest;
}

constexpr double kFarthestSize = 64;  // times the largest size measured

void fill_limit(const Peaks& peaks, const Limit& limit, std::optional<int64_t> too_large,
                findings::MemoryLaw& law) {
  law.limit_bytes = limit.bytes;
  law.limit_of = limit.of;
  // Loading took more than that already, or the allocator's cache: what the iterations need does
  // not decide it.
  if (law.limit_bytes && limit.taken_bytes > *law.limit_bytes) return;
  const double growth = law.per_sample_bytes * (peaks.sizes.back() - peaks.sizes.front());
  if (!law.limit_bytes || growth < kLeastGrowth * peaks.bytes.front()) return;
  const double room = static_cast<double>(*law.limit_bytes) - law.base_bytes;
  const double largest = std::floor(room / law.per_sample_bytes);
  // A line that says less than what was seen to fit has nothing to add, and one from a few small
  // sizes says nothing of sizes far beyond them.
  if (largest < peaks.sizes.back() || largest > kFarthestSize * peaks.sizes.back()) return;
  const auto size =
      static_cast<int64_t>(std::min(largest, static_cast<double>(schema::kLargestSize)));
  // What was seen not to fit goes before what is predicted.
  if (size < too_large.value_or(schema::kLargestSize + 1)) law.largest_batch_size = size;
}

std::string jumps_in_words(const findings::MemoryLaw& law) {
  std::string text;
  for (const findings::MemoryJump& jump : law.jumps) {
    text += fmt::format("; batch {} takes {} more than the line through its neighbours",
                        jump.batch_size, text_of(jump.excess_bytes));
  }
  return text;
}

std::string message_of(const findings::MemoryLaw& law, const PeakKind& kind, std::size_t sizes,
                       bool training) {
  const std::string line =
      law.per_sample_bytes > 0
          ? fmt::format("{} + {}{} per sample", text_of(law.base_bytes),
                        text_of(law.per_sample_bytes), training ? " of activations" : "")
          : fmt::format("{} at any batch size", text_of(law.base_bytes));
  std::string text = fmt::format("{} ({}", line, kind.words);
  if (sizes > 2) {
    text += fmt::format("; fit error at most {}, at batch {}",
                        percent(std::abs(law.largest_departure)), law.worst_batch_size);
  }
  text += ")" + jumps_in_words(law);
  if (law.largest_batch_size) {
    text += fmt::format("; the line reaches {} ({}) after batch {} (predicted)",
                        text_of(static_cast<double>(*law.limit_bytes)), law.limit_of,
                        *law.largest_batch_size);
    if (!kind.on_host) text += ", without the driver and the allocator's cache";
  }
  return text + ".";
}

int64_t largest_peak(const findings::Group& group, std::optional<int64_t> schema::Memory::*peak) {
  return base::largest_of(
      group.rows, [&](const findings::ConfigRow& row) { return (row.memory.*peak).value_or(0); },
      int64_t{0});
}

Limit limit_of_host(const findings::Group& group, const schema::Header& header,
                    std::optional<int64_t> asked_bytes) {
  // Loading included.
  const int64_t taken = largest_peak(group, &schema::Memory::peak_rss_bytes);
  if (!asked_bytes) asked_bytes = header.plan.memory_limit_bytes;
  if (asked_bytes) return {asked_bytes, "--memory-limit", taken};
  const int64_t machine = header.machine.memory_bytes;
  if (machine > 0) return {machine, "the machine's memory", taken};
  return {};
}

// CUDA numbers GPUs differently than NVML, the fastest first and without those that are hidden from
// it: which of them one is can be told where all are alike.
std::optional<int64_t> memory_of_each(const schema::Machine& machine) {
  const std::vector<int64_t>& bytes = machine.gpu_memory_bytes;
  if (bytes.empty() || bytes.front() <= 0) return std::nullopt;
  const bool alike = std::count(bytes.begin(), bytes.end(), bytes.front()) == std::ssize(bytes);
  return alike ? std::optional(bytes.front()) : std::nullopt;
}

// " (NVIDIA H200)"
std::string name_of_each(const schema::Machine& machine) {
  const std::vector<std::string>& names = machine.gpus;
  const auto other = [&](const std::string& each) { return each != names.front(); };
  if (names.empty() || std::any_of(names.begin(), names.end(), other)) return "";
  return fmt::format(" ({})", names.front());
}

// The plan's limit is one of processes, and holds nothing of what they take on a device.
Limit limit_of_device(const findings::Group& group, const schema::Header& header,
                      std::optional<int64_t> asked_bytes) {
  const std::string& device = group.key.device;
  const int64_t taken = largest_peak(group, &schema::Memory::peak_reserved_bytes);
  // Tables measured elsewhere need not name the device.
  if (asked_bytes) return {asked_bytes, "--memory-limit", taken};
  if (!schema::is_accelerator(device)) return {};
  const auto bytes = memory_of_each(header.machine);
  // More was taken than there is: another device than NVML saw, such as one of another maker.
  if (!schema::is_cuda(device) || !bytes || taken > *bytes) return {};
  return {bytes, fmt::format("the memory of {}{}", device, name_of_each(header.machine)), taken};
}

void add_law(const findings::Group& group, const PeakKind& kind, const Limit& limit,
             std::vector<findings::MemoryLaw>& laws) {
  const Peaks peaks = peaks_of(group, kind);
  const auto line = stats::fit_law(stats::LawKind::affine, peaks.sizes, peaks.bytes);
  if (!line) return;
  findings::MemoryLaw law;
  law.of = kind.peak;
  law.base_bytes = line->coefficients[0];
  law.per_sample_bytes = line->coefficients[1];
  fill_departure(peaks, law);
  law.jumps = jumps_of(peaks);
  // Several instances share the memory; what one of them may have is not known here.
  if (group.key.instances == 1) fill_limit(peaks, limit, smallest_too_large(group), law);
  const bool training = group.key.mode == schema::Mode::train;
  law.message = message_of(law, kind, peaks.sizes.size(), training);
  laws.push_back(std::move(law));
}

}  // namespace

std::vector<findings::MemoryLaw> memory_laws_of(const findings::Group& group,
                                                const schema::Header& header,
                                                std::optional<int64_t> memory_limit_bytes) {
  std::vector<findings::MemoryLaw> laws;
  add_law(group, kAllocated, limit_of_device(group, header, memory_limit_bytes), laws);
  if (!laws.empty()) {
    // A cache keeps what larger tensors needed before: its size says nothing of what fits.
    add_law(group, kReserved, {}, laws);
  } else {
    add_law(group, kResident, limit_of_host(group, header, memory_limit_bytes), laws);
  }
  return laws;
}

}  // namespace batchscope::tables
