#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <new>
#include <thread>

#include "batchscope/engine/abilities.hpp"
#include "batchscope/engines/synthetic.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "batchscope/schema/phases.hpp"
#include "synthetic_noise.hpp"
#include "synthetic_preemption.hpp"

namespace batchscope::engines {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

class VirtualClock final : public engine::Clock {
 public:
  int64_t now_ns() const override { return now_ns_; }
  schema::ClockKind kind() const override { return schema::ClockKind::virtual_time; }

  void advance(double ns, bool really) {
    now_ns_ += std::llround(ns);
    if (really) std::this_thread::sleep_for(std::chrono::nanoseconds(std::llround(ns)));
  }

 private:
  int64_t now_ns_ = 0;
};

struct SyntheticBatch final : engine::Batch {
  SyntheticBatch(const schema::Shape& shape, std::vector<double> times_ns,
                 std::optional<schema::Tokens> tokens, VisitNoise visit_noise, Preemption others)
      : batch_size(shape.batch_size),
        true_ns(std::move(times_ns)),
        cycle_tokens(tokens),
        noise(visit_noise),
        preemption(others) {}

  int64_t cycle() const override { return static_cast<int64_t>(true_ns.size()); }
  std::optional<schema::Tokens> tokens() const override { return cycle_tokens; }
  // Of the iteration that is next.
  double next_true_ns() const { return true_ns[static_cast<size_t>(iterations) % true_ns.size()]; }

  int64_t batch_size;
  std::vector<double> true_ns;  // of every batch of the cycle
  std::optional<schema::Tokens> cycle_tokens;
  VisitNoise noise;
  Preemption preemption;
  int iterations = 0;
  std::vector<char> memory;
};

constexpr int64_t kFaultsAnIteration = 30'000;
constexpr double kSystemShare = 0.1;

// In a process of its own these are what real models do to theirs.
[[noreturn]] void crash() {
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
  std::abort();
}

[[noreturn]] void hang() {
  while (true) pause();
}

class SyntheticModel final : public engine::ModelWith<engine::TellsLosses, engine::ImaginesUsage> {
 public:
  SyntheticModel(SyntheticSpec spec, VirtualClock& clock, engine::VisitContext context,
                 const engine::ExecutionSpec& execution)
      : spec_(std::move(spec)),
        clock_(clock),
        context_(context),
        process_effect_(process_effect(spec_, context)),
        run_start_ns_(clock.now_ns() - context.elapsed_ns),
        crowd_(1 + spec_.contention * (execution.instances - 1)),
        trains_(execution.mode == schema::Mode::train),
        checkpoints_(execution.checkpointing),
        accumulation_(execution.accumulation),
        keeps_heap_(execution.environment.count("GLIBC_TUNABLES") > 0) {
    clock_.advance(spec_.load_ns, spec_.real);
  }

  Result<std::unique_ptr<engine::Batch>> prepare(const schema::Shape& shape) override {
    const int64_t size = shape.batch_size;
    if (spec_.oom_above && size > *spec_.oom_above) return out_of_memory(size);
    auto times = iteration_times(shape);
    if (!times) return times.error();
    auto tokens = schema::tokens_of(shape);
    if (tokens) tokens->iterations = static_cast<int64_t>(times->size());
    const int repeat = batches_++;
    auto batch =
        std::make_unique<SyntheticBatch>(shape, *std::move(times), tokens,
                                         VisitNoise(spec_, context_, size, process_effect_, repeat),
                                         Preemption(spec_.preemption, context_, repeat));
    memory_bytes_ = memory_of(shape);
    try {
      batch->memory.assign(static_cast<size_t>(spec_.allocate_bytes * size + memory_bytes_), '\1');
    } catch (const std::bad_alloc&) {
      return out_of_memory(size);
    }
    return std::unique_ptr<engine::Batch>(std::move(batch));
  }

  Result<void> run(engine::Batch& batch, engine::PhaseSink& sink) override {
    auto& mine = static_cast<SyntheticBatch&>(batch);
    if (misbehaves()) {
      if (auto lived = misbehave(mine.batch_size); !lived) return lived;
    }
    const double true_ns = mine.next_true_ns();
    const double factor = mine.noise.factor(mine.iterations++, clock_.now_ns() - run_start_ns_);
    const double work = true_ns * crowd_ * factor * charge_heap(mine.batch_size);
    system_ns_ += returned_ ? kSystemShare * work : 0;
    const double wait = mine.preemption.wait_ns(work);
    wait_ns_ += wait;
    const double time = work + wait;
    clock_.advance(time, spec_.real);
    report_phases(time, sink);
    return {};
  }

  Result<void> wait(engine::PhaseSink&) override { return {}; }
  void reset_memory_peaks() override {
    faults_ = 0;
    system_ns_ = 0;
    wait_ns_ = 0;
  }
  std::optional<schema::Usage> virtual_usage() const override {
    const bool waits = spec_.preemption.slice_ns > 0;
    if (spec_.heap_returned.empty() && !waits) return std::nullopt;
    schema::Usage usage;
    if (!spec_.heap_returned.empty()) {
      usage.minor_faults = faults_;
      usage.system_ns = std::llround(system_ns_);
    }
    if (waits) usage.wait_ns = usage.wait_max_thread_ns = std::llround(wait_ns_);  // one thread
    return usage;
  }
  schema::Memory memory() const override {
    schema::Memory memory;
    if (spec_.memory) memory.peak_rss_bytes = memory_bytes_;
    return memory;
  }
  std::optional<double> last_loss() const override {
    return trains_ ? std::optional(0.5) : std::nullopt;
  }

 private:
  // Of the longest batch of the cycle.
  int64_t memory_of(const schema::Shape& shape) const {
    int64_t most = 0;
    for (int64_t i = 0; i < schema::cycle_of(shape); ++i) {
      const auto longest = schema::longest_of(shape, i);
      most = std::max(most,
                      true_memory_bytes(spec_, shape.batch_size, trains_, checkpoints_, longest));
    }
    return most;
  }

  // Of one cycle; an iteration takes as many batches as are accumulated.
  Result<std::vector<double>> iteration_times(const schema::Shape& shape) const {
    const int64_t cycle = std::max<int64_t>(schema::cycle_of(shape) / accumulation_, 1);
    std::vector<double> times(static_cast<size_t>(cycle));
    for (int64_t i = 0; i < cycle * accumulation_; ++i) {
      const int64_t batch = i % schema::cycle_of(shape);
      const auto time = true_time_ns(spec_, shape.batch_size, schema::longest_of(shape, batch));
      if (!time) return time.error();
      times[static_cast<size_t>(i / accumulation_)] += *time;
    }
    return times;
  }

  // The factor on the time; counts the page faults that it stands for.
  double charge_heap(int64_t batch_size) {
    const auto found = spec_.heap_returned.find(batch_size);
    returned_ = found != spec_.heap_returned.end() && !keeps_heap_;
    if (returned_) faults_ += kFaultsAnIteration;
    return returned_ ? found->second : 1;
  }

  bool misbehaves() const { return spec_.throw_at || spec_.crash_at || spec_.hang_at; }

  Result<void> misbehave(int64_t batch_size) const {
    if (batch_size == spec_.crash_at) crash();
    if (batch_size == spec_.hang_at) hang();
    if (batch_size == spec_.throw_at) {
      return Error{ErrorKind::failed,
                   fmt::format("failed at batch size {} as requested", batch_size), "synthetic",
                   "remove throw_at from the model's name"};
    }
    return {};
  }

  static Error out_of_memory(int64_t batch_size) {
    return {ErrorKind::out_of_memory, fmt::format("no memory for batch size {}", batch_size),
            "synthetic", "try a smaller batch size"};
  }

  void report_phases(double time, engine::PhaseSink& sink) const {
    constexpr double kForward = 0.95, kCopyBack = 0.03;  // the rest is "other"
    const auto tell = [&](std::string_view name, double share) {
      sink.enter(name);
      sink.phase(name, std::llround(time * share), std::nullopt);
    };
    if (trains_) {
      tell(schema::phases::kForward, kForward * 0.3);
      tell(schema::phases::kLoss, kForward * 0.05);
      tell(schema::phases::kBackward, kForward * 0.55);
      tell(schema::phases::kOptimizer, kForward * 0.1);
    } else {
      tell(schema::phases::kForward, kForward);
    }
    tell(schema::phases::kToHost, kCopyBack);
  }

  SyntheticSpec spec_;
  VirtualClock& clock_;
  engine::VisitContext context_;
  double process_effect_;
  int64_t run_start_ns_;  // on this clock, which may have started with the process
  double crowd_;          // the factor of what runs beside it
  bool trains_;
  bool checkpoints_;
  int64_t memory_bytes_ = 0;  // of the latest batch
  int64_t accumulation_;
  bool keeps_heap_;
  bool returned_ = false;  // memory, by the latest iteration
  int64_t faults_ = 0;
  double system_ns_ = 0;
  double wait_ns_ = 0;
  int batches_ = 0;
};

// FNV-1a, 64 bits: stands for the definition in the run file.
std::string definition_hash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return fmt::format("fnv1a:{:016x}", hash);
}

class SyntheticEngine final : public engine::Engine {
 public:
  explicit SyntheticEngine(uint64_t seed) : seed_(seed) {}

  std::string_view name() const override { return schema::kEngineOfLaws; }
  const engine::Clock& clock() const override { return clock_; }
  std::map<std::string, std::string> versions() const override { return {}; }
  std::vector<std::string> devices() const override { return {"cpu"}; }
  std::vector<engine::ModelDescription> models() const override {
    return {{"affine:5ms,2ms", "a law in virtual time: 5 ms + 2 ms per sample, with noise", 0,
             false, std::nullopt, true}};
  }

  // A law that cannot be read is for inspect() to explain.
  std::optional<engine::ModelDescription> find_model(std::string_view name) const override {
    const auto law = parse_synthetic(name);
    return engine::ModelDescription{.name = std::string(name),
                                    .has_seq_len = law && law->per_token,
                                    .checkpointing = law && law->memory};
  }

  Result<schema::ModelInfo> inspect(const engine::ModelSpec& spec) override {
    if (auto parsed = parse_synthetic(spec.name); !parsed) return parsed.error();
    schema::ModelInfo info;
    info.name = spec.name;
    info.hash = definition_hash(spec.name);
    info.description = "a stated law in virtual time";
    return info;
  }

  Result<std::unique_ptr<engine::Model>> load(const engine::ModelSpec& spec,
                                              const engine::ExecutionSpec& execution) override {
    if (spec.name != parsed_name_) {
      auto parsed = parse_synthetic(spec.name);
      if (!parsed) return parsed.error();
      parsed_ = *std::move(parsed);
      parsed_name_ = spec.name;
    }
    if (execution.device != "cpu") {
      return Error{ErrorKind::failed, fmt::format("no device '{}'", execution.device), "synthetic",
                   "use --device cpu"};
    }
    const int64_t count = loads_++;
    engine::VisitContext context =
        execution.visit.value_or(engine::VisitContext{0, count, count, clock_.now_ns()});
    context.seed = stats::mix_seed(seed_, context.seed);
    return std::unique_ptr<engine::Model>(
        std::make_unique<SyntheticModel>(parsed_, clock_, context, execution));
  }

 private:
  uint64_t seed_;
  VirtualClock clock_;
  int64_t loads_ = 0;
  std::string parsed_name_;  // a sweep loads the same law again and again
  SyntheticSpec parsed_;
};

}  // namespace

std::unique_ptr<engine::Engine> make_synthetic_engine(uint64_t seed) {
  return std::make_unique<SyntheticEngine>(seed);
}

Result<std::unique_ptr<engine::Engine>> load_synthetic(std::string_view name) {
  if (name == schema::kEngineOfLaws) return make_synthetic_engine(0);
  return Error{ErrorKind::usage, fmt::format("'{}' does not run laws", name), "--engine",
               "use the engine synthetic"};
}

}  // namespace batchscope::engines
