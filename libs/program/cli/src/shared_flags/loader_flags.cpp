#include "shared_flags/loader_flags.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/lists.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/loading/sample_files.hpp"
#include "batchscope/schema/device_name.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr int64_t kMost = 1024;

// "0,1,2" or a range; unlike sizes, workers begin at 0.
Result<std::vector<int64_t>> numbers(const std::vector<std::string>& typed, const char* flag,
                                     int64_t usual, int64_t least) {
  if (typed.empty()) return std::vector<int64_t>{usual};
  std::vector<int64_t> values;
  std::string rest = base::join(typed, ",");
  if (least == 0 && (rest == "0" || rest.starts_with("0,"))) {
    values.push_back(0);
    rest = rest.size() > 2 ? rest.substr(2) : "";
    if (rest.empty()) return values;
  }
  const auto more = base::parse_integers(rest);
  if (!more || *std::max_element(more->begin(), more->end()) > kMost) {
    return Error{ErrorKind::usage,
                 "'" + base::join(typed, ",") + "' is not a valid list of numbers for it", flag,
                 least == 0 ? "use e.g. 0,1,2" : "use e.g. 2"};
  }
  values.insert(values.end(), more->begin(), more->end());
  return values;
}

// off, on, or both.
Result<std::vector<bool>> switches(const std::vector<std::string>& typed, const char* flag) {
  if (typed.empty()) return std::vector<bool>{false};
  std::vector<bool> values;
  const std::string all = base::join(typed, ",");
  for (const std::string_view each : base::split(all, ',')) {
    const std::string_view text = base::trim(each);
    if (text != "off" && text != "on") {
      return Error{ErrorKind::usage, "'" + std::string(text) + "' is neither off nor on", flag,
                   "choose off, on or off,on"};
    }
    base::add_if_new(values, text == "on");
  }
  return values;
}

// Whether something is asked for that only an accelerator has.
Result<void> check_device(const std::vector<bool>& values, const std::vector<std::string>& devices,
                          const char* what, const char* flag) {
  const bool cpu = std::any_of(devices.begin(), devices.end(), schema::is_cpu);
  if (!cpu || !base::contains(values, true)) return {};
  return Error{ErrorKind::usage, what, flag,
               "leave it out, or name only accelerators (--device cuda:0)"};
}

Result<std::vector<std::string>> start_methods(const std::vector<std::string>& typed) {
  if (typed.empty()) return std::vector<std::string>{""};
  std::vector<std::string> methods;
  const std::string all = base::join(typed, ",");
  for (const std::string_view each : base::split(all, ',')) {
    const std::string method(base::trim(each));
    if (method != "fork" && method != "spawn" && method != "forkserver") {
      return Error{ErrorKind::usage, "'" + method + "' is no way to start a process",
                   "--start-method", "choose fork, spawn or forkserver; several with commas"};
    }
    base::add_if_new(methods, method);
  }
  return methods;
}

// Checked at once, so that errors come before anything is measured; what is in Python is checked
// there.
Result<void> check_source(const LoaderFlags& flags) {
  if (is_in_python(flags)) return {};
  if (!flags.start_methods.empty() || !flags.pinned.empty()) {
    return Error{ErrorKind::usage, "are for data sets in Python", "--start-method, --pin-memory",
                 "leave them out, or use --loader python:data.py:dataset"};
  }
  const auto source = loading::parse_sample_source(flags.source);
  if (!source) return source.error();
  if (source->folder.empty()) return {};
  const auto files = loading::SampleFiles::open(*source, {}, 0);
  return files ? Result<void>() : files.error();
}

// Without workers nobody loads ahead, and nothing is started.
std::vector<schema::Loader> with_workers(const std::vector<schema::Loader>& loaders,
                                         const std::vector<int64_t>& numbers) {
  std::vector<schema::Loader> made;
  for (const int64_t workers : numbers) {
    for (schema::Loader loader : loaders) {
      loader.workers = static_cast<int>(workers);
      if (workers == 0) loader.prefetch = loaders.front().prefetch;
      if (workers == 0) loader.start_method.clear();
      base::add_if_new(made, loader);
    }
  }
  return made;
}

}  // namespace

void add_loader(CLI::App& app, LoaderFlags& flags) {
  const std::string group = "Training on files";
  app.add_option(
         "--loader", flags.source,
         "a folder of files to train on (.txt, .ppm, any other by its bytes), or "
         "synthetic:256: as many files made up for the run; synthetic:256,latency=5ms: each "
         "takes at least this long to open; python:data.py:dataset: what this function returns, "
         "behind torch's DataLoader, while the step -m step:20ms runs")
      ->group(group);
  app.add_option(
         "--loader-workers", flags.workers,
         "threads that load batches ahead: 0,1,2 (default 0: the training loop loads them itself)")
      ->group(group);
  app.add_option("--prefetch", flags.prefetch,
                 "batches that each worker keeps ready or in progress (default 2)")
      ->group(group);
  app.add_option("--prefetch-to-device", flags.to_device,
                 "on an accelerator: copy the next batch there while it computes: off (default), "
                 "on, or off,on to compare")
      ->group(group);
  app.add_option("--start-method", flags.start_methods,
                 "for data sets in Python: start method of the workers: fork, spawn, forkserver; "
                 "several with commas (default: Python's own)")
      ->group(group);
  app.add_option("--pin-memory", flags.pinned,
                 "for data sets in Python on an accelerator: off (default), on, or off,on to "
                 "compare")
      ->group(group);
}

Result<void> read_loader(const LoaderFlags& flags, study::Axes& axes) {
  if (flags.source.empty()) {
    if (flags.workers.empty() && flags.prefetch.empty() && flags.to_device.empty() &&
        flags.start_methods.empty() && flags.pinned.empty()) {
      return {};
    }
    return Error{ErrorKind::usage, "have no effect without a loader",
                 "--loader-workers, --prefetch, --prefetch-to-device, --start-method, --pin-memory",
                 "add --loader FOLDER, or leave them out"};
  }
  if (auto checked = check_source(flags); !checked) return checked;
  const auto workers = numbers(flags.workers, "--loader-workers", 0, 0);
  if (!workers) return workers.error();
  const auto prefetch = numbers(flags.prefetch, "--prefetch", schema::Loader{}.prefetch, 1);
  if (!prefetch) return prefetch.error();
  const auto to_device = switches(flags.to_device, "--prefetch-to-device");
  if (!to_device) return to_device.error();
  const auto pinned = switches(flags.pinned, "--pin-memory");
  if (!pinned) return pinned.error();
  const auto methods = start_methods(flags.start_methods);
  if (!methods) return methods.error();
  if (auto can =
          check_device(*to_device, axes.devices, "on the CPU there is nowhere to send batches",
                       "--prefetch-to-device");
      !can) {
    return can;
  }
  if (auto can = check_device(*pinned, axes.devices, "on the CPU no copy needs pinned memory",
                              "--pin-memory");
      !can) {
    return can;
  }
  std::vector<schema::Loader> loaders;
  for (const int64_t ahead : *prefetch) {
    for (const bool sent : *to_device) {
      for (const std::string& method : *methods) {
        for (const bool pin : *pinned) {
          loaders.push_back({flags.source, 0, static_cast<int>(ahead), sent, method, pin});
        }
      }
    }
  }
  axes.loaders = with_workers(loaders, *workers);
  if (is_in_python(flags)) axes.modes = {schema::Mode::train};
  return {};
}

bool is_in_python(const LoaderFlags& flags) {
  return is_in_python(schema::Loader{flags.source});
}

std::map<std::string, std::string> typed_axes(const LoaderFlags& flags) {
  std::map<std::string, std::string> axes;
  const auto add = [&](const char* name, const std::string& typed) {
    if (!typed.empty()) axes[name] = typed;
  };
  add("loader", flags.source);
  add("loader_workers", base::join(flags.workers, ","));
  add("prefetch", base::join(flags.prefetch, ","));
  add("prefetch_to_device", base::join(flags.to_device, ","));
  add("start_method", base::join(flags.start_methods, ","));
  add("pinned", base::join(flags.pinned, ","));
  return axes;
}

}  // namespace batchscope::cli
