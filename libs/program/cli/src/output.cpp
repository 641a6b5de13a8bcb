#include "output.hpp"

#include <unistd.h>

#include "batchscope/base/terminal.hpp"

namespace batchscope::cli {

Written look_of(Format format) {
  return format == Format::text ? Written::styled : Written::plain;
}

document::TextStyle text_options(const Output& output, bool brief) {
  document::TextStyle style;  // as it is for files
  style.extent = brief ? document::Extent::answer : document::Extent::all;
  if (!output.path.empty()) return style;
  style.width = base::columns_of(STDOUT_FILENO, style.width);
  style.answer_width = base::columns_of(STDOUT_FILENO, style.answer_width);
  style.colour = base::shows_colour(STDOUT_FILENO);
  return style;
}

}  // namespace batchscope::cli
