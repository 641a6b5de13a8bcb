#pragma once

#include "batchscope/findings/summary.hpp"
#include "batchscope/report/commands.hpp"
#include "document/document.hpp"

namespace batchscope::report {

// Everything a reader is told, in reading order; text() and markdown() render it.
Document content(const findings::Summary& summary, const Commands& commands);
// What a reader in a hurry is told: no single iterations, memory, phases, laws or inputs.
Document short_content(const findings::Summary& summary);

// Takes the green out of what stands beside an answer that is not shown: whoever glances at it
// would take it for one that is.
void paint_by_answer(const findings::Answer& answer, Document& document);

// The lines of the answer; empty without any.
Document answer_section(const findings::Answer& answer);

// The sections, in that order. A section without anything to say is empty.
Document inputs_section(const findings::Summary& summary);
Document short_section(const findings::Summary& summary);
// Scaling table (with what its columns mean, unless that was said), law and sizes, findings about
// the group (a findings_list), iteration times, memory, phases.
Document group_section(const findings::Group& group, const List& findings, bool explain);
// The same for a reader in a hurry: the table, its findings, and no more.
Document short_group_section(const findings::Group& group, const List& findings, bool headed);
Document comparisons_section(const std::vector<findings::Comparison>& comparisons);
Document warnings_section(const std::vector<std::string>& warnings);
// What to measure for what is open, with the commands for it.
Document next_section(const findings::Summary& summary, const Commands& commands);

}  // namespace batchscope::report
