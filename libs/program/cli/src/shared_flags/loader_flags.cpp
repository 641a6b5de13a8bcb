#include "shared_flags/loader_flags.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

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

// Whether batches are sent ahead: off, on, or both.
Result<std::vector<bool>> switches(const std::vector<std::string>& typed,
                                   const std::vector<std::string>& devices) {
  constexpr const char* kFlag = "--prefetch-to-device";
  if (typed.empty()) return std::vector<bool>{false};
  std::vector<bool> values;
  const std::string all = base::join(typed, ",");
  for (const std::string_view each : base::split(all, ',')) {
    const std::string_view text = base::trim(each);
    if (text != "off" && text != "on") {
      return Error{ErrorKind::usage, "'" + std::string(text) + "' is neither off nor on", kFlag,
                   "choose off, on or off,on"};
    }
    const bool on = text == "on";
    if (std::find(values.begin(), values.end(), on) == values.end()) values.push_back(on);
  }
  const bool sends = std::find(values.begin(), values.end(), true) != values.end();
  if (sends && std::any_of(devices.begin(), devices.end(), schema::is_cpu)) {
    return Error{ErrorKind::usage, "on the CPU there is nowhere to send batches", kFlag,
                 "leave it out, or name only accelerators (--device cuda:0)"};
  }
  return values;
}

}  // namespace

void add_loader(CLI::App& app, LoaderFlags& flags) {
  const std::string group = "Training on files";
  app.add_option(
         "--loader", flags.source,
         "a folder of files to train on (.txt, .ppm, any other by its bytes), or "
         "synthetic:256: as many files made up for the run; synthetic:256,latency=5ms: each "
         "takes at least this long to open")
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
}

Result<void> read_loader(const LoaderFlags& flags, study::Axes& axes) {
  if (flags.source.empty()) {
    if (flags.workers.empty() && flags.prefetch.empty() && flags.to_device.empty()) return {};
    return Error{ErrorKind::usage, "have no effect without a loader",
                 "--loader-workers, --prefetch, --prefetch-to-device",
                 "add --loader FOLDER, or leave them out"};
  }
  // Looked at once now, so that what is wrong with it is said before anything is measured.
  const auto source = loading::parse_sample_source(flags.source);
  if (!source) return source.error();
  if (!source->folder.empty()) {
    const auto files = loading::SampleFiles::open(*source, {}, 0);
    if (!files) return files.error();
  }
  const auto workers = numbers(flags.workers, "--loader-workers", 0, 0);
  if (!workers) return workers.error();
  const auto prefetch = numbers(flags.prefetch, "--prefetch", schema::Loader{}.prefetch, 1);
  if (!prefetch) return prefetch.error();
  const auto to_device = switches(flags.to_device, axes.devices);
  if (!to_device) return to_device.error();
  for (const int64_t n : *workers) {
    for (const int64_t ahead : *prefetch) {
      for (const bool sent : *to_device) {
        axes.loaders.push_back({flags.source, static_cast<int>(n), static_cast<int>(ahead), sent});
      }
      if (n == 0) break;  // nobody loads ahead
    }
  }
  return {};
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
  return axes;
}

}  // namespace batchscope::cli
