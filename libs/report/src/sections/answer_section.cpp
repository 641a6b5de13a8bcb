#include "content.hpp"

namespace batchscope::report {
namespace {

using findings::Confidence;

// Green is for what is shown alone.
Tone tone_of(const findings::Answer& answer) {
  if (answer.confidence == Confidence::cannot_tell) return Tone::strong;
  return answer.confidence == Confidence::suspected ? Tone::caution : Tone::good;
}

}  // namespace

Document answer_section(const findings::Answer& answer) {
  Document section;
  for (const std::string& line : answer.lines) {
    const bool first = section.empty();
    const bool pasted = !answer.command.empty() && line == "  " + answer.command;
    if (pasted) {
      section.emplace_back(Code{answer.command, true});
    } else {
      section.emplace_back(Paragraph{{{line, first ? tone_of(answer) : Tone::plain}}, !first});
    }
  }
  return section;
}

}  // namespace batchscope::report
