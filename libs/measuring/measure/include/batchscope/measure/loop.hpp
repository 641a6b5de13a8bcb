#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/measure/executor.hpp"
#include "batchscope/ranges/nvtx.hpp"

namespace batchscope::measure {

// Adds up phases by name without allocating: names are kept as views, so they must outlive the
// table (string literals of the model's code). Beyond kCapacity names the rest goes to "other".
// While a phase runs, an attached tool shows it.
class PhaseTable final : public engine::PhaseSink {
 public:
  static constexpr std::size_t kCapacity = 15;

  void phase(std::string_view name, int64_t host_ns, std::optional<int64_t> device_ns) override;
  void enter(std::string_view name) override {
    if (!ranges::nvtx::attached()) return;
    shown_.end();  // before the next one begins: they do not lie within each other
    shown_ = ranges::nvtx::ScopedRange(name);
  }
  void leave() override { shown_.end(); }
  // Back to zero, names kept.
  void reset();
  // Those with a count above 0, in order of first appearance.
  std::vector<schema::Phase> phases() const;

 private:
  struct Entry {
    std::string_view name;
    int64_t host_ns = 0;
    int64_t device_ns = 0;
    int64_t count = 0;
    bool has_device = false;
  };
  Entry& find(std::string_view name);

  std::array<Entry, kCapacity + 1> entries_;
  std::size_t size_ = 0;
  ranges::nvtx::ScopedRange shown_;
};

// One iteration, and what of it a tool is shown; without one, the run of a model and a look at a
// flag.
base::Result<void> iterate(engine::Model& model, engine::Batch& batch, engine::PhaseSink& sink);

// The warm-up iterations of a visit: times in ns, each waited for. Of a batch with a cycle: whole
// cycles, at least one unless none is asked for, and what is to agree are the means of the cycles.
base::Result<std::vector<int64_t>> run_warmup(engine::Model& model, engine::Batch& batch,
                                              engine::PhaseSink& sink, const engine::Clock& clock,
                                              const WarmupRule& rule, bool wait_each);

// The timed part of a visit.
struct TimedSeries {
  std::vector<int64_t> samples_ns;    // one iteration each, or the mean of a series
  int64_t iterations_per_sample = 1;  // 1 unless the device is waited for at the end of a series
};

// What the loop still has to know: how long it has to last at least to amortise the start (0: not),
// and an iteration's expected time, for which room is made beforehand (0: unknown).
struct TimedAim {
  int64_t amortised_ns = 0;
  int64_t expected_ns = 0;
};

// How many timed iterations a visit is going to make, as far as its warm-up can tell.
int64_t wanted_iterations(const TimedRule& rule, const TimedAim& aim);

// The timed iterations, back to back: nothing between two but one reading of the clock, which ends
// the one and begins the next, and the storing of the time. Of a batch with a cycle a sample is the
// mean over one whole cycle, so that every sample has seen all lengths; at least three cycles, and
// a fixed number of iterations is rounded up to whole cycles.
base::Result<void> run_timed_each(engine::Model& model, engine::Batch& batch,
                                  engine::PhaseSink& sink, const engine::Clock& clock,
                                  const TimedRule& rule, const TimedAim& aim, TimedSeries& series);

// Sync end: three series of equally many iterations, issued back to back and waited for once at the
// end of each. A sample is a series' time / its iterations: single iterations have no times of
// their own here. Three, because a visit's value is a median. A fixed number of iterations is
// rounded up to a multiple of three, and of the batch's cycle.
base::Result<void> run_timed_end(engine::Model& model, engine::Batch& batch,
                                 engine::PhaseSink& sink, const engine::Clock& clock,
                                 const TimedRule& rule, const TimedAim& aim, TimedSeries& series);

}  // namespace batchscope::measure
