#include "batchscope/capacity/max_batch_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/units.hpp"
#include "batchscope/timing/steady_visit.hpp"
#include "max_batch_replay.hpp"
#include "unfinished_probe.hpp"

namespace batchscope::capacity {
namespace {

using base::ErrorKind;
using base::Result;

constexpr double kNanosecondsASecond = 1e9;
// The first iteration makes what lives as long as the model (the state of an optimizer); only later
// ones show the peak.
constexpr int kWarmup = 1, kTimed = 2;
constexpr double kMostSoakIterations = 100'000;

enum class Step { done, interrupted, out_of_budget };

class Runner {
 public:
  Runner(const measure::Job& job, const schema::MaxBatchSettings& plan,
         const MaxBatchCollaborators& with, schema::RunFile& run)
      : job_(job), plan_(plan), with_(with), run_(run) {}

  Result<void> begin();
  // Returns the reason of the end: search-done, budget, interrupted.
  Result<schema::EndReason> all();
  Result<void> end(schema::EndReason reason);

 private:
  Result<schema::EndReason> one(int config);
  Result<Step> probe(int config, const ProbeAsk& ask);
  Result<Step> probe_need(int config);
  Result<Step> make(schema::Probe probe);
  Result<Step> record_interrupted(schema::Probe probe, Step why);
  Result<void> judge_unfinished();
  Result<void> note_ceilings(int config);
  Result<void> note_ceiling(int config, int64_t limit_bytes);
  Result<void> record(const schema::Probe& probe);
  Result<void> record_end(const schema::Probe& probe);
  void keep_ceiling(const schema::Probe& probe);
  void keep_recorded_ceilings();
  measure::VisitRequest request_of(const schema::Probe& probe) const;
  int64_t held_back_by(const schema::Probe& probe) const;
  double expected_s(const schema::Probe& probe) const;  // of an iteration; 0 where nothing is known
  double timeout_of(const schema::Probe& probe) const;
  double spent_s() const;
  void warn(const std::string& text) const;

  const measure::Job& job_;
  const schema::MaxBatchSettings& plan_;
  const MaxBatchCollaborators& with_;
  schema::RunFile& run_;
};

bool is_soak(const schema::Probe& probe) {
  return probe.purpose == ProbePurpose::soak;
}

// The largest peak that the system counts in the place where the limit is.
void put_peak(const schema::Memory& memory, schema::Probe& probe) {
  probe.reserved_bytes = memory.peak_reserved_bytes;
  if (memory.peak_allocated_bytes) {
    probe.peak_bytes = memory.peak_allocated_bytes;
    probe.peak_of = "allocated";
  } else if (memory.peak_group_bytes) {
    probe.peak_bytes = memory.peak_group_bytes;
    probe.peak_of = "group";
  } else if (memory.peak_rss_bytes) {
    probe.peak_bytes = memory.peak_rss_bytes;
    probe.peak_of = "resident";
  }
}

void put_visit(const schema::Visit& visit, schema::Probe& probe) {
  probe.outcome = ProbeOutcome::fits;
  probe.iterations = static_cast<int64_t>(visit.warmup_ns.size() + visit.samples_ns.size());
  // A size that is tried once tells nothing of its warm-up.
  if (!visit.samples_ns.empty())
    probe.iteration_ns = std::llround(timing::typical_ns(timing::warm(visit, {})));
  probe.wall_ns = visit.wall_ns;
  put_peak(visit.memory, probe);
}

// Where no limit is held, a device that has more by now than when it was asked ends nothing. What
// the allocator reserved is no measure: it grows up to what there is, and is given back before
// memory runs out.
void check_margin(schema::Probe& probe, bool held) {
  if (held || !is_soak(probe) || probe.limit_bytes == 0) return;
  if (probe.peak_bytes.value_or(0) <= probe.limit_bytes) return;
  probe.outcome = ProbeOutcome::failed;
  probe.message = fmt::format("it used {}, above the limit of {}", peak_words(probe),
                              base::format_bytes(probe.limit_bytes));
}

void say_held_back(int64_t bytes, schema::Probe& probe) {
  if (bytes == 0) return;
  probe.message +=
      fmt::format("; batchscope held back {} of the device's memory", base::format_bytes(bytes));
}

// The kernel may have killed somebody else meanwhile: only a worker that it can have killed, and of
// which nothing tells otherwise, is one that ran out of memory.
void put_failure(const measure::VisitFailure& failure, const host::OomKills& before,
                 const host::OomKills& now, schema::Probe& probe) {
  const bool by_kernel = failure.killed_for_unknown && host::killed_between(before, now);
  const bool memory = by_kernel || failure.event.kind == schema::EventKind::out_of_memory;
  probe.outcome = memory ? ProbeOutcome::out_of_memory : ProbeOutcome::failed;
  probe.message = failure.event.what;
  if (by_kernel) {
    probe.message +=
        now.machine_wide
            ? "; the kernel's OOM killer ended a process meanwhile, most likely this one"
            : "; the kernel's OOM killer ended it";
  }
  probe.wall_ns = failure.wall_ns;
}

Result<void> Runner::record(const schema::Probe& probe) {
  if (auto kept = with_.sink.probe(probe); !kept) return kept;
  run_.probes.push_back(probe);
  return {};
}

// What died is known to other runs before anything else is done.
Result<void> Runner::record_end(const schema::Probe& probe) {
  if (auto kept = record(probe); !kept) return kept;
  if (probe.outcome == ProbeOutcome::out_of_memory) keep_ceiling(probe);
  if (with_.observer != nullptr) with_.observer->on_probe(probe);
  return {};
}

void Runner::keep_ceiling(const schema::Probe& probe) {
  const auto& config = run_.configs[static_cast<std::size_t>(probe.config)];
  const std::string key = ceiling_key(run_.header, config);
  const auto known = with_.ceilings.find(key, probe.limit_bytes);
  if (known && known->batch_size <= probe.batch_size) return;
  const auto kept =
      with_.ceilings.add({key, probe.batch_size, probe.limit_bytes, run_.header.created});
  if (!kept) warn("not saved for later runs: " + base::to_string(kept.error()));
}

// A run that was killed between writing down what died and keeping it for others.
void Runner::keep_recorded_ceilings() {
  for (const schema::Probe& probe : run_.probes) {
    const bool died = probe.outcome == ProbeOutcome::out_of_memory;
    if (died && probe.purpose != ProbePurpose::ceiling) keep_ceiling(probe);
  }
}

void Runner::warn(const std::string& text) const {
  if (with_.observer != nullptr) with_.observer->on_warning(text);
}

double Runner::spent_s() const {
  double ns = 0;
  for (const schema::Probe& probe : run_.probes) ns += static_cast<double>(probe.wall_ns);
  return ns / kNanosecondsASecond;
}

double Runner::expected_s(const schema::Probe& probe) const {
  const schema::Probe* nearest = nullptr;
  for (const schema::Probe& each : run_.probes) {
    if (each.config != probe.config || each.iteration_ns == 0) continue;
    const auto off = [&](const schema::Probe& at) {
      return std::abs(at.batch_size - probe.batch_size);
    };
    if (nearest == nullptr || off(each) < off(*nearest)) nearest = &each;
  }
  if (nearest == nullptr) return 0;
  return static_cast<double>(nearest->iteration_ns) / kNanosecondsASecond *
         static_cast<double>(probe.batch_size) / static_cast<double>(nearest->batch_size);
}

double Runner::timeout_of(const schema::Probe& probe) const {
  constexpr double kSlower = 2;
  const double timeout = run_.header.plan.timeout_s;
  if (!is_soak(probe)) return timeout;
  return timeout + kSlower * std::max(plan_.soak_s, kSoakIterations * expected_s(probe));
}

// Where no limit can be held, the soak is made on a device that is smaller by the margin.
int64_t Runner::held_back_by(const schema::Probe& probe) const {
  if (plan_.limit_held || !is_soak(probe) || probe.limit_bytes == 0) return 0;
  return plan_.limit_bytes - probe.limit_bytes;
}

measure::VisitRequest Runner::request_of(const schema::Probe& probe) const {
  measure::VisitRequest request;
  request.config = probe.config;
  request.run = run_.configs[static_cast<std::size_t>(probe.config)];
  request.run.shape.batch_size = probe.batch_size;
  if (const auto* const model = measure::find_spec(job_, request.run)) request.model = *model;
  request.context.seed = run_.header.seed;
  request.context.number = static_cast<int64_t>(run_.probes.size());
  request.context.process = request.context.number;
  request.held_back_bytes = held_back_by(probe);
  request.warmup.fixed = kWarmup;
  if (!is_soak(probe)) {
    request.timed.fixed = kTimed;
    return request;
  }
  request.timed.at_least = kSoakIterations;
  request.timed.at_least_ns = std::llround(plan_.soak_s * kNanosecondsASecond);
  const double each_s = expected_s(probe);
  if (each_s > 0 && plan_.soak_s / each_s > kMostSoakIterations) {
    request.timed.fixed = static_cast<int>(kMostSoakIterations);
  }
  return request;
}

// What did not end is tried again by a resumed search, and not taken for what killed the last one.
Result<Step> Runner::record_interrupted(schema::Probe probe, Step why) {
  probe.outcome = ProbeOutcome::interrupted;
  if (auto kept = record(probe); !kept) return kept.error();
  return why;
}

Result<Step> Runner::make(schema::Probe probe) {
  const host::OomKills before = with_.read_oom_kills();
  probe.boot_id = before.boot_id;
  probe.oom_kills = before.count;
  if (auto kept = record(probe); !kept) return kept.error();
  const auto limit = plan_.limit_held ? std::optional(probe.limit_bytes) : std::nullopt;
  // The budget holds within a try too; so much at least, that one is not ended as it begins.
  constexpr double kLeastS = 1;
  const double left_s = std::max(kLeastS, run_.header.plan.budget_s - spent_s());
  const bool cut = left_s < timeout_of(probe);
  const auto executor = with_.make_executor(limit, cut ? left_s : timeout_of(probe));
  const measure::VisitRequest request = request_of(probe);
  auto outcome = executor->visit(request, with_.stop);
  if (!outcome && outcome.error().kind == ErrorKind::interrupted) {
    return record_interrupted(std::move(probe), Step::interrupted);
  }
  if (!outcome) return std::move(outcome).error();
  const auto* const failure = std::get_if<measure::VisitFailure>(&*outcome);
  if (cut && failure != nullptr && failure->event.kind == schema::EventKind::timeout) {
    probe.wall_ns = failure->wall_ns;
    return record_interrupted(std::move(probe), Step::out_of_budget);
  }
  if (failure != nullptr) {
    put_failure(*failure, before, with_.read_oom_kills(), probe);
    say_held_back(request.held_back_bytes, probe);
  } else {
    put_visit(std::get<schema::Visit>(*outcome), probe);
    check_margin(probe, plan_.limit_held);
  }
  if (auto kept = record_end(probe); !kept) return kept.error();
  return Step::done;
}

Result<Step> Runner::probe(int config, const ProbeAsk& ask) {
  schema::Probe probe;
  probe.config = config;
  probe.batch_size = ask.batch_size;
  probe.purpose = ask.purpose;
  probe.limit_bytes = plan_.limit_bytes;
  if (ask.purpose == ProbePurpose::soak) {
    probe.limit_bytes = search_of(run_, config, plan_).safe_bytes().value_or(0);
  }
  return make(std::move(probe));
}

// Where not even one sample fits: by how much.
Result<Step> Runner::probe_need(int config) {
  schema::Probe probe;
  probe.config = config;
  probe.batch_size = 1;
  probe.purpose = ProbePurpose::need;
  probe.limit_bytes = plan_.machine_bytes;
  return make(std::move(probe));
}

Result<void> Runner::judge_unfinished() {
  const auto end = believed_end(run_, plan_, with_.read_oom_kills());
  return end ? record_end(*end) : Result<void>();
}

Result<void> Runner::note_ceiling(int config, int64_t limit_bytes) {
  const auto& of = run_.configs[static_cast<std::size_t>(config)];
  const auto known = with_.ceilings.find(ceiling_key(run_.header, of), limit_bytes);
  if (!known) return {};
  schema::Probe probe;
  probe.config = config;
  probe.batch_size = known->batch_size;
  probe.purpose = ProbePurpose::ceiling;
  probe.limit_bytes = limit_bytes;
  probe.outcome = ProbeOutcome::out_of_memory;
  probe.message = fmt::format("in the run of {} at a limit of {}", known->when,
                              base::format_bytes(known->limit_bytes));
  return record(probe);
}

// Of earlier runs, as this one finds them; a resumed run has them in its file.
Result<void> Runner::note_ceilings(int config) {
  const bool begun = std::any_of(run_.probes.begin(), run_.probes.end(),
                                 [&](const schema::Probe& each) { return each.config == config; });
  if (begun) return {};
  const auto with_margin = search_of(run_, config, plan_).safe_bytes();
  if (auto noted = note_ceiling(config, plan_.limit_bytes); !noted) return noted;
  return with_margin ? note_ceiling(config, *with_margin) : Result<void>();
}

Result<schema::EndReason> Runner::one(int config) {
  if (with_.observer != nullptr) {
    with_.observer->on_config(run_.configs[static_cast<std::size_t>(config)]);
  }
  if (auto noted = note_ceilings(config); !noted) return noted.error();
  while (true) {
    const MaxBatch search = search_of(run_, config, plan_);
    const auto ask = search.ask();
    if (!ask) break;
    if (with_.stop.stop_requested()) return schema::EndReason::interrupted;
    if (spent_s() >= run_.header.plan.budget_s) return schema::EndReason::budget;
    if (with_.observer != nullptr) with_.observer->on_ask(*ask);
    const auto made = probe(config, *ask);
    if (!made) return made.error();
    if (*made == Step::interrupted) return schema::EndReason::interrupted;
    if (*made == Step::out_of_budget) return schema::EndReason::budget;
  }
  const FoundBatch found = found_batches(run_, plan_)[static_cast<std::size_t>(config)];
  const bool can_tell = plan_.limit_held && plan_.machine_bytes > plan_.limit_bytes;
  if (found.largest == 0 && found.bound == MaxBatchBound::out_of_memory && can_tell &&
      !found.need) {
    const auto made = probe_need(config);
    if (!made) return made.error();
    if (*made == Step::interrupted) return schema::EndReason::interrupted;
    if (*made == Step::out_of_budget) return schema::EndReason::budget;
  }
  return schema::EndReason::search_done;
}

Result<schema::EndReason> Runner::all() {
  keep_recorded_ceilings();
  if (auto judged = judge_unfinished(); !judged) return judged.error();
  for (int config = 0; config < static_cast<int>(run_.configs.size()); ++config) {
    const auto reason = one(config);
    if (!reason || *reason != schema::EndReason::search_done) return reason;
  }
  return schema::EndReason::search_done;
}

Result<void> Runner::begin() {
  const bool is_new = run_.probes.empty() && run_.report.valid_bytes == 0;
  return is_new ? with_.sink.begin(run_.header, run_.configs) : Result<void>();
}

Result<void> Runner::end(schema::EndReason reason) {
  schema::End end;
  end.reason = reason;
  end.wall_s = spent_s();
  for (const schema::Probe& probe : run_.probes) {
    end.iteration_s +=
        static_cast<double>(probe.iterations * probe.iteration_ns) / kNanosecondsASecond;
  }
  if (auto kept = with_.sink.end(end); !kept) return kept;
  run_.end = end;
  return {};
}

}  // namespace

Result<void> find_max_batches(const measure::Job& job, const schema::MaxBatchSettings& plan,
                              const MaxBatchCollaborators& with, schema::RunFile& run) {
  Runner runner(job, plan, with, run);
  if (auto begun = runner.begin(); !begun) return begun;
  const auto reason = runner.all();
  if (!reason) return reason.error();
  return runner.end(*reason);
}

}  // namespace batchscope::capacity
