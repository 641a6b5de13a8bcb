#include "batchscope/document/terms.hpp"

#include <string>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::document {
namespace {

using findings::Term;

std::string all_words(Document document) {
  std::string words;
  rewrite(document, [&](const std::string& text) {
    words += text + "\n";
    return text;
  });
  return words;
}

std::string anchor_of(const Term* term) {
  return std::string("#") + term->anchor;
}

}  // namespace

std::vector<const Term*> terms_in(const Document& document) {
  const std::string words = all_words(document);
  std::vector<const Term*> used;
  for (const Term& term : findings::terms()) {
    if (words.find(term.stated) != std::string::npos) used.push_back(&term);
  }
  return used;
}

Document terms_footnote(const Document& document) {
  const std::vector<const Term*> used = terms_in(document);
  if (used.empty()) return {};
  return {Paragraph{{{"Terms: " + std::string(findings::kGlossary) + " (" +
                          base::join(base::mapped(used, anchor_of), ", ") + ").",
                      Tone::dim}}}};
}

}  // namespace batchscope::document
