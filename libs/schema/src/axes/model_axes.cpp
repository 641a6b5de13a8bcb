#include "axis_row.hpp"

// What runs the work, and the model that it is done with.

namespace batchscope::schema {
namespace {

std::string model_of(const RunConfig& config) {
  return config.model;
}

std::string engine_of(const RunConfig& config) {
  return config.engine;
}

constexpr AxisPart kModel{"model", AxisKind::work, model_of, model_of};

constexpr AxisPart kEngine{"engine", AxisKind::setting, engine_of,
                           [](const RunConfig& c) { return "engine " + c.engine; }};

}  // namespace

AxisRow engine_axis() {
  return {{.id = AxisId::engine,
           .name = "engine",
           .sets_outputs = true,
           .parts = std::span(&kEngine, 1),
           // Beside the usual one.
           .described = [](const RunConfig& c) { return c.engine == "openvino" ? c.engine : ""; },
           .words = engine_of,
           .forget = [](RunConfig& c) { c.engine.clear(); },
           .arguments =
               [](const RunConfig& c) {
                 return std::vector<Argument>{{"--engine", c.engine}};
               }},
          [](const RunConfig& c, nlohmann::ordered_json& json) { json["engine"] = c.engine; },
          [](const JsonFields& fields, RunConfig& c) { fields.require("engine", c.engine); }};
}

AxisRow model_axis() {
  return {{.id = AxisId::model,
           .name = "model",
           .sets_outputs = true,
           .parts = std::span(&kModel, 1),
           .described = model_of,
           .words = model_of,
           .forget = [](RunConfig& c) { c.model.clear(); },
           .arguments = no_arguments},
          [](const RunConfig& c, nlohmann::ordered_json& json) { json["model"] = c.model; },
          [](const JsonFields& fields, RunConfig& c) { fields.require("model", c.model); }};
}

}  // namespace batchscope::schema
