#include "refusals.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <regex>
#include <string>

namespace batchscope::torch_plugin {
namespace {

// Wide enough for any picture; beyond it a trial costs more than a question.
constexpr int64_t kLargestTried = 600;

int64_t number(const std::csub_match& match) {
  int64_t value = 0;
  std::from_chars(match.first, match.second, value);
  return value;
}

bool says(std::string_view refusal, std::string_view words) {
  return refusal.find(words) != std::string_view::npos;
}

template <class Change>
bool change_open(std::vector<Draft>& drafts, const Change& change) {
  bool changed = false;
  for (Draft& draft : drafts) {
    for (Extent& extent : draft.extents) {
      if (extent.is == Extent::Is::open) changed |= change(extent);
    }
  }
  return changed;
}

bool has_open(const Draft& draft, int64_t size) {
  return std::any_of(draft.extents.begin(), draft.extents.end(), [&](const Extent& each) {
    return each.is == Extent::Is::open && each.size == size;
  });
}

bool is_open(const std::vector<Draft>& drafts, int64_t size) {
  return std::any_of(drafts.begin(), drafts.end(),
                     [&](const Draft& draft) { return has_open(draft, size); });
}

bool settle(std::vector<Draft>& drafts, int64_t given, int64_t wanted) {
  if (wanted < 1) return false;
  return change_open(drafts, [&](Extent& extent) {
    if (extent.size != given) return false;
    extent = {wanted, Extent::Is::reported, extent.largest};
    return true;
  });
}

// A message with the size that was given and the one that was wanted; which group is which.
struct Pattern {
  const char* text;
  int given, wanted;
};

constexpr std::array kPatterns{
    Pattern{R"(\(\d+x(\d+) and (\d+)x\d+\))", 1, 2},                     // linear, mm, addmm
    Pattern{R"(to have (\d+) channels, but got (\d+) channels)", 2, 1},  // convolutions
    Pattern{R"(running_mean should contain (\d+) elements not (\d+))", 1, 2},
    Pattern{R"(embedding dimension of (\d+), but got (\d+))", 2, 1},         // attention
    Pattern{R"(Expected (\d+), got (\d+))", 2, 1},                           // recurrent layers
    Pattern{R"(expected input with shape \[\*, (\d+)\].*, (\d+)\])", 2, 1},  // layer_norm
    Pattern{R"(shape '\[-?\d+, (\d+)\]' is invalid for input of size (\d+))", 0, 1}};

// view(-1, n) says how much was given in all.
bool settle_flattened(std::vector<Draft>& drafts, int64_t wanted) {
  const bool flat = drafts.size() == 1 && drafts.front().extents.size() == 2;
  return flat && settle(drafts, drafts.front().extents.back().size, wanted);
}

bool mend_size(std::vector<Draft>& drafts, std::string_view refusal) {
  for (const Pattern& pattern : kPatterns) {
    std::cmatch match;
    const std::regex text(pattern.text);
    if (!std::regex_search(refusal.data(), refusal.data() + refusal.size(), match, text)) continue;
    const int64_t wanted = number(match[static_cast<size_t>(pattern.wanted)]);
    if (pattern.given == 0) return settle_flattened(drafts, wanted);
    return settle(drafts, number(match[static_cast<size_t>(pattern.given)]), wanted);
  }
  return false;
}

// Two open dimensions that have to agree get one size; one that has to agree with a weight, its.
bool mend_agreement(std::vector<Draft>& drafts, std::string_view refusal) {
  static const std::regex text(R"(size of tensor a \((\d+)\) must match .* tensor b \((\d+)\))");
  std::cmatch match;
  if (!std::regex_search(refusal.data(), refusal.data() + refusal.size(), match, text)) {
    return false;
  }
  const int64_t a = number(match[1]), b = number(match[2]);
  if (!is_open(drafts, b)) return settle(drafts, a, b);
  if (!is_open(drafts, a)) return settle(drafts, b, a);
  return change_open(drafts, [&](Extent& extent) {
    if (extent.size == b) extent.size = a;
    return extent.size == a;
  });
}

// Kernels and pools that are larger than what they are laid on.
bool mend_smallness(std::vector<Draft>& drafts, std::string_view refusal) {
  const bool small = says(refusal, "greater than actual input size") ||
                     says(refusal, "Output size is too small") ||
                     says(refusal, "less than the corresponding input dimension");
  if (!small) return false;
  return change_open(drafts, [](Extent& extent) {
    if (extent.size * 4 > kLargestTried) return false;
    extent.size *= 4;
    return true;
  });
}

bool turn(std::vector<Draft>& drafts, bool to_integers) {
  for (Draft& draft : drafts) {
    if (draft.turned || at::isFloatingType(draft.type) != to_integers) continue;
    draft.type = to_integers ? at::kLong : at::kFloat;
    draft.turned = true;
    return true;
  }
  return false;
}

bool mend_type(std::vector<Draft>& drafts, std::string_view refusal) {
  constexpr std::array<std::string_view, 4> kWantIntegers{
      "scalar types: Long, Int", "expected scalar type Long", "expected scalar type Int",
      "used as indices must be long"};
  constexpr std::array<std::string_view, 3> kWantFloats{"have the same dtype, but got Long and",
                                                        "Input type (long int)", "long int !="};
  const auto stated = [&](std::string_view words) { return says(refusal, words); };
  if (std::any_of(kWantIntegers.begin(), kWantIntegers.end(), stated)) return turn(drafts, true);
  if (std::any_of(kWantFloats.begin(), kWantFloats.end(), stated)) return turn(drafts, false);
  return false;
}

}  // namespace

int64_t trial_size(size_t index) {
  constexpr std::array<int64_t, 16> kPrimes{7,  11, 13, 17, 19, 23, 29, 31,
                                            37, 41, 43, 47, 53, 59, 61, 67};
  return kPrimes[index % kPrimes.size()];
}

bool mend(std::vector<Draft>& drafts, std::string_view refusal) {
  return mend_size(drafts, refusal) || mend_agreement(drafts, refusal) ||
         mend_smallness(drafts, refusal) || mend_type(drafts, refusal);
}

}  // namespace batchscope::torch_plugin
