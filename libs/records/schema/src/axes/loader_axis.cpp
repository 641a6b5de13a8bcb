#include <fmt/format.h>

#include <array>

#include "axis_row.hpp"
#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::schema {
namespace {

// Without a loader they are all alike.
Loader loader_of(const RunConfig& config) {
  return config.loader.value_or(Loader{});
}

std::string source_of(const RunConfig& config) {
  return config.loader ? source_in_words(*config.loader) : "";
}

constexpr std::array<AxisPart, 6> kParts = {
    {{"loader", AxisKind::work, [](const RunConfig& c) { return loader_of(c).source; }, source_of},
     {kLoaderWorkers, AxisKind::setting,
      [](const RunConfig& c) { return fmt::format("{}", loader_of(c).workers); },
      [](const RunConfig& c) { return workers_in_words(loader_of(c)); }},
     {"prefetch", AxisKind::setting,
      [](const RunConfig& c) { return fmt::format("{}", loader_of(c).prefetch); },
      [](const RunConfig& c) { return fmt::format("prefetch {}", loader_of(c).prefetch); }},
     {"prefetch_to_device", AxisKind::setting,
      [](const RunConfig& c) {
        return std::string(loader_of(c).prefetch_to_device ? "on" : "off");
      },
      [](const RunConfig& c) {
        return std::string(loader_of(c).prefetch_to_device ? "prefetching to the device"
                                                           : "copying when needed");
      }},
     {"start_method", AxisKind::setting,
      [](const RunConfig& c) { return loader_of(c).start_method; },
      [](const RunConfig& c) {
        const std::string method = loader_of(c).start_method;
        return method.empty() ? method : "workers started by " + method;
      }},
     {"pinned", AxisKind::setting,
      [](const RunConfig& c) { return std::string(loader_of(c).pinned ? "on" : "off"); },
      [](const RunConfig& c) {
        return std::string(loader_of(c).pinned ? "pinned memory" : "pageable memory");
      }}}};

constexpr Field kField = field<&RunConfig::loader>("loader");

std::vector<Argument> arguments(const RunConfig& config) {
  if (!config.loader) return {};
  const Loader& loader = *config.loader;
  std::vector<Argument> made = {{"--loader", loader.source},
                                {"--loader-workers", fmt::format("{}", loader.workers)},
                                {"--prefetch", fmt::format("{}", loader.prefetch)}};
  if (loader.prefetch_to_device) made.push_back({"--prefetch-to-device", "on"});
  if (!loader.start_method.empty()) made.push_back({"--start-method", loader.start_method});
  if (loader.pinned) made.push_back({"--pin-memory", "on"});
  return made;
}

}  // namespace

template <>
const Table& table_of<Loader>() {
  static constexpr std::array kFields = {
      field<&Loader::source>(
          "source", {.required = true,
                     .description =
                         "a folder, synthetic:... for generated files, or python:data.py:dataset"}),
      field<&Loader::workers>(
          "workers",
          {.least = 0, .description = "threads that load ahead; 0: the training loop loads"}),
      field<&Loader::prefetch>(
          "prefetch",
          {.least = 1, .description = "batches that each worker keeps ready or in progress"}),
      field<&Loader::prefetch_to_device>(
          "prefetch_to_device",
          {.omit = Omit::empty,
           .description = "the next batch is copied to the accelerator while it computes; absent: "
                          "no"}),
      field<&Loader::start_method>(
          "start_method",
          {.omit = Omit::empty,
           .description = "of worker processes: fork, spawn or forkserver; absent: Python's own"}),
      field<&Loader::pinned>("pinned",
                             {.omit = Omit::empty,
                              .description = "batches are copied into pinned memory; absent: no"})};
  static constexpr Table kTable{kFields,
                                "train only: files that the samples are read from; absent: the "
                                "same generated inputs each iteration"};
  return kTable;
}

AxisRow loader_axis() {
  return {{.id = AxisId::loader,
           .name = "loader",
           .sets_outputs = true,
           .parts = kParts,
           .described = [](const RunConfig& c) { return c.loader ? describe(*c.loader) : ""; },
           .words = [](const RunConfig& c) { return c.loader ? in_words(*c.loader) : ""; },
           .forget = [](RunConfig& c) { c.loader.reset(); },
           .arguments = arguments},
          std::span(&kField, 1)};
}

}  // namespace batchscope::schema
