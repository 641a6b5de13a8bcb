#include "batchscope/measure/in_process_executor.hpp"

#include <algorithm>

#include "batchscope/schema/axes.hpp"
#include "failure.hpp"
#include "together.hpp"
#include "visits/visit_maker.hpp"

namespace batchscope::measure {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

class InProcessExecutor final : public VisitExecutor {
 public:
  InProcessExecutor(EngineFactory factory, ModelReuse reuse, FitnessProbe* fitness)
      : maker_(std::move(factory), reuse), fitness_(fitness) {}

  Result<VisitOutcome> visit(const VisitRequest& request, std::stop_token stop) override {
    if (stop.stop_requested()) return Error{ErrorKind::interrupted, "interrupted", "", ""};
    if (fitness_ == nullptr) return outcome(request, {});
    fitness_->start();
    auto result = outcome(request, [&] { fitness_->under_load(request.run.device, 1); });
    const schema::Fitness fitness = fitness_->finish(0);
    if (!result) return result;
    if (auto* visit = std::get_if<schema::Visit>(&*result)) visit->fitness = fitness;
    return result;
  }

  Result<CompareOutcome> compare(const VisitRequest& request,
                                 const std::stop_token& stop) override {
    if (stop.stop_requested()) return Error{ErrorKind::interrupted, "interrupted", "", ""};
    const auto difference = maker_.compare(request);
    if (difference) return CompareOutcome(*difference);
    return CompareOutcome(VisitFailure{event_of(difference.error(), request.run.device)});
  }

 private:
  Result<VisitOutcome> outcome(const VisitRequest& request, const std::function<void()>& on_timed) {
    std::vector<schema::Visit> instances;
    VisitRequest one = request;
    for (int i = 0; i < std::max(request.run.instances, 1); ++i) {
      one.context.instance = i;
      auto made = maker_.make(one, std::nullopt, on_timed);
      if (!made) return std::move(made).error();
      // In virtual time the others are part of the law.
      if (request.run.instances > 1 && !made->virtual_time) return needs_processes();
      if (!made->virtual_time && sets_process(request.run)) return has_a_process();
      if (!made->visit) {
        return VisitOutcome(
            VisitFailure{event_of(made->visit.error(), request.run.device), made->wall_ns, false});
      }
      instances.push_back(*std::move(made->visit));
      // A visit has one number of iterations a series.
      const schema::Visit& visit = instances.back();
      if (!request.wait_each) {
        one.timed.fixed =
            static_cast<int>(visit.iterations_per_sample * std::ssize(visit.samples_ns));
      }
    }
    return VisitOutcome(together(std::move(instances)));
  }

  // But for an environment, which whoever asks for one has refused.
  static bool sets_process(const schema::RunConfig& run) {
    schema::RunConfig process = schema::process_of(run);
    schema::axis(schema::AxisId::environment).forget(process);
    return process != schema::process_of(schema::RunConfig{});
  }

  static Error has_a_process() {
    return {ErrorKind::failed, "visits in this process cannot have own process settings",
            "--isolation", "use --isolation config or block"};
  }

  static Error needs_processes() {
    return {ErrorKind::failed, "several instances need own processes", "--instances",
            "use --isolation config or block"};
  }

  VisitMaker maker_;
  FitnessProbe* fitness_;
};

}  // namespace

std::unique_ptr<VisitExecutor> make_in_process_executor(EngineFactory factory, ModelReuse reuse,
                                                        FitnessProbe* fitness) {
  return std::make_unique<InProcessExecutor>(std::move(factory), reuse, fitness);
}

}  // namespace batchscope::measure
