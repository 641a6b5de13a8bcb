#include "values.hpp"

#include <algorithm>

#include "batchscope/engine/engine.hpp"
#include "shapes.hpp"

namespace batchscope::torch_plugin {
namespace {

// Tables have fewer rows than that.
constexpr int64_t kMostValues = int64_t{1} << 24;
// What is measured where nobody says a length.
constexpr int64_t kUsualLength = 128;

bool takes_value(Trial& trial, std::vector<Draft> drafts, size_t which, int64_t value) {
  drafts[which].fill = value;
  return trial.call(drafts).accepted;
}

// 0 is taken. The first power of two that is refused, then halves between it and the last taken.
std::optional<int64_t> largest_value(Trial& trial, const std::vector<Draft>& drafts, size_t which) {
  int64_t taken = 0, refused = 1;
  while (takes_value(trial, drafts, which, refused)) {
    taken = refused;
    refused *= 2;
    if (refused > kMostValues) return std::nullopt;
  }
  while (refused - taken > 1) {
    const int64_t middle = taken + (refused - taken) / 2;
    (takes_value(trial, drafts, which, middle) ? taken : refused) = middle;
  }
  return taken;
}

bool is_complete(const Draft& draft) {
  return at::isIntegralType(draft.type, /*includeBool=*/true);
}

bool may_be_length(const Draft& draft) {
  if (!is_complete(draft) || draft.extents.size() != 2) return false;
  return draft.extents.front().is == Extent::Is::batch;
}

// The dimensions that would be the length: those that the file said are one; else the second ones
// of integers, and what shares their size, in masks of other types too.
std::vector<Extent*> lengths_in(std::vector<Draft>& drafts, bool of_integers_only) {
  std::optional<int64_t> size;
  std::vector<Extent*> reported;
  for (Draft& draft : drafts) {
    for (Extent& extent : draft.extents) {
      if (extent.is == Extent::Is::length) reported.push_back(&extent);
    }
    if (!size && may_be_length(draft)) size = draft.extents.back().size;
  }
  if (!reported.empty() || !size) return reported;
  for (Draft& draft : drafts) {
    if (of_integers_only && !may_be_length(draft)) continue;
    for (Extent& extent : draft.extents) {
      if (extent.is != Extent::Is::batch && extent.size == *size) reported.push_back(&extent);
    }
  }
  return reported;
}

bool takes_length(Trial& trial, std::vector<Draft> drafts, bool of_integers_only, int64_t length) {
  for (Extent* const each : lengths_in(drafts, of_integers_only)) {
    if (length < 1 || (each->largest && *each->largest < length)) return false;
    each->size = length;
  }
  return trial.call(drafts).accepted;
}

// One number a sample is no sequence of length one: where that is taken too, the shape is open.
bool takes_single_numbers(Trial& trial, std::vector<Draft> drafts) {
  for (Draft& draft : drafts) {
    const bool open = may_be_length(draft) && draft.extents.back().is == Extent::Is::open;
    if (open && names_tokens(draft.name)) return false;
    if (open) draft.extents.pop_back();
  }
  return trial.call(drafts).accepted;
}

bool has_open_integers(const std::vector<Draft>& drafts) {
  return std::any_of(drafts.begin(), drafts.end(), [](const Draft& draft) {
    return may_be_length(draft) && draft.extents.back().is == Extent::Is::open;
  });
}

void shorten(Trial& trial, std::vector<Draft>& drafts) {
  for (int64_t length = kUsualLength / 2; length >= 1; length /= 2) {
    if (!takes_length(trial, drafts, false, length)) continue;
    for (Extent* const each : lengths_in(drafts, false)) *each = {length, Extent::Is::reported};
    return;
  }
}

}  // namespace

void find_largest_values(Trial& trial, std::vector<Draft>& drafts) {
  for (size_t i = 0; i < drafts.size(); ++i) {
    if (has_values_to_find(drafts[i])) drafts[i].high = largest_value(trial, drafts, i);
  }
  for (Draft& draft : drafts) draft.fill = draft.high.value_or(0);
}

void find_lengths(Trial& trial, std::vector<Draft>& drafts) {
  const auto known = lengths_in(drafts, false);
  if (known.empty()) return;
  if (known.front()->is == Extent::Is::length) {
    if (!takes_length(trial, drafts, false, kUsualLength)) shorten(trial, drafts);
    return;
  }
  if (has_open_integers(drafts) && takes_single_numbers(trial, drafts)) return;
  for (const bool of_integers_only : {false, true}) {
    const auto lengths = lengths_in(drafts, of_integers_only);
    if (lengths.empty()) continue;
    const int64_t shorter = lengths.front()->size - 1;
    if (!takes_length(trial, drafts, of_integers_only, kUsualLength)) continue;
    if (!takes_length(trial, drafts, of_integers_only, shorter)) continue;
    for (Extent* const each : lengths) each->is = Extent::Is::length;
    return;
  }
  if (has_open_integers(drafts)) shorten(trial, drafts);
}

}  // namespace batchscope::torch_plugin
