#include "batchscope/measure/in_process_executor.hpp"

#include "failure.hpp"
#include "visit_maker.hpp"

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
    auto result = outcome(request, [&] { fitness_->under_load(request.run.device); });
    const schema::Fitness fitness = fitness_->finish(0);
    if (!result) return result;
    if (auto* visit = std::get_if<schema::Visit>(&*result)) visit->fitness = fitness;
    return result;
  }

 private:
  Result<VisitOutcome> outcome(const VisitRequest& request, const std::function<void()>& on_timed) {
    auto made = maker_.make(request, std::nullopt, on_timed);
    if (!made) return std::move(made).error();
    if (!made->visit) {
      return VisitOutcome(VisitFailure{event_of(made->visit.error()), made->wall_ns});
    }
    return VisitOutcome(*std::move(made->visit));
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
