#include "batchscope/report/text.hpp"

#include "sections/content.hpp"

namespace batchscope::report {

using document::render_text;

std::string answer_text(const findings::Answer& answer, const TextStyle& style) {
  return render_text(answer_section(answer), style);
}

std::string text(const findings::Summary& summary, const TextStyle& style,
                 const Commands& commands) {
  if (style.extent == Extent::answer) return answer_text(summary.answer, style);
  return render_text(
      style.extent == Extent::all ? content(summary, commands) : short_content(summary), style);
}

}  // namespace batchscope::report
