#include "interpreted_model.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "arguments.hpp"
#include "batchscope/attribution/traced_work.hpp"
#include "batchscope/engine/abilities.hpp"
#include "batchscope/schema/json_line.hpp"
#include "batchscope/schema/tables.hpp"
#include "batchscope/trace/reader.hpp"
#include "batchscope/trace/recording_file.hpp"
#include "ranges.hpp"
#include "tensors.hpp"

namespace batchscope::python {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// One callable a batch of the cycle.
struct Prepared final : engine::Batch {
  std::vector<nb::object> runs;
  nb::object wait;  // None where the device needs no waiting for
  nb::object host;  // batchscope._models.body.Prepared
  std::size_t next = 0;
  std::optional<schema::Tokens> counted;

  int64_t cycle() const override { return static_cast<int64_t>(runs.size()); }
  std::optional<schema::Tokens> tokens() const override { return counted; }
  PyObject* advance() {
    PyObject* const run = runs[next].ptr();
    if (++next == runs.size()) next = 0;
    return run;
  }
};

// What returns at once and has done nothing yet.
bool is_left_to_run(PyObject* result) {
  return PyCoro_CheckExact(result) || PyGen_CheckExact(result) || PyAsyncGen_CheckExact(result);
}

// Calls without arguments and without a result that anybody wants.
Result<void> call(PyObject* callable) {
  PyObject* const result = PyObject_CallNoArgs(callable);
  if (result == nullptr) return current_error();
  const bool left = is_left_to_run(result);
  const std::string kind = left ? Py_TYPE(result)->tp_name : "";
  Py_DECREF(result);
  if (!left) return {};
  return Error{ErrorKind::failed, "the model returned a " + kind + ", but nothing runs it", "",
               "run it within the callable: asyncio.run(...), or a loop over it"};
}

void put_work(const trace::Trace& trace, schema::Diagnosis& diagnosis) {
  attribution::TracedWork work = attribution::traced_work(trace);
  diagnosis.operations = std::move(work.operations);
  diagnosis.device_busy_ns = work.device_busy_ns;
  diagnosis.multiprocessors = work.multiprocessors;
}

class InterpretedModel final
    : public engine::ModelWith<engine::TakesTensors, engine::TellsLosses, engine::TellsInterpreter,
                               engine::Diagnoses> {
 public:
  InterpretedModel(nb::object loaded, const engine::ModelSpec& spec,
                   const engine::ExecutionSpec& execution)
      : loaded_(std::move(loaded)), spec_(spec), wait_each_(execution.wait_each) {}

  void* find_interface(engine::Ability ability) override {
    const bool takes = ability != engine::Ability::takes_tensors || !spec_.inputs.empty();
    return takes ? ModelWith::find_interface(ability) : nullptr;
  }

  Result<std::unique_ptr<engine::Batch>> prepare(const schema::Shape& shape) override {
    return guarded([&]() -> Result<std::unique_ptr<engine::Batch>> {
      auto batch = std::make_unique<Prepared>();
      const int64_t cycle = schema::cycle_of(shape);
      for (int64_t i = 0; i < cycle; ++i) {
        nb::object prepared =
            loaded_.attr("prepare")(shape.batch_size, schema::longest_of(shape, i));
        batch->runs.push_back(prepared.attr("run"));
        batch->wait = prepared.attr("wait");
        batch->host = std::move(prepared);
      }
      // Iterations that are alike only together: batches of several workers come in bursts.
      const auto alike = nb::cast<int64_t>(batch->host.attr("cycle"));
      for (int64_t i = 1; i < alike; ++i) batch->runs.push_back(batch->host.attr("run"));
      batch->counted = schema::tokens_of(shape);
      return std::unique_ptr<engine::Batch>(std::move(batch));
    });
  }

  Result<void> run(engine::Batch& batch, engine::PhaseSink& sink) override {
    auto& prepared = static_cast<Prepared&>(batch);
    if (auto ran = call(prepared.advance()); !ran) return ran;
    if (wait_each_ && !prepared.wait.is_none()) {
      if (auto waited = call(prepared.wait.ptr()); !waited) return waited;
    }
    return report_ranges(sink);
  }

  Result<void> wait(engine::PhaseSink& sink) override {
    return guarded([&]() -> Result<void> {
      loaded_.attr("wait")();
      return report_ranges(sink);
    });
  }

  void reset_memory_peaks() override {
    (void)guarded([&]() -> Result<void> {
      loaded_.attr("begin_timing")();
      return {};
    });
  }

  schema::Memory memory() const override {
    return read<schema::Memory>("memory").value_or(schema::Memory{});
  }

  std::vector<engine::InputSpec> inputs() const override { return spec_.inputs; }

  Result<std::vector<engine::Tensor>> infer(std::span<const engine::Tensor> inputs,
                                            const engine::Pool& pool, engine::PhaseSink&) override {
    if (pool.does_something()) {
      return Error{ErrorKind::failed, "a Python model does its own pooling", spec_.path,
                   "omit --pooling"};
    }
    return guarded([&]() -> Result<std::vector<engine::Tensor>> {
      nb::list given;
      for (const engine::Tensor& each : inputs) given.append(tuple_of(each));
      std::vector<engine::Tensor> outputs;
      const nb::object reported = loaded_.attr("infer")(given);
      for (nb::handle each : reported) outputs.push_back(tensor_of(each));
      return outputs;
    });
  }

  std::optional<double> last_loss() const override {
    try {
      return nb::cast<std::optional<double>>(loaded_.attr("last_loss")());
    } catch (...) {
      PyErr_Clear();
      return std::nullopt;
    }
  }

  schema::Collections collections() const override {
    return read<schema::Collections>("collections").value_or(schema::Collections{});
  }
  std::optional<schema::Compilation> compilation() const override {
    return read<schema::Compilation>("compilation");
  }
  Result<std::optional<schema::LoaderFacts>> loading() override {
    return guarded([&]() -> Result<std::optional<schema::LoaderFacts>> {
      const auto reported = nb::cast<std::optional<std::string>>(loaded_.attr("loading")());
      if (!reported) return std::optional<schema::LoaderFacts>();
      schema::LoaderFacts facts;
      schema::JsonLine json;
      std::string problem;
      const bool is_read = json.take(*reported) && json.read(facts, problem) && problem.empty();
      if (is_read) return std::optional(std::move(facts));
      return Error{ErrorKind::failed, "what the loader says cannot be read: " + problem, "", ""};
    });
  }

  Result<void> diagnose(engine::Batch& batch, const std::filesystem::path& trace_file,
                        schema::Diagnosis& diagnosis) override {
    const auto recording = trace::RecordingFile::begin(trace_file);
    if (!recording) return recording.error();
    auto traced = record(batch, *recording, diagnosis);
    std::error_code none;
    if (!traced || !std::filesystem::exists(recording->file(), none)) return traced;
    const auto read = trace::TraceReader({.threads = 1}).read(recording->file());
    if (!read) return read.error();
    put_work(*read, diagnosis);
    if (trace_file.empty()) return {};
    if (auto kept = recording->keep(); !kept) diagnosis.absent["trace_file"] = kept.error().what;
    return {};
  }

 private:
  // What the host says of it, and the trace in its file, where the model is traced at all.
  Result<void> record(engine::Batch& batch, const trace::RecordingFile& recording,
                      schema::Diagnosis& diagnosis) {
    return guarded([&]() -> Result<void> {
      const nb::object reported =
          loaded_.attr("diagnose")(static_cast<Prepared&>(batch).host, recording.file().string());
      schema::JsonLine json;
      std::string problem;
      schema::Diagnosis traced = diagnosis;
      if (json.take(nb::cast<std::string>(reported)) && json.read(traced, problem) &&
          problem.empty()) {
        diagnosis = std::move(traced);
      }
      return {};
    });
  }

  // What a method of the host says as the text of a JSON object; nothing where it says None.
  template <class Struct>
  std::optional<Struct> read(const char* method) const {
    try {
      const auto reported = nb::cast<std::optional<std::string>>(loaded_.attr(method)());
      schema::JsonLine json;
      std::string problem;
      Struct value;
      if (reported && json.take(*reported) && json.read(value, problem) && problem.empty())
        return value;
    } catch (...) {
      PyErr_Clear();
    }
    return std::nullopt;
  }

  nb::object loaded_;
  engine::ModelSpec spec_;
  bool wait_each_;
};

}  // namespace

Result<std::unique_ptr<engine::Model>> make_model(nb::object loaded, const engine::ModelSpec& spec,
                                                  const engine::ExecutionSpec& execution) {
  return std::unique_ptr<engine::Model>(
      std::make_unique<InterpretedModel>(std::move(loaded), spec, execution));
}

}  // namespace batchscope::python
