#include "content.hpp"

namespace batchscope::report {
namespace {

using document::Document;
using document::Tone;
using findings::Confidence;

bool is_shown(const findings::Answer& answer) {
  return answer.confidence == Confidence::verified || answer.confidence == Confidence::shown;
}

Tone tone_of(const findings::Answer& answer) {
  if (is_shown(answer)) return Tone::good;
  return answer.confidence == Confidence::suspected ? Tone::caution : Tone::strong;
}

}  // namespace

void paint_by_answer(const findings::Answer& answer, Document& document) {
  if (!is_shown(answer)) document::repaint(document, Tone::good, Tone::plain);
}

Document answer_section(const findings::Answer& answer) {
  Document section;
  for (const std::string& line : answer.lines) {
    const bool first = section.empty();
    const bool pasted = !answer.command.empty() && line == "  " + answer.command;
    if (pasted) {
      section.emplace_back(document::Code{answer.command, true});
    } else {
      section.emplace_back(
          document::Paragraph{{{line, first ? tone_of(answer) : Tone::plain}}, !first, true});
    }
  }
  return section;
}

}  // namespace batchscope::report
