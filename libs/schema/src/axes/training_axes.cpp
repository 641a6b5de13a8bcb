#include <fmt/format.h>

#include "axis_row.hpp"

// Inference or training, and how a step of training is made.

namespace batchscope::schema {
namespace {

std::string mode_of(const RunConfig& config) {
  const std::string mode(to_string(config.mode));
  return config.optimizer.empty() ? mode : mode + " with " + config.optimizer;
}

std::string steps_in_words(const RunConfig& config) {
  return fmt::format("{} batch{} a step", config.accumulation,
                     config.accumulation == 1 ? "" : "es");
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

std::string if_checkpointing(const RunConfig& config) {
  return config.checkpointing ? "checkpointing" : "";
}

}  // namespace

AxisRow mode_axis() {
  return {
      {.id = AxisId::mode,
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
      [](const RunConfig& c, nlohmann::ordered_json& json) { json["mode"] = to_string(c.mode); },
      [](const JsonFields& fields, RunConfig& c) { fields.parsed("mode", parse_mode, c.mode); }};
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
          [](const RunConfig& c, nlohmann::ordered_json& json) {
            if (!c.optimizer.empty()) json["optimizer"] = c.optimizer;
          },
          [](const JsonFields& fields, RunConfig& c) { fields.read("optimizer", c.optimizer); }};
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
          [](const RunConfig& c, nlohmann::ordered_json& json) {
            if (c.checkpointing) json["checkpointing"] = true;
          },
          [](const JsonFields& fields, RunConfig& c) {
            fields.read("checkpointing", c.checkpointing);
          }};
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
      [](const RunConfig& c, nlohmann::ordered_json& json) {
        if (c.accumulation != 1) json["accumulation"] = c.accumulation;
      },
      [](const JsonFields& fields, RunConfig& c) {
        fields.within("accumulation", int64_t{1}, kMostAccumulation, c.accumulation);
      }};
}

}  // namespace batchscope::schema
