#include "here.hpp"

#include <nanobind/stl/string.h>

#include <chrono>
#include <new>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "batchscope/base/lists.hpp"
#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/units.hpp"
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

// Keywords of bs.profile() as texts, each as on the command line.
class Given {
 public:
  explicit Given(const nb::dict& texts) : texts_(texts) {}

  // Sets `value` to what `parse` makes of the text, where there is one. The first error is kept.
  template <class Value, class Parse>
  void read(const char* name, Value& value, const Parse& parse) {
    if (!texts_.contains(name)) return;
    const auto text = nb::cast<std::string>(texts_[name]);
    auto parsed = parse(text);
    if (parsed) {
      value = *std::move(parsed);
    } else if (!error_) {
      const std::string what = base::to_string(parsed.error());
      error_ = base::Error{base::ErrorKind::usage, std::string(name) + ": " + what, "", ""};
    }
  }
  const std::optional<base::Error>& error() const { return error_; }

 private:
  const nb::dict& texts_;
  std::optional<base::Error> error_;
};

base::Result<double> seconds(std::string_view text) {
  const auto duration = base::parse_duration(text);
  if (!duration) return duration.error();
  return std::chrono::duration<double>(*duration).count();
}

template <class Number>
base::Result<Number> full(std::string_view text) {
  if (const auto number = base::parse_number<Number>(text)) return *number;
  return base::Error{base::ErrorKind::usage, "'" + std::string(text) + "' is not an integer", "",
                     ""};
}

struct Asked {
  study::ProfileOptions options{};
  std::vector<int64_t> batch_sizes{1, 2, 4, 8};
};

base::Result<Asked> asked_for(const nb::dict& texts) {
  Asked asked;
  study::ProfileOptions& options = asked.options;
  Given given(texts);
  given.read("batch_sizes", asked.batch_sizes, base::parse_integers);
  given.read("threads", options.threads, full<int>);
  given.read("blocks", options.blocks, full<int>);
  given.read("iterations", options.iterations, full<int>);
  given.read("warmup", options.warmup, full<int>);
  given.read("min_visit_time", options.min_visit_s, seconds);
  given.read("target", options.target, base::parse_ratio);
  given.read("budget", options.budget_s, seconds);
  given.read("seed", options.seed, full<uint64_t>);
  given.read("latency_budget", options.latency_budget_s, seconds);
  given.read("current_batch_size", options.current_batch_size, full<int64_t>);
  if (given.error()) return *given.error();
  return asked;
}

// As (kind, text), which batchscope._client.isolation raises.
nb::object reported(const base::Error& error) {
  const char* const kind = error.kind == base::ErrorKind::usage ? "usage" : "failed";
  return nb::make_tuple(kind, base::to_string(error));
}

// None: all went well.
nb::object profile_here(const nb::object& prepare, const nb::object& run, const std::string& name,
                        const std::string& output, bool overwrite, const nb::dict& texts) {
  auto asked = asked_for(texts);
  if (!asked) return reported(asked.error());
  study::ProfileOptions& options = asked->options;
  options.name = name;
  options.output = output;
  options.overwrite = overwrite;
  std::stop_source stop;
  options.stop = stop.get_token();
  options.prepare = [&](int64_t batch_size) { call(prepare, batch_size, stop); };
  const auto iteration = [&](int64_t batch_size, ranges::Profiler& profiler) {
    record_ranges_into(&profiler);
    call(run, batch_size, stop);
  };
  ranges::Profiler* const before = record_ranges_into(nullptr);
  const auto profiled = study::profile(iteration, asked->batch_sizes, options);
  record_ranges_into(before);
  if (stop.stop_requested()) return nb::make_tuple("interrupted", "");
  return profiled ? nb::none() : reported(profiled.error());
}

}  // namespace

void add_here(nb::module_& module) {
  module.def("profile_here", profile_here, nb::arg("prepare"), nb::arg("run"), nb::arg("name"),
             nb::arg("output"), nb::arg("overwrite"), nb::arg("texts"));
}

}  // namespace batchscope::python
