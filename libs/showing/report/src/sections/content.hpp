#pragma once

#include "batchscope/document/document.hpp"
#include "batchscope/findings/commands.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

// Everything a reader is told, in reading order; text() and markdown() render it.
document::Document content(const findings::Summary& summary, const findings::Commands& commands);
// What a reader in a hurry is told: no single iterations, memory, phases, laws or inputs.
document::Document short_content(const findings::Summary& summary);

// Takes the green out of what stands beside an answer that is not shown: whoever glances at it
// would take it for one that is.
void paint_by_answer(const findings::Answer& answer, document::Document& document);

// The lines of the answer; empty without any.
document::Document answer_section(const findings::Answer& answer);

// "stopped: target precision reached"
std::string end_in_words(const schema::OpenEnum<schema::EndReason>& reason);

// The sections, in that order. A section without anything to say is empty.
document::Document inputs_section(const findings::Summary& summary);
document::Document short_section(const findings::Summary& summary);
// Scaling table (with what its columns mean, unless that was said), law and sizes, findings about
// the group (a findings_list), iteration times, memory, phases.
document::Document group_section(const findings::Group& group, const document::List& findings,
                                 bool explain);
// The same for a reader in a hurry: the table, its findings, and no more.
document::Document short_group_section(const findings::Group& group, const document::List& findings,
                                       bool headed);
document::Document comparisons_section(const std::vector<findings::Comparison>& comparisons);
document::Document warnings_section(const std::vector<std::string>& warnings);
// What to measure for what is open, with the commands for it.
document::Document next_section(const findings::Summary& summary,
                                const findings::Commands& commands);

}  // namespace batchscope::report
