#include "precedence.hpp"

#include <algorithm>
#include <iterator>

namespace batchscope::watch {
namespace {

bool is_machine_or_process(const std::string& place) {
  return place == kMachine || place.starts_with("pid ");
}

// What is wrong with the machine, of every GPU; what one GPU has, of those that it holds up.
bool explains_elsewhere(const RuleHit& cause, const RuleHit& other) {
  const std::string_view id = other.kind->id;
  if (!is_one_of(id, cause.kind->explains_elsewhere) || cause.kind == other.kind) return false;
  // What costs little explains nothing that costs much.
  const auto least = cause.place == kMachine ? findings::Severity::medium : other.finding.severity;
  return cause.finding.severity >= least;
}

bool explains(const RuleHit& cause, const RuleHit& other) {
  if (&cause == &other) return false;
  const std::string_view id = other.kind->id;
  if (is_machine_or_process(other.place)) {  // the process explains the machine
    return cause.kind == other.kind && cause.place.starts_with("pid ") && other.place == kMachine;
  }
  if (cause.place != other.place) return explains_elsewhere(cause, other);
  return cause.kind->role == Role::says_all || is_one_of(id, cause.kind->explains_here);
}

bool tells_why(const Kind& kind) {
  return kind.role == Role::why_idle || kind.role == Role::unsure_why;
}

}  // namespace

void supersede(RuleHits& candidates) {
  RuleHits left;
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(left),
               [&](const RuleHit& other) {
                 return std::none_of(candidates.begin(), candidates.end(),
                                     [&](const RuleHit& cause) { return explains(cause, other); });
               });
  candidates = std::move(left);
}

bool are_alternatives(const Kind& kind, const Kind& other) {
  return &kind != &other && tells_why(kind) && tells_why(other);
}

}  // namespace batchscope::watch
