#pragma once

#include <span>
#include <string>

namespace batchscope::findings {

// A word of the output that has a meaning of its own here, as the glossary gives it.
struct Term {
  const char* name;
  const char* anchor;   // of the glossary
  const char* stated;   // what stands wherever it is used
  const char* meaning;  // in one clause
};

// Those that a table or a finding cannot do without.
std::span<const Term> terms();

// Relative to the root of the repository.
inline constexpr const char* kGlossary = "docs/reference/glossary.md";
// "docs/reference/glossary.md#jump-ratio".
std::string doc_link(const Term& term);

}  // namespace batchscope::findings
