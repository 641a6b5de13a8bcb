#include "visit_maker.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "batchscope/base/system_root.hpp"
#include "batchscope/engine/abilities.hpp"
#include "batchscope/host/processor_waits.hpp"
#include "batchscope/host/usage.hpp"
#include "batchscope/ranges/nvtx.hpp"
#include "batchscope/schema/device_name.hpp"
#include "batchscope/schema/phases.hpp"
#include "diagnosis.hpp"
#include "observation.hpp"
#include "output_difference.hpp"

namespace batchscope::measure {
namespace {

using base::Result;

constexpr int kPreparedBatches = 2;  // the last is used; the first also pays for fresh memory

engine::ExecutionSpec execution_of(const VisitRequest& request) {
  engine::ExecutionSpec execution;
  execution.device = request.run.device;
  execution.threads = request.run.threads;
  execution.instances = request.run.instances;
  execution.precision = request.run.precision;
  execution.mode = request.run.mode;
  execution.optimizer = request.run.optimizer;
  execution.checkpointing = request.run.checkpointing;
  execution.param = request.run.param;
  execution.compile = request.run.compile;
  execution.gc = request.run.gc;
  execution.accumulation = request.run.accumulation;
  execution.loader = request.run.loader;
  execution.pipeline = request.run.pipeline;
  execution.wait_each = request.wait_each;
  execution.visit = request.context;
  execution.environment = request.run.environment;
  return execution;
}

ModelKey key_of(const VisitRequest& request) {
  ModelKey key{request.run, request.model.path, request.model.seed, request.wait_each,
               request.context.instance};
  key.run.shape = {};
  return key;
}

// The visit as an attached tool shows it.
ranges::nvtx::ScopedRange shown_as(const schema::RunConfig& config) {
  return ranges::nvtx::attached() ? ranges::nvtx::ScopedRange(schema::describe(config))
                                  : ranges::nvtx::ScopedRange();
}

bool is_virtual(const engine::Clock& clock) {
  return clock.kind() == schema::ClockKind::virtual_time;
}

struct Prepared {
  std::unique_ptr<engine::Batch> batch;
  schema::Phase phase;
};

Result<Prepared> prepare(engine::Model& model, const schema::Shape& shape,
                         const engine::Clock& clock) {
  const ranges::nvtx::ScopedRange shown(schema::phases::kPrepare);
  Prepared prepared;
  prepared.phase.name = schema::phases::kPrepare;
  for (int i = 0; i < kPreparedBatches; ++i) {
    prepared.batch.reset();
    const int64_t start = clock.now_ns();
    auto batch = model.prepare(shape);
    prepared.phase.host_ns += clock.now_ns() - start;
    if (!batch) return std::move(batch).error();
    prepared.batch = *std::move(batch);
    prepared.phase.count += prepared.batch->cycle();
  }
  return prepared;
}

// The mean of the last two iterations, or of the last cycle.
int64_t expected_iteration_ns(const std::vector<int64_t>& warmup, int64_t cycle) {
  if (warmup.empty()) return 0;
  const auto last = std::min(static_cast<std::ptrdiff_t>(warmup.size()),
                             static_cast<std::ptrdiff_t>(std::max<int64_t>(cycle, 2)));
  return std::accumulate(warmup.end() - last, warmup.end(), int64_t{0}) / last;
}

TimedAim aim_of(const TimedRule& rule, const std::vector<int64_t>& warmup, int64_t cycle,
                int64_t elapsed_ns) {
  const int64_t outside = elapsed_ns - std::accumulate(warmup.begin(), warmup.end(), int64_t{0});
  const double amortised = rule.over_startup * static_cast<double>(std::max<int64_t>(outside, 0));
  TimedAim aim;
  aim.amortised_ns =
      static_cast<int64_t>(std::min(amortised, static_cast<double>(rule.amortised_most_ns)));
  aim.expected_ns = expected_iteration_ns(warmup, cycle);
  return aim;
}

// Of the process until the first iteration.
struct Peak {
  std::optional<int64_t> rss_bytes;
  bool begun_anew = false;  // from there on the system counts another one
};

Peak begin_iterations(bool real) {
  if (!real) return {};
  const base::SystemRoot root;
  const auto until_now = host::read_peak_rss_bytes(root);
  return {until_now, host::reset_peak_rss(root)};
}

void put_peaks(const Peak& before, schema::Memory& memory) {
  const auto now = host::read_peak_rss_bytes(base::SystemRoot());
  memory.peak_rss_bytes = std::max(before.rss_bytes, now);
  if (before.begun_anew) memory.peak_iterations_rss_bytes = now;
}

// Losses of a model that an earlier visit has trained are not those of its first steps.
void put_training(engine::Model& model, bool first_visit, int64_t skipped_before,
                  schema::Visit& visit) {
  const auto* const training = model.as<engine::TellsLosses>();
  if (training == nullptr) return;
  visit.loss = training->last_loss();
  if (first_visit) visit.losses = training->first_losses();
  visit.skipped_steps = training->skipped_steps();
  if (visit.skipped_steps) *visit.skipped_steps -= skipped_before;
}

Result<void> put_interpreter(engine::Model& model, schema::Visit& visit) {
  auto* const interpreter = model.as<engine::TellsInterpreter>();
  if (interpreter == nullptr) return {};
  visit.collections = interpreter->collections();
  visit.compilation = interpreter->compilation();
  auto loading = interpreter->loading();
  if (!loading) return loading.error();
  visit.loader = *std::move(loading);
  return {};
}

int64_t skipped_steps(engine::Model& model) {
  const auto* const training = model.as<engine::TellsLosses>();
  return training == nullptr ? 0 : training->skipped_steps().value_or(0);
}

// Where a limit can hold the memory back instead, the model need not.
Result<void> hold_back(engine::Model& model, int64_t bytes) {
  auto* const holder = model.as<engine::HoldsBack>();
  return holder == nullptr ? Result<void>() : holder->hold_back(bytes);
}

// Of virtual time only the engine knows what it would have been charged.
schema::Usage usage_of(engine::Model& model, const schema::Usage& of_system) {
  const auto* const imagined = model.as<engine::ImaginesUsage>();
  return imagined == nullptr ? of_system : imagined->virtual_usage().value_or(of_system);
}

// A model that runs beside others.
struct Running {
  engine::Model& model;
  engine::Batch& batch;
  engine::PhaseSink& sink;
  bool wait_each;
  bool real;  // virtual time stands still while it waits

  Result<void> once() const {
    auto ran = iterate(model, batch, sink);
    return ran && !wait_each ? model.wait(sink) : ran;
  }
};

// Waits for the others with untimed iterations: the machine is to be as busy for the first of them
// to be done as for the last.
Result<int64_t> meet(InstanceBarrier& others, BarrierPhase meeting, int64_t wanted,
                     const Running& running) {
  const ranges::nvtx::ScopedRange shown("wait for other instances");
  if (auto reported = others.arrive(meeting, wanted); !reported) return reported.error();
  while (running.real && !others.are_there()) {
    if (auto ran = running.once(); !ran) return ran.error();
  }
  return others.join();
}

// The timed part of a visit, with what the system charged for it.
struct Timed {
  TimedSeries series;
  schema::Usage usage;                  // empty in virtual time
  std::optional<Observation> observed;  // of a diagnostic visit
};

// In virtual time the system has nothing to say.
host::ProcessorWaits waits_of(const Running& running) {
  if (!running.real) return {};
  return host::read_processor_waits(base::SystemRoot(), host::current_affinity());
}

Result<void> run_timed(const Running& running, const engine::Clock& clock, const TimedRule& rule,
                       const TimedAim& aim, const VisitRequest& request, Timed& timed) {
  const bool diagnostic = request.purpose == schema::Purpose::diagnostic;
  // Reading the waits opens a file a thread: nothing else that is counted counts that.
  const host::ProcessorWaits waits_before = waits_of(running);
  if (running.real && diagnostic) timed.observed.emplace(/*threads=*/!request.traced);
  if (timed.observed) timed.observed->start();
  ranges::nvtx::ScopedRange shown("timed");
  const auto read = [&] { return running.real ? host::read_own_usage() : host::UsageCounts{}; };
  const host::UsageCounts before = read();
  const auto run = running.wait_each ? run_timed_each : run_timed_end;
  auto done = run(running.model, running.batch, running.sink, clock, rule, aim, timed.series);
  const host::UsageCounts after = read();
  shown.end();
  if (timed.observed) timed.observed->stop();
  const host::ProcessorWaits waits_after = waits_of(running);
  if (running.real) timed.usage = host::usage_between(before, after);
  host::put_waits(waits_before, waits_after, timed.usage);
  return done;
}

}  // namespace

VisitMaker::VisitMaker(EngineFactory factory, ModelReuse reuse)
    : factory_(std::move(factory)), reuse_(reuse) {}

Result<engine::Engine*> VisitMaker::find_engine(const std::string& name) {
  auto known = engines_.find(name);
  if (known == engines_.end()) {
    auto made = factory_(name);
    if (!made) return std::move(made).error();
    known = engines_.emplace(name, *std::move(made)).first;
  }
  return known->second.get();
}

Result<engine::Model*> VisitMaker::load(engine::Engine& engine, const VisitRequest& request) {
  auto loaded = engine.load(request.model, execution_of(request));
  if (!loaded) return std::move(loaded).error();
  ++loads_;
  auto& place = reuse_ == ModelReuse::never ? current_ : models_[key_of(request)];
  place = *std::move(loaded);
  return place.get();
}

// On the CPU models stay: loading them again costs more than their memory does.
void VisitMaker::clear_device(const std::string& device) {
  if (!schema::is_accelerator(device)) return;
  std::erase_if(models_, [&](const auto& kept) { return kept.first.run.device == device; });
}

Result<engine::Model*> VisitMaker::find_model(engine::Engine& engine, const VisitRequest& request) {
  const ranges::nvtx::ScopedRange shown(schema::phases::kLoad);
  current_.reset();        // before the next one needs its memory
  phases_ = PhaseTable();  // its names are those of a model that may be gone
  const auto known = models_.find(key_of(request));
  if (known == models_.end()) clear_device(request.run.device);
  // Else the peak that is reserved would be that of the largest visit so far.
  engine.give_back_unused_memory(request.run.device);
  if (known != models_.end()) return known->second.get();
  return load(engine, request);
}

// What failed in the middle of an iteration is not what was loaded: it may have made half a step,
// and hold memory.
void VisitMaker::drop_model(engine::Engine& engine, const VisitRequest& request) {
  current_.reset();
  models_.erase(key_of(request));
  engine.give_back_unused_memory(request.run.device);
}

Result<schema::Visit> VisitMaker::measure(engine::Engine& engine, const VisitRequest& request,
                                          int64_t started_ns, const std::function<void()>& on_timed,
                                          InstanceBarrier* others) {
  const engine::Clock& clock = engine.clock();
  const bool real = !is_virtual(clock);
  // The peak of a process that serves several visits is to be this visit's.
  if (real && visits_++ > 0) host::reset_peak_rss(base::SystemRoot());
  schema::Visit visit;
  const int loads_before = loads_;
  auto model = find_model(engine, request);
  if (!model) return std::move(model).error();
  if (auto held = hold_back(**model, request.held_back_bytes); !held) return held.error();
  const bool first_visit = loads_ != loads_before;
  const int64_t skipped_before = skipped_steps(**model);
  visit.load_ns = clock.now_ns() - started_ns;
  auto prepared = prepare(**model, request.run.shape, clock);
  if (!prepared) return std::move(prepared).error();
  engine::Batch& batch = *prepared->batch;

  const Peak before_iterations = begin_iterations(real);
  auto warmup = run_warmup(**model, batch, phases_, clock, request.warmup, request.wait_each);
  if (!warmup) return std::move(warmup).error();
  visit.warmup_ns = *std::move(warmup);
  TimedRule rule = request.timed;
  const TimedAim aim = aim_of(rule, visit.warmup_ns, batch.cycle(), clock.now_ns() - started_ns);
  const Running running{**model, batch, phases_, request.wait_each, real};
  if (others != nullptr) {
    const auto agreed = meet(*others, BarrierPhase::ready, wanted_iterations(rule, aim), running);
    if (!agreed) return agreed.error();
    // A visit has one number of iterations a series.
    constexpr int64_t kMost = std::numeric_limits<int>::max();
    if (!request.wait_each) rule.fixed = static_cast<int>(std::min(*agreed, kMost));
  }
  phases_.reset();
  (*model)->reset_memory_peaks();
  Timed timed;
  const auto done = run_timed(running, clock, rule, aim, request, timed);
  if (!done) return done.error();
  if (on_timed) on_timed();

  visit.samples_ns = std::move(timed.series.samples_ns);
  visit.iterations_per_sample = timed.series.iterations_per_sample;
  visit.tokens = batch.tokens();
  visit.phases = phases_.phases();
  visit.phases.insert(visit.phases.begin(), prepared->phase);
  visit.memory = (*model)->memory();
  if (real) put_peaks(before_iterations, visit.memory);
  visit.usage = usage_of(**model, timed.usage);
  put_training(**model, first_visit, skipped_before, visit);
  if (auto put = put_interpreter(**model, visit); !put) return put.error();
  visit.clock = clock.kind();
  if (others != nullptr) {
    if (const auto met = meet(*others, BarrierPhase::timed, 0, running); !met) return met.error();
  }
  if (request.purpose == schema::Purpose::diagnostic) {
    visit.diagnosis = diagnose(**model, batch, timed.observed, request);
  }
  return visit;
}

Result<schema::OutputDifference> VisitMaker::compare(const VisitRequest& request) {
  const ranges::nvtx::ScopedRange shown("outputs");
  VisitRequest other = request;
  other.run = request.against->run;
  other.model = request.against->model;
  clear_device(other.run.device);
  clear_device(request.run.device);
  auto against = find_engine(other.run.engine);
  if (!against) return std::move(against).error();
  const auto held_against = outputs_of(**against, other, execution_of(other));
  if (!held_against) return held_against.error();
  auto own = find_engine(request.run.engine);
  if (!own) return std::move(own).error();
  const auto outputs = outputs_of(**own, request, execution_of(request));
  if (!outputs) return outputs.error();
  return difference_of(*outputs, *held_against);
}

Result<MadeVisit> VisitMaker::make(const VisitRequest& request, std::optional<int64_t> started_ns,
                                   const std::function<void()>& on_timed, InstanceBarrier* others) {
  const ranges::nvtx::ScopedRange shown = shown_as(request.run);
  auto engine = find_engine(request.run.engine);
  if (!engine) return std::move(engine).error();
  const engine::Clock& clock = (*engine)->clock();
  const bool shared_clock = clock.kind() == schema::ClockKind::steady && started_ns.has_value();
  const int64_t start = shared_clock ? *started_ns : clock.now_ns();
  MadeVisit made{measure(**engine, request, start, on_timed, others), clock.now_ns() - start,
                 is_virtual(clock)};
  if (!made.visit) drop_model(**engine, request);
  if (made.visit) {
    made.visit->wall_ns = made.wall_ns;
    made.visit->config = request.config;
    made.visit->block = request.block;
    made.visit->order = request.order;
    made.visit->attempt = request.attempt;
    made.visit->purpose = request.purpose;
  }
  return made;
}

}  // namespace batchscope::measure
