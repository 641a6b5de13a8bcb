#include "here.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <new>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "batchscope/study/profile.hpp"
#include "ranges.hpp"

namespace batchscope::python {
namespace {

// What a failure of a batch size is to study::profile. An interruption ends the run instead, after
// which it is raised again.
void call(const nb::object& callable, int64_t batch_size, std::stop_source& stop) {
  try {
    callable(batch_size);
  } catch (nb::python_error& raised) {
    if (raised.matches(PyExc_KeyboardInterrupt)) stop.request_stop();
    const base::Error error = error_of(raised);
    if (error.kind == base::ErrorKind::out_of_memory) throw std::bad_alloc();
    throw std::runtime_error(error.where.empty() ? error.what : error.where + ": " + error.what);
  }
}

// The error as (kind, text), which batchscope._here raises; None: all went well.
nb::object profile_here(const nb::object& prepare, const nb::object& run,
                        const std::vector<int64_t>& batch_sizes, const nb::dict& told) {
  const auto text = [&](const char* key) { return nb::cast<std::string>(told[key]); };
  const auto whole = [&](const char* key) { return nb::cast<std::optional<int>>(told[key]); };
  study::ProfileOptions options;
  options.name = text("name");
  options.output = text("output");
  options.overwrite = nb::cast<bool>(told["overwrite"]);
  options.threads = nb::cast<int>(told["threads"]);
  options.blocks = whole("blocks");
  options.iterations = whole("iterations");
  options.warmup = whole("warmup");
  options.min_visit_s = nb::cast<double>(told["min_visit_s"]);
  options.target = nb::cast<double>(told["target"]);
  options.budget_s = nb::cast<std::optional<double>>(told["budget_s"]);
  options.seed = nb::cast<std::optional<uint64_t>>(told["seed"]);
  options.latency_budget_s = nb::cast<std::optional<double>>(told["latency_budget_s"]);
  options.current_batch_size = nb::cast<std::optional<int64_t>>(told["current_batch_size"]);
  std::stop_source stop;
  options.stop = stop.get_token();
  options.prepare = [&](int64_t batch_size) { call(prepare, batch_size, stop); };
  const auto iteration = [&](int64_t batch_size, record::Profiler& profiler) {
    record_ranges_into(&profiler);
    call(run, batch_size, stop);
  };
  const auto profiled = study::profile(iteration, batch_sizes, options);
  record_ranges_into(nullptr);
  if (stop.stop_requested()) return nb::make_tuple("interrupted", "");
  if (profiled) return nb::none();
  const base::Error& error = profiled.error();
  const char* const kind = error.kind == base::ErrorKind::usage ? "usage" : "failed";
  std::string words = base::to_string(error);
  return nb::make_tuple(kind, words);
}

}  // namespace

void add_here(nb::module_& module) {
  module.def("profile_here", profile_here, nb::arg("prepare"), nb::arg("run"),
             nb::arg("batch_sizes"), nb::arg("options"));
}

}  // namespace batchscope::python
