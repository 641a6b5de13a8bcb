#include "batchscope/findings/terms.hpp"

#include <array>

namespace batchscope::findings {
namespace {

constexpr std::array<Term, 5> kTerms = {
    {{"visit", "visit", "visit",
      "one measurement of one configuration, usually in a fresh process"},
     {"block", "block", "block", "one visit of every configuration, in a new random order"},
     {"jump ratio", "jump-ratio", "jump",
      "the growth of time from the size before, over the growth of the batch: above 1 the step "
      "costs more than it brings"},
     {"knee", "knee", "knee",
      "where larger batches stop bringing throughput: the smallest of the best sizes"},
     {"departure", "departure", "depart",
      "a size that does not lie on the law that the others follow, in either direction"}}};

}  // namespace

std::span<const Term> terms() {
  return kTerms;
}

std::string doc_link(const Term& term) {
  return std::string(kGlossary) + "#" + term.anchor;
}

}  // namespace batchscope::findings
