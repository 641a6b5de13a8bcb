#include "shapes.hpp"

#include <algorithm>
#include <array>

#include "batchscope/base/strings.hpp"
#include "batchscope/engine/engine.hpp"
#include "refusals.hpp"

namespace batchscope::torch_plugin {
namespace {

// Enough for every dimension of every input.
constexpr int kMostCalls = 24;

// Pictures that models are trained on; where a model is made for one size, it refuses the others.
constexpr std::array<int64_t, 16> kSides{224, 32,  28,  64,  96,  112, 128, 227,
                                         256, 299, 320, 384, 416, 512, 48,  16};

std::ptrdiff_t reported_sizes_of(const Draft& draft) {
  return std::count_if(draft.extents.begin(), draft.extents.end(),
                       [](const Extent& each) { return each.is == Extent::Is::reported; });
}

std::ptrdiff_t reported_sizes(const std::vector<Draft>& drafts) {
  std::ptrdiff_t reported = 0;
  for (const Draft& draft : drafts) reported += reported_sizes_of(draft);
  return reported;
}

// `rank` dimensions, the first of them B; what has a token's name has two.
std::vector<Draft> of_rank(std::vector<Draft> drafts, size_t rank) {
  size_t next = 1;  // the first prime is the length that all tokens share
  for (Draft& draft : drafts) {
    const bool tokens = names_tokens(draft.name);
    if (tokens) draft.type = at::kLong;
    draft.extents = {{kTrialBatch, Extent::Is::batch}};
    if (tokens) draft.extents.push_back({trial_size(0)});
    while (!tokens && draft.extents.size() < rank) draft.extents.push_back({trial_size(next++)});
  }
  return drafts;
}

Shapes mended(Trial& trial, std::vector<Draft> drafts) {
  std::string refusal;
  for (int i = 0; i < kMostCalls; ++i) {
    Tried tried = trial.call(drafts);
    if (tried.accepted) return {std::move(drafts), true, ""};
    refusal = std::move(tried.refusal);
    if (!mend(drafts, refusal)) break;
  }
  return {std::move(drafts), false, std::move(refusal)};
}

// Of a picture the two sides, where nothing but the sizes is left open.
std::vector<Extent*> open_sides(std::vector<Draft>& drafts) {
  std::vector<Extent*> sides;
  for (Draft& draft : drafts) {
    for (Extent& extent : draft.extents) {
      if (extent.is == Extent::Is::open) sides.push_back(&extent);
    }
  }
  const bool picture = drafts.size() == 1 && drafts.front().extents.size() == 4 &&
                       drafts.front().extents[1].is == Extent::Is::reported;
  return picture && sides.size() == 2 ? sides : std::vector<Extent*>();
}

Shapes with_sides(Trial& trial, Shapes shapes) {
  std::vector<Draft> drafts = shapes.drafts;
  const auto sides = open_sides(drafts);
  if (sides.empty()) return shapes;
  for (const int64_t side : kSides) {
    for (Extent* const each : sides) *each = {side, Extent::Is::reported};
    if (trial.call(drafts).accepted) return {std::move(drafts), true, ""};
  }
  return shapes;
}

Shapes without_batch(Shapes shapes) {
  for (Draft& draft : shapes.drafts) draft.extents.front().is = Extent::Is::open;
  return {std::move(shapes.drafts), false, "no dimension behaves as a batch of samples", false};
}

bool has_rows(const std::vector<at::Tensor>& outputs, int64_t batch) {
  return std::any_of(outputs.begin(), outputs.end(), [&](const at::Tensor& output) {
    return output.dim() > 0 && output.size(0) == batch;
  });
}

// Every input that has the first one's size there has another number of samples.
std::vector<Draft> with_batch(std::vector<Draft> drafts, size_t dimension) {
  const int64_t size = drafts.front().extents[dimension].size;
  const int64_t other = size == 2 ? 3 : 2;  // few: the example may be large
  for (Draft& draft : drafts) {
    if (draft.extents.size() <= dimension || draft.extents[dimension].size != size) continue;
    draft.extents[dimension] = {other, Extent::Is::batch};
  }
  return drafts;
}

// The first dimension, or the second, as that of samples; none where neither is. A batch whose
// samples had rows of the example's output has them with another number of samples too.
Shapes batched(Trial& trial, const std::vector<Draft>& drafts, const Tried& example) {
  const auto& first = drafts.front().extents;
  bool first_fixed = false;
  for (size_t dimension = 0; dimension < std::min<size_t>(first.size(), 2); ++dimension) {
    std::vector<Draft> tried = with_batch(drafts, dimension);
    const bool accepted = trial.call(tried).accepted;
    if (dimension == 0) first_fixed = !accepted;
    if (!accepted) continue;
    const Samples samples = trial.samples_of(tried);
    const bool unseen = samples == Samples::unseen && dimension == 0;
    if (samples == Samples::apart || (unseen && !has_rows(example.outputs, first[0].size))) {
      return {std::move(tried), true, "", true, first_fixed};
    }
  }
  return {drafts, true, ""};
}

}  // namespace

bool names_tokens(const std::string& name) {
  const std::string lower = base::to_lower(name);
  const auto has = [&](std::string_view part) { return lower.find(part) != std::string::npos; };
  return engine::names_a_mask(name) || has("token") || has("input_id") || has("position_id");
}

Shapes shapes_of_example(Trial& trial, std::vector<Draft> drafts) {
  const Tried example = trial.call(drafts);
  const bool without_size = drafts.empty() || drafts.front().extents.empty();
  if (!example.accepted || without_size || batch_of(drafts)) {
    return {std::move(drafts), example.accepted, example.refusal};
  }
  return batched(trial, drafts, example);
}

Shapes shapes_by_trial(Trial& trial, const std::vector<Draft>& drafts) {
  Shapes best;
  for (const size_t rank : std::array<size_t, 5>{2, 3, 4, 5, 1}) {
    Shapes shapes = mended(trial, of_rank(drafts, rank));
    if (!shapes.accepted) shapes = with_sides(trial, std::move(shapes));
    if (shapes.accepted && trial.samples_of(shapes.drafts) == Samples::apart) return shapes;
    if (shapes.accepted) shapes = without_batch(std::move(shapes));
    const bool better =
        best.drafts.empty() || reported_sizes(shapes.drafts) > reported_sizes(best.drafts);
    if (better || (rank == 3 && !best.has_batch && !shapes.has_batch)) best = std::move(shapes);
  }
  return best;
}

}  // namespace batchscope::torch_plugin
