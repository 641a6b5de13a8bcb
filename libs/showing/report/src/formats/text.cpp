#include "batchscope/report/text.hpp"

#include "sections/content.hpp"

namespace batchscope::report {

using document::render_text;

std::string answer_text(const findings::Answer& answer, const document::TextStyle& style) {
  return render_text(answer_section(answer), style);
}

std::string text(const findings::Summary& summary, const document::TextStyle& style,
                 const findings::Commands& commands) {
  if (style.extent == document::Extent::answer) return answer_text(summary.answer, style);
  return render_text(
      style.extent == document::Extent::all ? content(summary, commands) : short_content(summary),
      style);
}

}  // namespace batchscope::report
