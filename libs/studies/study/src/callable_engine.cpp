#include "callable_engine.hpp"

#include <exception>
#include <new>
#include <vector>

#include "batchscope/schema/not_stated.hpp"
#include "batchscope/study/range_phases.hpp"

namespace batchscope::study {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

struct SizedBatch final : engine::Batch {
  explicit SizedBatch(int64_t samples) : size(samples) {}
  int64_t size;
};

class CallableModel final : public engine::Model {
 public:
  CallableModel(const Callable& callable, ranges::Profiler& profiler)
      : callable_(callable), profiler_(profiler) {}

  Result<std::unique_ptr<engine::Batch>> prepare(const schema::Shape& shape) override {
    const int64_t size = shape.batch_size;
    const auto done =
        callable_.prepare ? guarded([&] { callable_.prepare(size); }) : Result<void>();
    if (!done) return done.error();
    return std::unique_ptr<engine::Batch>(std::make_unique<SizedBatch>(size));
  }

  Result<void> run(engine::Batch& batch, engine::PhaseSink& sink) override {
    const int64_t size = static_cast<const SizedBatch&>(batch).size;
    const auto ran = guarded([&] { callable_.run(size, profiler_); });
    profiler_.end_all();
    const bool all_ended = phases_.take(profiler_);
    if (!ran) return ran;
    if (!all_ended) {
      return Error{ErrorKind::failed, "a range was still open when the iteration returned",
                   callable_.name, "end every Range before the function returns"};
    }
    phases_.tell(profiler_, sink);
    return {};
  }

  Result<void> wait(engine::PhaseSink&) override { return {}; }
  void reset_memory_peaks() override {}
  schema::Memory memory() const override { return {}; }

 private:
  template <class Call>
  Result<void> guarded(Call call) const {
    try {
      call();
      return {};
    } catch (const std::bad_alloc&) {
      return Error{ErrorKind::out_of_memory, "out of memory (std::bad_alloc)", callable_.name, ""};
    } catch (const std::exception& thrown) {
      return Error{ErrorKind::failed, std::string("it threw: ") + thrown.what(), callable_.name,
                   ""};
    } catch (...) {
      return Error{ErrorKind::failed, "it threw an unknown exception", callable_.name, ""};
    }
  }

  const Callable& callable_;
  ranges::Profiler& profiler_;
  RangePhases phases_;
};

class CallableEngine final : public engine::Engine {
 public:
  explicit CallableEngine(const Callable& callable) : callable_(callable) {}

  std::string_view name() const override { return schema::kEngineCallable; }
  const engine::Clock& clock() const override { return engine::steady_clock(); }
  std::map<std::string, std::string> versions() const override { return {}; }
  std::vector<std::string> devices() const override { return {callable_.device}; }
  std::vector<engine::ModelDescription> models() const override { return {}; }

  Result<schema::ModelInfo> inspect(const engine::ModelSpec&) override {
    schema::ModelInfo info;
    info.name = callable_.name;
    return info;
  }

  Result<std::unique_ptr<engine::Model>> load(const engine::ModelSpec&,
                                              const engine::ExecutionSpec&) override {
    profilers_.push_back(std::make_unique<ranges::Profiler>(
        ranges::ProfilerOptions{.device = callable_.device_clock}));
    return std::unique_ptr<engine::Model>(
        std::make_unique<CallableModel>(callable_, *profilers_.back()));
  }

 private:
  const Callable& callable_;
  // Kept beyond their models, which are dropped when they fail: somebody may still hold a Range.
  std::vector<std::unique_ptr<ranges::Profiler>> profilers_;
};

}  // namespace

std::unique_ptr<engine::Engine> make_callable_engine(const Callable& callable) {
  return std::make_unique<CallableEngine>(callable);
}

}  // namespace batchscope::study
