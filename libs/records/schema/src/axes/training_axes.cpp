#include <fmt/format.h>

#include "axis_row.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/schema/describe.hpp"

// Inference or training, and how a step of training is made.

namespace batchscope::schema {
namespace {

std::string mode_of(const RunConfig& config) {
  const std::string mode(to_string(config.mode));
  return config.optimizer.empty() ? mode : mode + " with " + config.optimizer;
}

std::string steps_in_words(const RunConfig& config) {
  return fmt::format("{} per step", base::counted(config.accumulation, "batch"));
}

// Training and its optimizer are told apart as one.
constexpr AxisPart kMode{"mode", AxisKind::work, mode_of, mode_of};

constexpr AxisPart kCheckpointing{
    "checkpointing", AxisKind::setting,
    [](const RunConfig& c) { return std::string(c.checkpointing ? "on" : "off"); },
    [](const RunConfig& c) {
      return std::string(c.checkpointing ? "checkpointing" : "no checkpointing");
    }};

constexpr AxisPart kAccumulation{
    "accumulation", AxisKind::setting,
    [](const RunConfig& c) { return fmt::format("{}", c.accumulation); }, steps_in_words};

constexpr Field kModeField = field<&RunConfig::mode>("mode");
constexpr Field kOptimizerField =
    field<&RunConfig::optimizer>("optimizer", {.omit = Omit::empty, .description = "train only"});
constexpr Field kCheckpointingField = field<&RunConfig::checkpointing>(
    "checkpointing",
    {.omit = Omit::empty,
     .description = "train only: layers are computed again in the backward pass; absent: not"});
constexpr Field kAccumulationField = field<&RunConfig::accumulation>(
    "accumulation",
    {.omit = Omit::one,
     .least = 1,
     .most = kMostAccumulation,
     .description = "train only: batches whose gradients make one step; absent: 1"});

std::string if_checkpointing(const RunConfig& config) {
  return config.checkpointing ? "checkpointing" : "";
}

AxisRow mode_axis() {
  return {{.id = AxisId::mode,
           .name = "mode",
           .sets_outputs = true,
           .parts = std::span(&kMode, 1),
           .described = [](const RunConfig& c) -> std::string {
             if (c.mode != Mode::train) return "";
             return c.optimizer.empty() ? "train" : fmt::format("train ({})", c.optimizer);
           },
           .words =
               [](const RunConfig& c) {
                 return c.mode == Mode::infer ? "" : std::string(to_string(c.mode));
               },
           .forget = [](RunConfig& c) { c.mode = Mode::infer; },
           .arguments =
               [](const RunConfig& c) {
                 if (c.mode != Mode::train) return std::vector<Argument>{};
                 return std::vector<Argument>{{"--mode", "train"}};
               }},
          std::span(&kModeField, 1)};
}

AxisRow optimizer_axis() {
  return {{.id = AxisId::optimizer,
           .name = "optimizer",
           .sets_outputs = true,
           .parts = {},
           .described = no_words,
           .words = [](const RunConfig& c) { return c.optimizer; },
           .forget = [](RunConfig& c) { c.optimizer.clear(); },
           .arguments =
               [](const RunConfig& c) {
                 if (c.optimizer.empty()) return std::vector<Argument>{};
                 return std::vector<Argument>{{"--optimizer", c.optimizer}};
               }},
          std::span(&kOptimizerField, 1)};
}

AxisRow checkpointing_axis() {
  return {{.id = AxisId::checkpointing,
           .name = "checkpointing",
           .sets_outputs = true,
           .parts = std::span(&kCheckpointing, 1),
           .described = if_checkpointing,
           .words = if_checkpointing,
           .forget = [](RunConfig& c) { c.checkpointing = false; },
           .arguments =
               [](const RunConfig& c) {
                 if (!c.checkpointing) return std::vector<Argument>{};
                 return std::vector<Argument>{{"--checkpointing", "on"}};
               }},
          std::span(&kCheckpointingField, 1)};
}

AxisRow accumulation_axis() {
  return {
      {.id = AxisId::accumulation,
       .name = "accumulation",
       .sets_outputs = true,
       .parts = std::span(&kAccumulation, 1),
       .described =
           [](const RunConfig& c) {
             return c.accumulation != 1 ? fmt::format("accumulation={}", c.accumulation) : "";
           },
       .words = [](const RunConfig& c) { return c.accumulation != 1 ? steps_in_words(c) : ""; },
       .forget = [](RunConfig& c) { c.accumulation = 1; },
       .arguments =
           [](const RunConfig& c) {
             if (c.accumulation == 1) return std::vector<Argument>{};
             return std::vector<Argument>{{"--accumulation", fmt::format("{}", c.accumulation)}};
           }},
      std::span(&kAccumulationField, 1)};
}

}  // namespace

std::vector<AxisRow> training_axes() {
  return {mode_axis(), optimizer_axis(), checkpointing_axis(), accumulation_axis()};
}

}  // namespace batchscope::schema
