#include <algorithm>
#include <array>

#include "axis_row.hpp"
#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/not_stated.hpp"

// What runs the work, and the model that it is done with.

namespace batchscope::schema {
namespace {

std::string model_of(const RunConfig& config) {
  return config.model;
}

std::string engine_of(const RunConfig& config) {
  return config.engine;
}

// What goes without saying: the engine that models run on unless another is named, and what is
// known by the model's name or by its table.
constexpr std::array<std::string_view, 4> kUnstated = {BATCHSCOPE_USUAL_ENGINE, kEngineOfLaws,
                                                       kEngineCallable, kEngineNotStated};

std::string other_engine(const RunConfig& config) {
  const bool unstated =
      std::find(kUnstated.begin(), kUnstated.end(), config.engine) != kUnstated.end();
  return unstated ? "" : config.engine;
}

constexpr AxisPart kModel{"model", AxisKind::work, model_of, model_of};

constexpr AxisPart kEngine{"engine", AxisKind::setting, engine_of,
                           [](const RunConfig& c) { return "engine " + c.engine; }};

constexpr Field kModelField = field<&RunConfig::model>("model", {.required = true});
constexpr Field kEngineField = field<&RunConfig::engine>("engine", {.required = true});

AxisRow engine_axis() {
  return {{.id = AxisId::engine,
           .name = "engine",
           .sets_outputs = true,
           .parts = std::span(&kEngine, 1),
           .described = other_engine,
           .words = engine_of,
           .forget = [](RunConfig& c) { c.engine.clear(); },
           .arguments =
               [](const RunConfig& c) {
                 return std::vector<Argument>{{"--engine", c.engine}};
               }},
          std::span(&kEngineField, 1)};
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
          std::span(&kModelField, 1)};
}

}  // namespace

std::vector<AxisRow> model_axes() {
  return {engine_axis(), model_axis()};
}

}  // namespace batchscope::schema
