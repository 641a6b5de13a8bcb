#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/clock.hpp"
#include "batchscope/engine/tensor.hpp"
#include "batchscope/schema/execution.hpp"
#include "batchscope/schema/model_info.hpp"
#include "batchscope/schema/resources.hpp"
#include "batchscope/schema/shape.hpp"
#include "batchscope/schema/text_pipeline.hpp"

// Read first: Engine, at the end, loads a Model, which prepares a Batch and runs it.
namespace batchscope::engine {

// What a dimension is, where it is no number: B, the batch size; S, the sequence length.
enum class Symbol { none, batch, length };
std::string_view to_string(Symbol symbol);  // "", "B", "S"

// One dimension of an input.
struct Dimension {
  int64_t size = 0;  // without a symbol
  Symbol symbol = Symbol::none;
};

// What to feed one input of a model with. "input_ids:BxS:int64", "mask:BxS:int64=1",
// "ids:BxS:int64=0-30521", "x:Bx1024" (float32, uniform in [0, 1)).
struct InputSpec {
  std::string name;
  std::vector<Dimension> dimensions;
  DType dtype = DType::float32;
  std::optional<double> constant;    // every element
  std::optional<int64_t> low, high;  // integers, both ends included
};

// Errors: usage, with the form that is expected.
base::Result<InputSpec> parse_input_spec(std::string_view text);
base::Result<std::vector<InputSpec>> parse_input_specs(std::span<const std::string> texts);

// Whether the input tells real tokens (1) from padding (0): its name contains "mask".
bool names_a_mask(std::string_view input);
bool is_mask(const InputSpec& input);

// A value of an input of integers, out of a draw of 64 bits: from low to high, or 0 or 1 where
// there is no range.
int64_t integer_of(const InputSpec& input, uint64_t drawn);

// The one batch size that an input takes, when none of its dimensions is B.
std::optional<int64_t> fixed_batch(const InputSpec& input);

// Random host inputs for batch `index` of the shape's cycle, the same for the same seed, on any
// machine and in any engine. A mask BxS tells the padding of a mix of lengths. Errors: failed (a
// length where no input has one, or none where one has).
base::Result<std::vector<Tensor>> make_inputs(std::span<const InputSpec> specs,
                                              const schema::Shape& shape, int64_t index,
                                              uint64_t seed);

// Which model, and with which seed its weights and inputs are made.
struct ModelSpec {
  std::string name;                 // built-in name, or how the run file calls the file
  std::string path{};               // .pt, .pt2, .onnx, .xml; empty for a built-in
  std::vector<InputSpec> inputs{};  // of files; empty: what the file says
  uint64_t seed = 0;
};

// Which visit of a run this is. Real engines have no use for it; the synthetic one draws its noise
// from it, so that a visit's times do not depend on which process makes it, or on what ran before.
struct VisitContext {
  uint64_t seed = 0;       // of the run
  int64_t process = 0;     // number of the process: a process effect is drawn from it
  int64_t number = 0;      // number of the visit in the run's order, from 0
  int64_t elapsed_ns = 0;  // time spent on the run before this visit
  int instance = 0;        // which of several that run at once, each in a process of its own
  int64_t previous_batch_size = 0;  // of the visit before in the same block; 0 for the first
};

// How it is to run. The engine sets all of it, or fails; it never picks something else silently.
struct ExecutionSpec {
  std::string device = "cpu";
  int threads = 1;
  int instances = 1;  // that run at once, this one among them; for engines that imagine the others
  schema::Precision precision = schema::Precision::fp32;
  schema::Mode mode = schema::Mode::infer;
  std::string optimizer;                       // train: "sgd", "adamw"
  std::map<std::string, std::string> param{};  // a factory's own values, by name
  std::optional<bool> compile{};               // by torch.compile; absent: as the model was made
  std::optional<std::string> gc{};       // "on", "freeze", "off"; absent: as the model leaves it
  bool checkpointing = false;            // train: layers are computed again in the backward pass
  int64_t accumulation = 1;              // train: batches whose gradients are averaged for one step
  std::optional<schema::Loader> loader;  // train, where EngineDescription::loads_files
  std::optional<schema::TextPipeline> pipeline;  // for what embeds texts; engines do not look at it
  bool wait_each =
      true;  // false: run() may return before the device is done; wait() is called at the end
  std::optional<VisitContext> visit;  // absent: the engine counts by itself
  // Set by whoever started the process, for libraries to read; known here to engines whose
  // libraries are imagined.
  std::map<std::string, std::string> environment;
};

// Where a model reports its named phases: begin and end nest inside run(), on the calling thread.
class PhaseSink {
 public:
  virtual ~PhaseSink() = default;
  virtual void phase(std::string_view name, int64_t host_ns, std::optional<int64_t> device_ns) = 0;
  // A phase begins, and the one before is over: for whoever watches meanwhile. Its time is told by
  // phase(), once it is known.
  virtual void enter(std::string_view /*name*/) {}
  // The one that was entered last is over; called by whoever called run().
  virtual void leave() {}
};

// Host input for one shape, as a user's loader would hold it. Made by Model::prepare, used by
// Model::run. Of a shape with lengths it holds all batches of the cycle, which run() goes through
// in turn.
class Batch {
 public:
  virtual ~Batch() = default;
  // How many different inputs run() goes through before it begins again.
  virtual int64_t cycle() const { return 1; }
  // Of one cycle; absent for shapes without lengths.
  virtual std::optional<schema::Tokens> tokens() const { return std::nullopt; }
};

// What a model may be able to do beyond what every model does: an interface each, in abilities.hpp.
enum class Ability {
  takes_tensors,
  holds_back,
  tells_losses,
  shows_gradients,
  imagines_usage,
  diagnoses,
  tells_interpreter,
};

// A loaded model in one precision on one device.
class Model {
 public:
  virtual ~Model() = default;
  // Makes a host batch, or all batches of a cycle. Not part of an iteration. Errors: out_of_memory,
  // failed (the shape does not fit the model).
  virtual base::Result<std::unique_ptr<Batch>> prepare(const schema::Shape& shape) = 0;
  // One iteration: host input to host result. Reports phases (h2d, forward, loss, backward,
  // optimizer, d2h, sync). Errors: out_of_memory, failed (the model threw; non-finite loss).
  virtual base::Result<void> run(Batch& batch, PhaseSink& sink) = 0;
  // Blocks until all that was issued is done, and reports device times that were still open. For
  // wait_each = false.
  virtual base::Result<void> wait(PhaseSink& sink) = 0;
  // Starts the device's peak statistics anew; called once between warm-up and the timed iterations.
  virtual void reset_memory_peaks() = 0;
  virtual schema::Memory memory() const = 0;

  // The model as one of the interfaces of abilities.hpp; null where it has not that ability. It is
  // part of the model, or of one that the model wraps: it lives no longer.
  template <class Interface>
  Interface* as() {
    return static_cast<Interface*>(find_interface(Interface::kAbility));
  }
  // For as(), and for a model around another: the interface of this ability as a void*, converted
  // from exactly that type, or null. An id instead of dynamic_cast, because plugins are loaded with
  // RTLD_LOCAL and hide their symbols: every library then has type information of its own for one
  // and the same class, and the C++ runtime decides whether they are equal (libstdc++ compares
  // names, libc++ addresses). And a wrapper has the abilities of what it wraps, which its own type
  // cannot know.
  virtual void* find_interface(Ability /*ability*/) { return nullptr; }
};

struct ModelDescription {
  std::string name;
  std::string summary{};  // "6 layers, 768 wide, 12 heads; tokens"
  int64_t parameters = 0;
  bool has_seq_len = false;
  std::optional<int64_t> default_seq_len{};
  bool trainable = true;
  bool checkpointing = false;  // whether it can train with ExecutionSpec::checkpointing
};

// Anything that runs models. Implemented by plugins and by the synthetic engine. What is known of
// it without it, such as which files it takes, stands in description.hpp.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;  // "torch", "synthetic"
  virtual const Clock& clock() const = 0;
  virtual std::map<std::string, std::string> versions() const = 0;  // "torch" -> "2.13.0+cpu"
  virtual std::vector<std::string> devices() const = 0;             // "cpu", "cuda:0"
  virtual std::vector<ModelDescription> models() const = 0;         // built in
  // What is known of a built-in model; nothing for a name that is none. An engine of which every
  // name is a model answers for every name.
  virtual std::optional<ModelDescription> find_model(std::string_view name) const;
  // What is known of a model before it is loaded; nothing for a file. Errors: as inspect.
  virtual base::Result<std::optional<ModelDescription>> describe_model(const ModelSpec& spec) {
    return find_model(spec.name);
  }
  // Facts for the run file, without loading weights where possible: parameters, hash, description.
  // Errors: usage (unknown name, with the known ones), input (unreadable or wrong file).
  virtual base::Result<schema::ModelInfo> inspect(const ModelSpec& spec) = 0;
  // What a file is to be fed: `spec.inputs` as they were given, held against what the file says,
  // or, without any, what it says of itself. An input whose first dimension is a number takes
  // batches of exactly that size. Errors: as inspect, and usage (inputs that do not fit, or that
  // the file does not tell).
  virtual base::Result<std::vector<InputSpec>> inputs_of(const ModelSpec& spec);
  // Errors: as inspect, and failed (device absent, precision not supported), out_of_memory.
  virtual base::Result<std::unique_ptr<Model>> load(const ModelSpec& spec,
                                                    const ExecutionSpec& execution) = 0;
  // Gives back to the device what the engine took of its memory, has no use for at present, and
  // keeps for later. Does nothing on the CPU, and in engines that keep none. What goes wrong is
  // told by what uses the device next.
  virtual void give_back_unused_memory(const std::string& /*device*/) {}
  // Whether it computes in this precision on one of devices(), as far as it can tell without
  // loading anything. Errors: usage.
  virtual base::Result<void> check_precision(const std::string& device,
                                             schema::Precision precision) const;
};

}  // namespace batchscope::engine
