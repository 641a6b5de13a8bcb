#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/watch/targets.hpp"

namespace batchscope::watch {

using Row = findings::KindRow<Targets>;
using Prose = findings::Prose<Targets>;

using Ids = std::array<std::string_view, 6>;
template <class... Of>
constexpr Ids ids(Of... each) {
  return {each...};
}

// What a kind is to others of its place.
enum class Role {
  none,
  says_all,   // nothing else is told of the place meanwhile
  why_idle,   // one of those that say why a GPU is not used well, of which one stands
  unsure_why  // the same, and gives way to one that explains it
};

// The row of a kind of finding, beside the rule that finds it.
struct Kind : Row {
  // Of what is equally severe the lowest comes first: what breaks, then what explains, then hints.
  int rank = 0;
  Role role = Role::none;
  // Kinds that are not told where this one is seen: of its own place, and of GPUs elsewhere.
  Ids explains_here{}, explains_elsewhere{};
};

inline bool is_one_of(std::string_view id, const Ids& ids) {
  return !id.empty() && std::ranges::find(ids, id) != ids.end();
}

}  // namespace batchscope::watch
