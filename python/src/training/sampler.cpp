#include "training/sampler.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <exception>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "batchscope/analyze/analyze.hpp"
#include "batchscope/planning/training_sizes.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/serving/sampler.hpp"

namespace batchscope::python {
namespace {

using serving::BatchSamplerOptions;
using serving::SamplerBatches;
using serving::SamplerState;
using serving::TokenBatchSampler;

template <class T>
T value_or_raise(base::Result<T> result) {
  if (!result) throw nb::value_error(base::to_string(result.error()).c_str());
  return *std::move(result);
}

[[noreturn]] void refuse_length(Py_ssize_t sample, nb::handle length) {
  const std::string text = nb::cast<std::string>(nb::repr(length));
  throw nb::value_error(
      fmt::format("sample {} has length {}; lengths have to be integers of at least 1", sample,
                  text)
          .c_str());
}

// Integers, also as floats and as what has __index__.
int64_t length_of(Py_ssize_t sample, nb::handle given) {
  if (PyFloat_Check(given.ptr()) != 0) {
    const double value = PyFloat_AS_DOUBLE(given.ptr());
    if (!(value >= 1 && value < 1e18 && value == std::floor(value))) refuse_length(sample, given);
    return static_cast<int64_t>(value);
  }
  if (PyIndex_Check(given.ptr()) == 0) refuse_length(sample, given);
  const long long value = PyLong_AsLongLong(given.ptr());
  if (PyErr_Occurred() != nullptr) PyErr_Clear();
  if (value < 1) refuse_length(sample, given);
  return value;
}

std::vector<int64_t> lengths_of(const nb::list& given) {
  std::vector<int64_t> lengths;
  lengths.reserve(given.size());
  for (nb::handle each : given) {
    lengths.push_back(length_of(static_cast<Py_ssize_t>(lengths.size()), each));
  }
  return lengths;
}

BatchSamplerOptions options_of(const std::optional<std::string>& run) {
  if (!run) return {};
  const auto read = value_or_raise(schema::read_run_file(*run));
  return value_or_raise(planning::training_sizes(analyze::analyze(std::span(&read, 1)), *run));
}

void make_sampler(TokenBatchSampler* self, const nb::list& lengths,
                  std::optional<int64_t> max_tokens, std::optional<int64_t> max_batch,
                  const std::optional<std::string>& run, uint64_t seed, int64_t window,
                  int64_t ranks, int64_t rank) {
  BatchSamplerOptions options = options_of(run);
  options.max_tokens = max_tokens.value_or(options.max_tokens);
  options.max_batch = max_batch.value_or(options.max_batch);
  options.seed = seed;
  options.window = window;
  options.ranks = ranks;
  new (self) TokenBatchSampler(
      value_or_raise(TokenBatchSampler::make(lengths_of(lengths), std::move(options), rank)));
}

nb::object list_of(const std::vector<int64_t>& numbers) {
  PyObject* list = PyList_New(static_cast<Py_ssize_t>(numbers.size()));
  if (list == nullptr) throw nb::python_error();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), PyLong_FromLongLong(numbers[i]));
  }
  return nb::steal(list);
}

// (number of the step, its samples)
nb::object next_of(SamplerBatches& batches) {
  const auto batch = batches.next();
  if (!batch) return nb::none();
  return nb::make_tuple(batch->number, list_of(batch->samples));
}

template <class T>
nb::object object_of(const std::optional<T>& value) {
  return value ? nb::object(nb::int_(*value)) : nb::none();
}

// Digests as text: JSON has no integers of 64 bits.
nb::dict state_of(const TokenBatchSampler& sampler) {
  const SamplerState state = sampler.state();
  nb::dict dict;
  dict["version"] = 1;
  dict["seed"] = state.seed;
  dict["epoch"] = state.epoch;
  dict["position"] = object_of(state.position);
  dict["ahead"] = list_of(state.ahead);
  dict["limit"] = object_of(state.limit);
  dict["max_tokens"] = state.max_tokens;
  dict["samples"] = state.samples;
  dict["lengths"] = fmt::format("{:016x}", state.lengths_digest);
  dict["plan"] = fmt::format("{:016x}", state.plan_digest);
  dict["steps"] = sampler.steps();
  dict["world_size"] = state.ranks;
  dict["rank"] = state.rank;
  return dict;
}

uint64_t digest_of(nb::handle text) {
  return std::stoull(nb::cast<std::string>(text), nullptr, 16);
}

SamplerState state_from(const nb::dict& dict) {
  SamplerState state;
  state.seed = nb::cast<uint64_t>(dict["seed"]);
  state.epoch = nb::cast<int64_t>(dict["epoch"]);
  state.position = nb::cast<std::optional<int64_t>>(dict["position"]);
  state.ahead = nb::cast<std::vector<int64_t>>(dict["ahead"]);
  state.limit = nb::cast<std::optional<int64_t>>(dict["limit"]);
  state.max_tokens = nb::cast<int64_t>(dict["max_tokens"]);
  state.samples = nb::cast<int64_t>(dict["samples"]);
  state.lengths_digest = digest_of(dict["lengths"]);
  state.plan_digest = digest_of(dict["plan"]);
  state.ranks = nb::cast<int64_t>(dict["world_size"]);
  state.rank = nb::cast<int64_t>(dict["rank"]);
  return state;
}

void load(TokenBatchSampler& sampler, const nb::dict& dict) {
  SamplerState state;
  try {
    state = state_from(dict);
  } catch (const std::exception&) {
    throw nb::value_error("the BatchSampler's state has a value of a wrong type");
  }
  if (auto loaded = sampler.load(state); !loaded) {
    throw nb::value_error(base::to_string(loaded.error()).c_str());
  }
}

void trained(TokenBatchSampler& sampler, std::optional<int64_t> number) {
  if (auto counted = sampler.trained(number); !counted) {
    throw std::runtime_error(base::to_string(counted.error()));
  }
}

}  // namespace

void add_sampler(nb::module_& module) {
  nb::class_<SamplerBatches>(module, "SamplerBatches")
      .def("next", next_of)
      .def_prop_ro("epoch", &SamplerBatches::epoch)
      .def_prop_ro("position", &SamplerBatches::position);

  nb::class_<TokenBatchSampler>(module, "BatchSampler")
      .def("__init__", make_sampler, nb::arg("lengths"), nb::arg("max_tokens").none(),
           nb::arg("max_batch").none(), nb::arg("run").none(), nb::arg("seed"), nb::arg("window"),
           nb::arg("ranks"), nb::arg("rank"))
      .def("steps", &TokenBatchSampler::steps)
      .def("epoch", &TokenBatchSampler::epoch)
      .def("position", &TokenBatchSampler::position)
      .def("over_budget", [](const TokenBatchSampler& self) { return self.plan().over_budget(); })
      .def("start", &TokenBatchSampler::start)
      .def("trained", trained, nb::arg("number").none())
      .def("set_epoch", &TokenBatchSampler::set_epoch)
      .def("state", state_of)
      .def("load", load)
      .def("limit_to", &TokenBatchSampler::limit_to, nb::arg("max_tokens").none(), nb::arg("recut"))
      .def("limit", &TokenBatchSampler::limit)
      .def("lengths_of", &TokenBatchSampler::lengths_of)
      .def("parts_of", &TokenBatchSampler::parts_of)
      .def("fingerprint", [](const TokenBatchSampler& self) { return self.fingerprint() >> 1; });
}

}  // namespace batchscope::python
