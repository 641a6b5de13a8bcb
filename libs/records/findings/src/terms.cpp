#include "batchscope/findings/terms.hpp"

#include <array>

namespace batchscope::findings {
namespace {

constexpr std::array<Term, 5> kTerms = {
    {{"visit", "visit", "visit",
      "one measurement of one configuration, usually in a fresh process"},
     {"block", "block", "block", "one visit of every configuration, in a new random order"},
     {"jump ratio", "jump-ratio", "jump",
      "growth of the time divided by growth of the batch size, from the row above; above 1, the "
      "larger batch is less efficient"},
     {"knee", "knee", "knee",
      "the smallest of the best sizes: larger batches bring no more throughput"},
     {"departure", "departure", "depart",
      "a size that is slower or faster than the law of the other sizes predicts"}}};

}  // namespace

std::span<const Term> terms() {
  return kTerms;
}

std::string doc_link(const Term& term) {
  return std::string(kGlossary) + "#" + term.anchor;
}

}  // namespace batchscope::findings
