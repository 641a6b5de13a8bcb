#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "batchscope/engine/engine.hpp"
#include "batchscope/schema/diagnosis.hpp"
#include "batchscope/schema/resources.hpp"

// What some models can do beyond what every Model does. Ask for it by type:
//   if (auto* const holder = model.as<HoldsBack>()) holder->hold_back(bytes);
// and give it by deriving from ModelWith<HoldsBack, ...>.
namespace batchscope::engine {

// Runs on inputs that it is given.
class TakesTensors {
 public:
  static constexpr Ability kAbility = Ability::takes_tensors;

  virtual ~TakesTensors() = default;
  // What it takes: the inputs that prepare() makes and that infer() wants.
  virtual std::vector<InputSpec> inputs() const = 0;
  // Runs the model on given inputs, which are matched by name: host to host, and done when it
  // returns. Reports h2d, forward, pool (where asked for), d2h and sync where the device has one.
  // Outputs: all of the model's, in its order; with pooling the first alone, pooled. Errors: those
  // of match_tensors, of pool_on_host, out_of_memory, failed (the model threw; this mode cannot).
  virtual base::Result<std::vector<Tensor>> infer(std::span<const Tensor> inputs, const Pool& pool,
                                                  PhaseSink& sink) = 0;
};

// Can be kept from memory of its device that no limit could hold back. Models on the CPU, where a
// limit can, may have the ability and do nothing.
class HoldsBack {
 public:
  static constexpr Ability kAbility = Ability::holds_back;

  virtual ~HoldsBack() = default;
  // Keeps so many bytes of the device's memory out of use until it is told another number (0:
  // none), so that it runs as on a device that has as much less. Model::memory() does not count
  // them. Errors: out_of_memory (the device has not as many left, and none are held back).
  virtual base::Result<void> hold_back(int64_t bytes) = 0;
};

inline constexpr std::size_t kFirstLosses = 16;

// Knows the losses of its training. A model that only infers may have the ability and tell none.
class TellsLosses {
 public:
  static constexpr Ability kAbility = Ability::tells_losses;

  virtual ~TellsLosses() = default;
  virtual std::optional<double> last_loss() const = 0;
  // Those of the first steps since it was loaded, at most kFirstLosses, in their order; they end
  // where a step's loss was not read.
  virtual std::vector<double> first_losses() const { return {}; }
  // With loss scaling: steps since it was loaded that changed no weight, because a gradient was not
  // finite. Absent where losses are not scaled.
  virtual std::optional<int64_t> skipped_steps() const { return std::nullopt; }
};

// Of one training step over k batches of b samples: the mean over the batches of the squared norm
// of each one's gradient, and the squared norm of the mean of their gradients, which is that of one
// batch of k x b samples.
struct GradientNorms {
  double small_squared = 0;
  double large_squared = 0;
};

class ShowsGradients {
 public:
  static constexpr Ability kAbility = Ability::shows_gradients;

  virtual ~ShowsGradients() = default;
  // One step with accumulation of 2 or more, with the norms of its gradients. Samples are those of
  // the loader, else made up anew for each `draw`. Slower than Model::run(). Errors: as run, and
  // failed (this mode cannot; one of the gradients is not finite).
  virtual base::Result<GradientNorms> step_with_norms(Batch& batch, uint64_t draw) = 0;
};

// Runs in virtual time, of which the operating system knows nothing.
class ImaginesUsage {
 public:
  static constexpr Ability kAbility = Ability::imagines_usage;

  virtual ~ImaginesUsage() = default;
  // What the iterations since Model::reset_memory_peaks() would have been charged; absent where it
  // imagines nothing of the kind.
  virtual std::optional<schema::Usage> virtual_usage() const = 0;
};

// Runs in an interpreter that does work of its own beside the model's.
class TellsInterpreter {
 public:
  static constexpr Ability kAbility = Ability::tells_interpreter;

  virtual ~TellsInterpreter() = default;
  // Of the garbage collector, since Model::reset_memory_peaks().
  virtual schema::Collections collections() const = 0;
  // Of its compiler, since it was loaded; absent where it compiles nothing.
  virtual std::optional<schema::Compilation> compilation() const = 0;
  // Of its loader since then, and in further iterations that it runs for this, after all that is
  // timed; absent where it loads nothing. Errors: as run.
  virtual base::Result<std::optional<schema::LoaderFacts>> loading() = 0;
};

// Has a tracer, or a log of its kernel library.
class Diagnoses {
 public:
  static constexpr Ability kAbility = Ability::diagnoses;

  virtual ~Diagnoses() = default;
  // Runs iterations of its own under the engine's tracer and under its kernel library's log, and
  // fills in those parts of the diagnosis; what the engine has not is said in `absent`. Disturbs:
  // nothing that counts is timed after it in the same process. Errors: as run. `trace_file`: where
  // all that the tracer recorded is kept, in Chrome's format and compressed by gzip, whole or not
  // at all (trace::RecordingFile); empty: nowhere. An engine whose tracer writes no files leaves it
  // out.
  virtual base::Result<void> diagnose(Batch& batch, const std::filesystem::path& trace_file,
                                      schema::Diagnosis& diagnosis) = 0;
};

// A model with these abilities, which it cannot then forget to answer for.
template <class... Interfaces>
class ModelWith : public Model, public Interfaces... {
 public:
  void* find_interface(Ability ability) override {
    void* found = nullptr;
    ((ability == Interfaces::kAbility ? void(found = static_cast<Interfaces*>(this)) : void()),
     ...);
    return found;
  }
};

// The Error that a model has not an ability which the work needs: failed.
base::Error lacks(Ability ability);

// As model.as<Interface>(), or lacks().
template <class Interface>
base::Result<Interface*> require(Model& model) {
  if (auto* const found = model.as<Interface>()) return found;
  return lacks(Interface::kAbility);
}

}  // namespace batchscope::engine
