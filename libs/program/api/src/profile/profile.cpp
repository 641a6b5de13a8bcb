#include "batchscope/api/profile.hpp"

#include <utility>

#include "batchscope/study/check_pipelines.hpp"
#include "batchscope/study/study.hpp"
#include "measuring/measured_run.hpp"
#include "measuring/resuming.hpp"
#include "measuring/run_file.hpp"

namespace batchscope::api {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// What another verb or program wrote is theirs to go on with. Errors: usage.
Result<void> check_origin(const schema::OpenEnum<schema::Origin>& origin, const std::string& path) {
  const auto refuse = [&](const std::string& what, const std::string& fix) {
    return Error{ErrorKind::usage, what, path, fix};
  };
  if (origin == schema::Origin::imported) {
    return refuse("these numbers come from an import, not from a measurement",
                  "resume only what `profile` wrote");
  }
  if (origin == schema::Origin::api) {
    return refuse("a program measured one of its own functions here",
                  "run that program again, or name another file");
  }
  if (origin == schema::Origin::max_batch) {
    return refuse("`tune --max-batch-only` wrote this run and can continue it",
                  "use batchscope tune --max-batch-only --on-existing resume");
  }
  if (origin == schema::Origin::tune) {
    return refuse("`tune` wrote this run and can continue it",
                  "use batchscope tune --on-existing resume");
  }
  return {};
}

// One run of `profile`, set up.
struct ProfileSetup {
  study::FollowUps follow_ups{};
  bool complete = false;  // nothing is left of the resumed run's main part
  Setup run{};
};

// The plan, axes and seed of a resumed run come from its file.
Result<void> accept_plan(ProfileSetup& setup, const MeasureOptions& options,
                         schema::RunFile& recorded) {
  auto agrees = check_agrees(options, recorded.header);
  if (!agrees) return agrees;
  const auto reason = recorded.end.value_or(schema::End{}).reason;
  schema::MeasurementPlan& plan = recorded.header.plan;
  if (!plan.diagnose) study::copy_diagnosis(options.request.plan, plan);
  setup.follow_ups = study::follow_ups_of(plan);
  setup.complete =
      reason == schema::EndReason::blocks_done || reason == schema::EndReason::target_reached;
  return {};
}

Result<ProfileSetup> set_up_profile(const Program& program, const MeasureOptions& options) {
  ProfileSetup setup;
  setup.follow_ups = study::follow_ups_of(options.request.plan);
  OwnSteps steps;
  steps.accept = [&](const schema::RunFile& recorded) {
    return check_origin(recorded.header.origin, options.file.path.string());
  };
  steps.go_on = [&](schema::RunFile& recorded) { return accept_plan(setup, options, recorded); };
  auto run = set_up(program, options, steps);
  if (!run) return std::move(run).error();
  setup.run = *std::move(run);
  if (setup.run.recorded) {
    if (auto fit = study::check_pipelines(setup.run.job, program.places); !fit) return fit.error();
  }
  return setup;
}

bool asks_for_more(const study::FollowUps& follow_ups) {
  const auto& [controls, diagnosis, verification] = follow_ups;
  return controls.automatic || diagnosis.look || diagnosis.interventions || verification.automatic;
}

}  // namespace

Result<MeasuredRun> profile(const Program& program, const MeasureOptions& options,
                            measure::Observer* observer) {
  auto output = take_run_file(options.file);
  if (!output && !can_only_be_read(options.file)) return std::move(output).error();
  auto setup = set_up_profile(program, options);
  if (!setup) return std::move(setup).error();
  if (setup->complete && !asks_for_more(setup->follow_ups)) {
    return MeasuredRun{*std::move(setup->run.recorded), true};
  }
  if (!output) return std::move(output).error();
  auto run = measure_run(program, setup->run, *output, observer, [&](measure::Session& session) {
    return study::run(session, setup->follow_ups);
  });
  if (!run) return std::move(run).error();
  return MeasuredRun{*std::move(run), false, output->is_kept()};
}

Result<measure::Job> profile_job(const Program& program, const MeasureOptions& options) {
  auto setup = set_up_profile(program, options);
  if (!setup) return std::move(setup).error();
  return std::move(setup->run.job);
}

}  // namespace batchscope::api
