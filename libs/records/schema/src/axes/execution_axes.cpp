#include <fmt/format.h>

#include "axis_row.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "plain_axis.hpp"

// With which numbers, where, by how many, and in what kind of pages.

namespace batchscope::schema {
namespace {

std::string precision_of(const RunConfig& config) {
  return std::string(to_string(config.precision));
}

std::string device_of(const RunConfig& config) {
  return config.device;
}

std::string threads_of(const RunConfig& config) {
  return states_threads(config) ? fmt::format("{}", config.threads) : "";
}

std::string instances_in_words(const RunConfig& config) {
  return base::counted(config.instances, "instance");
}

std::string stated_precision(const RunConfig& config) {
  return states_precision(config) ? precision_of(config) : "";
}

std::string stated_threads(const RunConfig& config) {
  return states_threads(config) ? base::counted(config.threads, "thread") : "";
}

std::string or_not_stated(const std::string& stated, const char* what) {
  return stated.empty() ? fmt::format("{} not stated", what) : stated;
}

std::vector<Argument> argument_if_any(const char* flag, std::string value) {
  if (value.empty()) return {};
  return {{flag, std::move(value)}};
}

constexpr AxisPart kPrecision{"precision", AxisKind::setting, precision_of, [](const RunConfig& c) {
                                return or_not_stated(stated_precision(c), "precision");
                              }};

constexpr AxisPart kDevice{"device", AxisKind::setting, device_of,
                           [](const RunConfig& c) { return or_not_stated(c.device, "device"); }};

constexpr AxisPart kThreads{"threads", AxisKind::setting, threads_of, [](const RunConfig& c) {
                              return or_not_stated(stated_threads(c), "threads");
                            }};

constexpr AxisPart kInstances{"instances", AxisKind::setting,
                              [](const RunConfig& c) { return fmt::format("{}", c.instances); },
                              instances_in_words};

// Also what a table does not state, which no flag may ask for.
constexpr Field kPrecisionField = field<&RunConfig::precision>("precision", {.required = true});
constexpr Field kDeviceField = field<&RunConfig::device>(
    "device", {.description = "cpu or cuda:N; empty: an imported table does not state it"});
constexpr Field kThreadsField = field<&RunConfig::threads>("threads", {.least = 0});
constexpr Field kInstancesField = field<&RunConfig::instances>("instances", {.least = 1});

AxisRow precision_axis() {
  return {
      {.id = AxisId::precision,
       .name = "precision",
       .sets_outputs = true,
       .parts = std::span(&kPrecision, 1),
       .described = stated_precision,
       .words = stated_precision,
       .forget = [](RunConfig& c) { c.precision = kPrecisionNotStated; },
       .arguments =
           [](const RunConfig& c) { return argument_if_any("--precision", stated_precision(c)); }},
      std::span(&kPrecisionField, 1)};
}

AxisRow device_axis() {
  return {{.id = AxisId::device,
           .name = "device",
           .sets_outputs = true,
           .parts = std::span(&kDevice, 1),
           .described = device_of,
           .words = device_of,
           .forget = [](RunConfig& c) { c.device.clear(); },
           .arguments = [](const RunConfig& c) { return argument_if_any("--device", c.device); }},
          std::span(&kDeviceField, 1)};
}

AxisRow threads_axis() {
  return {
      {.id = AxisId::threads,
       .name = "threads",
       .sets_outputs = false,
       .parts = std::span(&kThreads, 1),
       .described =
           [](const RunConfig& c) { return states_threads(c) ? "threads=" + threads_of(c) : ""; },
       .words = stated_threads,
       .forget = [](RunConfig& c) { c.threads = 0; },
       .arguments = [](const RunConfig& c) { return argument_if_any("--threads", threads_of(c)); }},
      std::span(&kThreadsField, 1)};
}

AxisRow instances_axis() {
  return {
      {.id = AxisId::instances,
       .name = "instances",
       .sets_outputs = false,
       .parts = std::span(&kInstances, 1),
       .described =
           [](const RunConfig& c) {
             return c.instances != 1 ? fmt::format("instances={}", c.instances) : "";
           },
       .words = [](const RunConfig& c) { return c.instances != 1 ? instances_in_words(c) : ""; },
       .forget = [](RunConfig& c) { c.instances = 0; },
       .arguments =
           [](const RunConfig& c) {
             return argument_if_any("--instances",
                                    c.instances > 1 ? fmt::format("{}", c.instances) : "");
           }},
      std::span(&kInstancesField, 1)};
}

AxisRow huge_pages_axis() {
  return plain_axis<&RunConfig::huge_pages, "huge_pages">(
      {.id = AxisId::huge_pages,
       .help =
           "off, on: let the visits use transparent huge pages (default: the machine's setting)",
       .description = "transparent huge pages: false: denied to the workers; true: allowed; "
                      "absent: as set on the machine",
       .of_process = true});
}

}  // namespace

std::vector<AxisRow> execution_axes() {
  return {precision_axis(), device_axis(), threads_axis(), instances_axis(), huge_pages_axis()};
}

}  // namespace batchscope::schema
