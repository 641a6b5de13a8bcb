#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "batchscope/capacity/memory_model.hpp"
#include "batchscope/schema/probe.hpp"

namespace batchscope::capacity {

using schema::ProbeOutcome;
using schema::ProbePurpose;

struct MaxBatchOptions {
  std::optional<int64_t> limit_bytes;  // that peaks are held against; absent: not known
  double margin = 0.05;                // of the limit, that the safe size leaves free
  std::optional<int64_t> at_most;      // larger sizes are not tried
  // Sizes that ran out of memory before, under this limit or a larger one: they and larger ones are
  // never tried. The second holds for the limit less the margin.
  std::optional<int64_t> ceiling, soak_ceiling;
};

// The next size to try: to search, to confirm, or to soak.
struct ProbeAsk {
  int64_t batch_size = 1;
  ProbePurpose purpose = ProbePurpose::search;
  std::string reason;
};

// What one try showed: it fits, ran out of memory, or failed.
struct ProbeResult {
  ProbeOutcome outcome = ProbeOutcome::fits;
  std::optional<int64_t> peak_bytes;
  bool perhaps_memory = false;  // it failed, in words that are no proof
};

// What keeps the largest size from being larger.
enum class MaxBatchBound { none, out_of_memory, ceiling, failed, at_most };
std::string_view to_string(MaxBatchBound bound);

// Finds the largest batch size that fits by asking: sizes are doubled until one does not fit, or
// until the law of the peaks says that the next one would not; then the gap is bisected, where the
// law's own guess goes first. A size that ran out of memory is believed at once and never tried
// again, nor is a larger one; where it may have been memory, a smaller size is tried next, and what
// failed for another reason is tried once more. The largest that fits has to fit twice. Then a size
// that leaves the margin free is soaked, and where that fails, smaller ones. Assumes nothing of the
// peaks but that what does not fit, does not fit with more samples.
//
// Pure: what is asked follows from the options and from what was told, in its order.
class MaxBatch {
 public:
  explicit MaxBatch(MaxBatchOptions options) : options_(options) {}

  // Nothing: it is done.
  std::optional<ProbeAsk> ask() const;
  void tell(int64_t batch_size, ProbePurpose purpose, const ProbeResult& result);

  // The largest size that fits, 0: none does, as far as is known by now.
  int64_t largest() const;
  // The smallest that is known not to fit, or must not be tried; absent: none is known.
  std::optional<int64_t> above() const;
  MaxBatchBound bound() const;
  // Soaked, with the margin to spare; absent: not yet, or no size is.
  std::optional<int64_t> safe() const { return safe_; }
  // The peaks of what fits, by size: the largest of each.
  const std::map<int64_t, int64_t>& peaks() const { return peaks_; }
  // What the soak has to keep to; absent without a limit.
  std::optional<int64_t> safe_bytes() const;
  // Memory ran out where the peaks lie clearly below the limit: another one than is known ended it,
  // and how much the safe size leaves of that is not known.
  bool hit_unknown_limit() const;

 private:
  std::optional<int64_t> wall() const;   // the smallest that this search saw not fit
  std::optional<int64_t> fence() const;  // the smallest that it must not try
  std::optional<int64_t> guess() const;
  std::optional<ProbeAsk> ask_search() const;
  ProbeAsk ask_between(int64_t largest, int64_t above) const;
  ProbeAsk ask_beyond(int64_t largest) const;
  std::optional<ProbeAsk> ask_soak() const;
  int64_t size_with_margin() const;
  std::optional<double> share_at_end() const;
  void tell_soak(int64_t batch_size, const ProbeResult& result);
  void tell_failure(int64_t batch_size, const ProbeResult& result);

  MaxBatchOptions options_;
  std::map<int64_t, int> fits_, failures_;  // how often
  std::optional<int64_t> perhaps_;          // the smallest that perhaps ran out of memory
  std::map<int64_t, int64_t> peaks_;
  std::optional<int64_t> died_;         // the smallest that ran out of memory
  std::optional<int64_t> soak_failed_;  // the smallest whose soak did
  std::optional<int64_t> safe_;
  int guesses_ = 0;  // asked for since the gap was last halved
  int beyond_ = 0;   // sizes that fitted although the law said otherwise
};

}  // namespace batchscope::capacity
