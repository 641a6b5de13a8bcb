#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"

namespace batchscope::engines {

// Memory that is really allocated and touched while a batch lives, and stated as the peak of the
// process: base + a_sample * factor * ceil(x / step) * step, x as in the law of times; the factor
// is 1 in inference, `train` in training and `checkpointed` in training that recomputes its layers.
struct MemoryLawSpec {
  int64_t base_bytes = 0;
  int64_t sample_bytes = 0;
  int64_t step = 1;  // samples that memory is taken for at once
  double train = 1, checkpointed = 1;
};

// Processes run in one of two ways for their whole lives: this share of them slower by the factor,
// at one batch size only, or at all.
struct ModesSpec {
  double share = 0;
  double factor = 1;
  std::optional<int64_t> batch_size{};
};

// Others that are always ready to run on the processor it is measured on. After each slice of its
// own running time, whose first begins at a random place before the visit, the process waits until
// each of them had its own, or with the rest of the probability goes on at once. So iterations that
// are shorter than a slice mostly run undisturbed, and those that are longer never do.
struct PreemptionSpec {
  double slice_ns = 0;  // 0: none
  double others = 0;
  double probability = 1;
};

// Time that rises smoothly to `factor` times the law's: half of it (in ln) at `size`, and at its
// steepest factor^(1 / octaves) while the size doubles.
struct CacheStepSpec {
  double size = 1;
  double factor = 1;  // 1: none
  double octaves = 1;
};

// The first iterations of each visit at one batch size take `factor` times as long; where it
// decays, all do with what exp(-i / iterations) leaves of the excess.
struct SlowStartSpec {
  int iterations = 0;
  double factor = 1;
  bool decays = false;
};

// A process is slower by the factor until it has run for some time, which is a draw a process:
// lognormal around `after_ns`.
struct SettlingSpec {
  double after_ns = 0;  // 0: none
  double factor = 1;
  double sd = 0;  // ln units
};

// Each iteration takes `factor` times as long with this probability.
struct SlowAtRandomSpec {
  double probability = 0;
  double factor = 1;
};

// Noise of visits that resembles that of the visit before: an AR(1) over the run's order.
struct AutocorrelationSpec {
  double sd = 0;  // ln, of each visit
  double rho = 0;
};

// How long an iteration takes for its work x; see SyntheticSpec.
enum class SyntheticLaw { affine, staircase, roofline, table };

// A machine and a model that exist only as a stated law, in virtual time: thousands of whole
// experiments a minute, with the truth known. Every process draws its own effect; time passes only
// by loading and running.
//
//   time(b, i) = law(b) * anomaly(b) * cache(b) * contention(instances) * warm-up(b, i) * slow(i)
//                * spike * burst * modes(process, b) * carry-over(visit before) * steps(visit)
//                * exp(run + process + visit + autocorrelated + drift(now) + iteration noise)
//                + waits for a processor
//
// Times in ns, standard deviations in ln units, "a draw a visit" is a draw a prepared batch.
struct SyntheticSpec {
  // affine {a, b}: a + b x. roofline {launch, a_mem, b_mem, b_comp}: max(launch, a_mem + b_mem x,
  // b_comp x). staircase {a, b, q}: a + b ceil(x / q). table: batch size -> time.
  SyntheticLaw law = SyntheticLaw::affine;
  std::vector<double> coefficients{5e6, 2e6};
  std::map<int64_t, double> table;
  std::map<int64_t, double> anomalies;  // batch size -> factor (1.1 = 10 % slower)

  // Batch size -> factor, charged as page faults and system time, until GLIBC_TUNABLES is set: a
  // cause with its signal and its remedy. 1 is a signal without a cost.
  std::map<int64_t, double> heap_returned;

  // Makes it a law of tokens: x is the tokens of the padded batch / this length, so that x is the
  // batch size where all samples have it. Without a sequence length x is the batch size.
  std::optional<int64_t> per_token;

  double process_sd = 0.01;      // a draw a process
  double visit_sd = 0.015;       // a draw a visit: the machine's minute-to-minute noise
  double iteration_sd = 0.005;   // a draw an iteration
  double uneven_sd = 0;          // ln units: processes have an iteration_sd of their own
  double drift_per_hour = 0;     // ln units of slowing down an hour of virtual time
  double spike_probability = 0;  // of a whole visit
  double spike_factor = 1.3;
  double burst_probability = 0;  // that a neighbour's burst starts at a visit
  double burst_factor = 1.2;
  int burst_visits = 5;        // that a burst lasts
  double warmup_excess = 0.5;  // of the first iteration; halves with each one after it
  double load_ns = 5e8;        // that loading takes
  // Each instance more that runs at the same time makes all of them slower by this: times
  // 1 + contention (instances - 1).
  double contention = 0;

  double visit_df = 0;  // > 0: visit noise is visit_sd times Student's t of so many degrees
  double run_sd = 0;    // ln, a draw a run
  AutocorrelationSpec autocorrelation;
  std::vector<ModesSpec> modes;
  std::map<int64_t, double> carry_over;      // batch size -> factor of the next visit of the block
  std::map<int64_t, double> steps;           // visit of the run -> factor from there on
  std::map<int64_t, double> slow_iteration;  // n -> factor of each n-th iteration of a visit
  SlowAtRandomSpec slow_at_random;
  double slow_processes = 1;  // share of the processes that have slow iterations of either kind
  std::map<int64_t, SlowStartSpec> slow_start;  // by batch size; of 0: at all others
  SettlingSpec settling;
  CacheStepSpec cache;
  PreemptionSpec preemption;

  // Misbehaviour, for tests of what measures.
  std::optional<int64_t> oom_above;       // larger batch sizes report that memory is out
  std::optional<int64_t> throw_at;        // this batch size fails with a message
  std::optional<int64_t> crash_at;        // this one ends the process with SIGSEGV
  std::optional<int64_t> hang_at;         // this one never returns
  int64_t allocate_bytes = 0;             // really allocated and touched, a sample
  std::optional<MemoryLawSpec> memory{};  // as well
  bool real = false;                      // virtual time also really passes
};

// Law, then options, separated by ';':
//   affine:5ms,2ms;anomaly=4:1.1;process_sd=0.01;visit_sd=0.015;iteration_sd=0.005
//   roofline:2ms,1ms,1ms,2ms;spike=0.02:1.3;burst=0.05:1.2:5;drift=0.05;warmup=0.5;load=500ms
//   staircase:1ms,2ms,8;oom_above=64;throw_at=2;crash_at=4;hang_at=8;allocate=16MiB;real=1
//   table:1=50.3ms,2=140.09ms
//   affine:5ms,2ms;heap_returned=8:1.1
//   affine:5ms,2ms;per_token=64                       5 ms + 2 ms for every 64 tokens
//   affine:5ms,2ms;contention=0.3
//   affine:5ms,2ms;memory=64MiB:4MiB:8;memory_train=3:1.5
// and what misleads an analysis:
//   modes=0.2:1.16              a fifth of the processes is 16 % slower; modes=0.2:1.16:8 at batch
//   8 carry_over=16:1.4           the visit after one of batch 16, in a block, is 40 % slower
//   step=48:1.1                 from the run's visit 48 on the machine is 10 % slower
//   autocorrelated=0.02:0.8     visit noise of 2 % that follows the visit before
//   run_sd=0.02                 a factor of the whole run
//   uneven=0.8                  some processes scatter more: iteration_sd exp(0.8 z), z normal
//   visit_df=3                  heavy tails: visit noise is 1.5 % times t of 3 degrees of freedom
//   slow_iteration=7:2          each seventh iteration of a visit takes twice as long
//   slow_at_random=0.02:5       one of 50 iterations takes 5 times as long
//   slow_processes=0.1          but for nine of ten processes, which have no slow iterations
//   slow_start=6:10:1.3         the first 10 iterations at batch 6 take 30 % longer; at 0: at any
//   settling=800ms:1.3:0.2      30 % slower until the process has run for 0.8 s, give or take 20 %
//   settles=6:10:1.3            the same, but dying away: 30 % exp(-i / 10)
//   cache=16:1.3                30 % more time a sample, reached smoothly within about two octaves
//                               around 16; cache=16:1.3:3 three times as smoothly
//   preempt=3ms:2               two others want the processor, in slices of 3 ms; the wait is in
//                               Usage::wait_ns. preempt=3ms:2:0.5 after half of the slices
//   staircase:1ms,2ms,2.67      waves of a fractional number of samples
// `anomaly`, `heap_returned`, `modes`, `carry_over`, `step`, `slow_iteration`, `slow_start` and
// `settles` may be repeated. Errors: usage.
base::Result<SyntheticSpec> parse_synthetic(std::string_view text);

// law(b) * anomaly(b) * cache(b): an iteration's time in ns without noise. `longest`: tokens that
// each sample is padded to, for a law of tokens. Errors: failed, for a batch size that a table
// lacks.
base::Result<double> true_time_ns(const SyntheticSpec& spec, int64_t batch_size,
                                  std::optional<int64_t> longest = std::nullopt);

// What the law of memory says in bytes; 0 without one. `longest`: as for the times.
int64_t true_memory_bytes(const SyntheticSpec& spec, int64_t batch_size, bool trains,
                          bool checkpoints, std::optional<int64_t> longest = std::nullopt);

// `seed` fixes all noise, together with ExecutionSpec::visit where it is given. As an engine, the
// model name is the text of a spec, with or without the prefix "synthetic:". A law knows batch
// sizes and instances only, or with per_token tokens: the other axes leave its times as they are.
std::unique_ptr<engine::Engine> make_synthetic_engine(uint64_t seed);

// The same by its name, with the seed 0, for experiments that are to run in virtual time alone.
// Errors: usage (another name).
base::Result<std::unique_ptr<engine::Engine>> load_synthetic(std::string_view name);

}  // namespace batchscope::engines
