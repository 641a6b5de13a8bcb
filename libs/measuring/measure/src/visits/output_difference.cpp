#include "output_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "batchscope/engine/abilities.hpp"

namespace batchscope::measure {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

struct NoSink final : engine::PhaseSink {
  void phase(std::string_view, int64_t, std::optional<int64_t>) override {}
};

Error incomparable(std::string what) {
  return {ErrorKind::failed, std::move(what), "outputs",
          "check that the files hold the same model"};
}

double cosine_of(std::span<const float> a, std::span<const float> b) {
  double product = 0, squares_a = 0, squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i], y = b[i];
    product += x * y;
    squares_a += x * x;
    squares_b += y * y;
  }
  if (squares_a == 0 && squares_b == 0) return 1;
  if (squares_a == 0 || squares_b == 0) return 0;
  return std::min(product / std::sqrt(squares_a * squares_b), 1.0);
}

double largest_of(std::span<const float> values) {
  double largest = 0;
  for (const float value : values)
    largest = std::max(largest, std::abs(static_cast<double>(value)));
  return largest;
}

// Texts of a file have lengths of their own: any one shows whether two engines compute the same.
schema::Shape shape_of(const schema::RunConfig& run) {
  constexpr int64_t kTokens = 64;
  schema::Shape shape = run.shape;
  if (run.pipeline && !shape.seq_len && shape.lengths.empty()) {
    const int64_t most = run.pipeline->max_length;
    shape.seq_len = most > 0 ? std::min(kTokens, most) : kTokens;
  }
  return shape;
}

// Vectors of padding hold what each engine leaves there.
bool is_padding(const ModelOutput& output, std::size_t vector) {
  const auto& dimensions = output.values.dimensions;
  return dimensions.size() == 3 && vector < output.mask.size() && output.mask[vector] == 0;
}

}  // namespace

Result<ModelOutput> outputs_of(engine::Engine& engine, const VisitRequest& request,
                               const engine::ExecutionSpec& execution) {
  auto model = engine.load(request.model, execution);
  if (!model) return std::move(model).error();
  const auto takes = engine::require<engine::TakesTensors>(**model);
  if (!takes) return takes.error();
  const auto inputs =
      engine::make_inputs((*takes)->inputs(), shape_of(request.run), 0, request.model.seed);
  if (!inputs) return inputs.error();
  NoSink sink;
  auto outputs = (*takes)->infer(*inputs, {}, sink);
  if (!outputs) return std::move(outputs).error();
  if (outputs->empty()) return incomparable("the model has no output");
  ModelOutput output{std::move(outputs->front()), {}};
  if (const auto* const mask = engine::find_mask(*inputs)) {
    auto real = engine::to_floats(*mask);
    if (!real) return std::move(real).error();
    output.mask = *std::move(real);
  }
  return output;
}

Result<schema::OutputDifference> difference_of(const ModelOutput& output,
                                               const ModelOutput& against) {
  if (output.values.dimensions != against.values.dimensions) {
    return incomparable(fmt::format("the outputs have different shapes: {} and {}",
                                    describe(output.values), describe(against.values)));
  }
  const auto own = engine::to_floats(output.values);
  const auto other = engine::to_floats(against.values);
  if (!own) return own.error();
  if (!other) return other.error();
  if (own->empty()) return incomparable("the outputs are empty");
  const auto& dimensions = output.values.dimensions;
  const auto width = dimensions.empty() ? 1 : static_cast<std::size_t>(dimensions.back());
  schema::OutputDifference difference;
  difference.cosine = 1;
  double largest = 0, error = 0;
  for (std::size_t at = 0; at + width <= own->size(); at += width) {
    if (is_padding(against, at / width)) continue;
    const std::span a = std::span(*own).subspan(at, width);
    const std::span b = std::span(*other).subspan(at, width);
    difference.cosine = std::min(difference.cosine, cosine_of(a, b));
    largest = std::max(largest, largest_of(b));
    for (std::size_t i = 0; i < width; ++i) {
      const double apart = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
      if (!std::isfinite(apart)) return incomparable("the outputs contain non-finite values");
      error = std::max(error, apart);
    }
    difference.values += static_cast<int64_t>(width);
  }
  if (difference.values == 0) return incomparable("the outputs contain only padding");
  difference.largest_relative_error = largest > 0 ? error / largest : error;
  return difference;
}

}  // namespace batchscope::measure
