#include "idle_places.hpp"

#include <algorithm>

namespace batchscope::attribution {
namespace {

// Of the host's idle time that an activity holds, to stand for it.
constexpr double kNearlyAll = 0.9;

}  // namespace

void IdleSites::add_gap(const std::vector<CausedPiece>& pieces) {
  in_gap_.clear();
  ++gap_;
  for (const CausedPiece& each : pieces) {
    if (each.part == Part::launch) continue;
    for_each_within(within_, each.span, [&](Span span) { add(each, span); });
  }
}

void IdleSites::add(const CausedPiece& piece, Span span) {
  if (piece.part == Part::host && piece.track != trace::kNone) {
    add_host_work(piece.track, span);
  } else if (piece.row != trace::kNone) {
    add(piece.row, span, piece.part);
  }
}

uint32_t IdleSites::row_of(Part cause) const {
  const IdleSite* most = nullptr;
  for (const auto& [key, place] : in_gap_) {
    if (key.first == cause && (most == nullptr || place.ns > most->ns)) most = &place;
  }
  return most == nullptr ? trace::kNone : most->row;
}

void IdleSites::add(uint32_t row, Span span, Part part) {
  const uint32_t name = row == trace::kNone ? trace::kNone : trace_.activities.name[row];
  for (IdleSite* const place : {&all_[{part, name}], &in_gap_[{part, name}]}) {
    place->ns += span.length_ns();
    place->gaps += place->last_gap == gap_ ? 0 : 1;
    place->last_gap = gap_;
    place->calls += place->last_row == row ? 0 : 1;
    place->last_row = row;
    if (span.length_ns() <= place->longest_ns) continue;
    place->longest_ns = span.length_ns();
    place->row = row;
  }
}

// Each moment lies in what is innermost then.
void IdleSites::add_host_work(uint32_t track, Span span) {
  host_ns_ += span.length_ns();
  Innermost& innermost = innermost_.try_emplace(track, trace_, classes_, track).first->second;
  for (const Innermost::Part& each : innermost.within(span, gap_)) {
    add(each.row, each.span, Part::host);
  }
}

std::optional<IdleSites::IdleSite> IdleSites::around_host_work() const {
  std::optional<IdleSite> best;
  size_t depth = 0;
  const double least = kNearlyAll * static_cast<double>(host_ns_);
  for (const auto& [track, innermost] : innermost_) {
    for (const auto& [name, around] : innermost.around()) {
      if (static_cast<double>(around.ns) < least || around.depth <= depth) continue;
      depth = around.depth;
      best =
          IdleSite{around.ns, around.gaps, around.ns, around.row, gap_, around.calls, around.row};
    }
  }
  return best;
}

}  // namespace batchscope::attribution
