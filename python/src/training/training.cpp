#include "training/training.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "batchscope/monitor/training_monitor.hpp"

namespace batchscope::python {
namespace {

// Whether this thread calls a callback now, which may close the monitor that waits for it.
thread_local bool is_calling = false;

// Called from threads of the monitor's, which the interpreter does not know. Errors in it are
// reported as Python reports those of a destructor.
template <class... Arguments>
void call(const nb::object& function, const Arguments&... arguments) {
  if (Py_IsInitialized() == 0) return;
  nb::gil_scoped_acquire lock;
  is_calling = true;
  try {
    if (function) function(arguments...);
  } catch (nb::python_error& raised) {
    raised.discard_as_unraisable("a callback of batchscope.TrainingMonitor");
  }
  is_calling = false;
}

[[noreturn]] void raise(const base::Error& error) {
  const std::string text = base::to_string(error);
  if (error.kind == base::ErrorKind::usage) throw nb::value_error(text.c_str());
  throw std::runtime_error(text);
}

nb::list texts_of(const std::vector<watch::ActiveFinding>& active_findings) {
  nb::list all;
  for (const auto& each : active_findings) {
    nb::dict entry;
    entry["since_ns"] = each.since_ns;
    entry["ended_ns"] = each.ended_ns ? nb::object(nb::int_(*each.ended_ns)) : nb::none();
    entry["finding"] = findings::to_json(each.finding);
    all.append(entry);
  }
  return all;
}

class PyTrainingMonitor {
 public:
  PyTrainingMonitor(std::string log, bool overwrite, std::string tensorboard,
                    std::string prometheus, std::string web_config, std::string name,
                    double interval_s, int64_t profile_every, int64_t profile_steps,
                    double profile_overhead, nb::object begin_profile, nb::object end_profile,
                    nb::object on_change, nb::object warn)
      : callbacks_{std::move(begin_profile), std::move(end_profile), std::move(on_change),
                   std::move(warn)} {
    monitor::TrainingMonitorOptions options;
    options.log = std::move(log);
    options.overwrite = overwrite;
    options.tensorboard = std::move(tensorboard);
    options.prometheus = std::move(prometheus);
    options.web_config = std::move(web_config);
    options.name = std::move(name);
    options.tool_version = BATCHSCOPE_VERSION;
    options.interval =
        std::chrono::duration_cast<base::Nanoseconds>(std::chrono::duration<double>(interval_s));
    options.profile = {profile_every, profile_steps, profile_overhead};
    // Called inside of log_step, whose caller has the interpreter's lock.
    options.begin_profile = [this] {
      if (callbacks_.begin_profile) callbacks_.begin_profile();
    };
    options.end_profile = [this] {
      return callbacks_.end_profile ? nb::cast<std::string>(callbacks_.end_profile()) : "";
    };
    options.on_change = [this](const watch::ActiveFinding& change) {
      call(callbacks_.on_change, change.since_ns, change.ended_ns,
           findings::to_json(change.finding));
    };
    options.warn = [this](const std::string& line) { call(callbacks_.warn, line); };
    // With the lock: its callbacks are Python's objects, and nothing in here waits for them.
    auto started = monitor::TrainingMonitor::start(std::move(options));
    if (!started) raise(started.error());
    monitor_ = *std::move(started);
  }

  // Its thread may wait for the interpreter's lock to tell of something.
  ~PyTrainingMonitor() { close(); }

  double log_step(int64_t step, double seconds, std::optional<double> loss,
                  std::optional<double> learning_rate, std::optional<int64_t> batch_size,
                  std::optional<double> loading_seconds) {
    return monitor_->log_step({step, seconds, loss, learning_rate, batch_size, loading_seconds});
  }

  // False: called by a callback of the monitor's, it ends once that has returned.
  bool close() {
    {
      nb::gil_scoped_release unlocked;
      if (monitor_) monitor_->close();
    }
    if (is_calling) return false;
    // What they hold may hold this: a circle that Python's collector cannot see.
    callbacks_ = {};
    return true;
  }

  nb::list active() const { return texts_of(monitor_->active()); }
  nb::list all() const { return texts_of(monitor_->all()); }
  std::string address() const { return monitor_->address(); }
  double profile_overhead() const { return monitor_->profile_overhead(); }
  int64_t dropped_steps() const { return monitor_->dropped_steps(); }

 private:
  struct Callbacks {
    nb::object begin_profile, end_profile, on_change, warn;
  };

  Callbacks callbacks_;
  std::unique_ptr<monitor::TrainingMonitor> monitor_;
};

}  // namespace

void add_training(nb::module_& module) {
  nb::class_<PyTrainingMonitor>(module, "TrainingMonitor",
                                "Watches a training loop's reported steps and the machine.")
      .def(nb::init<std::string, bool, std::string, std::string, std::string, std::string, double,
                    int64_t, int64_t, double, nb::object, nb::object, nb::object, nb::object>(),
           nb::kw_only(), nb::arg("log"), nb::arg("overwrite"), nb::arg("tensorboard"),
           nb::arg("prometheus"), nb::arg("web_config"), nb::arg("name"), nb::arg("interval_s"),
           nb::arg("profile_every"), nb::arg("profile_steps"), nb::arg("profile_overhead"),
           nb::arg("begin_profile"), nb::arg("end_profile"), nb::arg("on_change"), nb::arg("warn"))
      .def("log_step", &PyTrainingMonitor::log_step, nb::arg("step"), nb::arg("seconds"),
           nb::arg("loss") = nb::none(), nb::arg("learning_rate") = nb::none(),
           nb::arg("batch_size") = nb::none(), nb::arg("loading_seconds") = nb::none())
      .def("close", &PyTrainingMonitor::close)
      .def("active", &PyTrainingMonitor::active)
      .def("all", &PyTrainingMonitor::all)
      .def("address", &PyTrainingMonitor::address)
      .def("profile_overhead", &PyTrainingMonitor::profile_overhead)
      .def("dropped_steps", &PyTrainingMonitor::dropped_steps);
}

}  // namespace batchscope::python
