#pragma once

#include <span>
#include <string>

#include "batchscope/document/document.hpp"
#include "batchscope/findings/catalogue.hpp"

namespace batchscope::document {

// What pages show of a finding, whatever it is about. `kinds`: what its kind is looked up in.
using findings::FindingKind;

// "is-" and this is the class of a card: bad, caution or plain.
const char* card_style(const findings::Finding& finding);
// The line that leads a card: how severe, how sure, and its kind by name.
std::string kind_html(const findings::Finding& finding, std::span<const FindingKind> kinds);

// Where a reader finds what its kind means; its id where it does not say.
KeyValue see_field(const findings::Finding& finding);

// What each kind of these findings means, what to do about it, and how its severity follows. Empty
// without findings.
std::string explanations(std::span<const findings::Finding> findings,
                         std::span<const FindingKind> kinds);

}  // namespace batchscope::document
