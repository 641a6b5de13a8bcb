#include "worker.hpp"

#include <stdexcept>
#include <utility>

#include "batchscope/engines/text_engine.hpp"
#include "batchscope/measure/loop.hpp"
#include "batchscope/measure/worker.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "interpreted_engine.hpp"
#include "interpreted_model.hpp"
#include "ranges.hpp"

namespace batchscope::python {

int serve(int fd, nb::object load, const std::vector<std::string>& plugins) {
  const engine::InstallPaths places{{plugins.begin(), plugins.end()}, {}};
  ranges::Profiler profiler;
  record_ranges_into(&profiler);
  const int code = measure::worker_main(
      fd, [&](std::string_view name) -> base::Result<std::unique_ptr<engine::Engine>> {
        if (name == schema::kEnginePython) return make_engine(load);
        return engines::load_engine(name, places);
      });
  record_ranges_into(nullptr);
  return code;
}

std::vector<int64_t> time_iterations(nb::object loaded, int64_t batch_size, int iterations) {
  ranges::Profiler profiler;
  record_ranges_into(&profiler);
  const auto model = make_model(std::move(loaded), {}, {}).value();
  measure::TimedSeries series;
  measure::PhaseTable phases;
  measure::TimedRule rule;
  rule.fixed = iterations;
  const auto timed = [&]() -> base::Result<void> {
    auto batch = model->prepare({batch_size});
    if (!batch) return batch.error();
    return run_timed_each(*model, **batch, phases, engine::steady_clock(), rule, {}, series);
  }();
  record_ranges_into(nullptr);
  if (!timed) throw std::runtime_error(base::to_string(timed.error()));
  return series.samples_ns;
}

}  // namespace batchscope::python
