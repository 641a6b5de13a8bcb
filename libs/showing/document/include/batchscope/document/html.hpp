#pragma once

#include <string>
#include <string_view>

#include "batchscope/document/document.hpp"

namespace batchscope::document {

// As the text of an element or the value of a quoted attribute: cleaned, and nothing in it is
// markup.
std::string html_text(std::string_view raw);

// The blocks as HTML; a heading of level 1 becomes <h3>, since sections have <h2>. Where a field
// says where to read of a kind of finding, it leads to the page's own explanation.
std::string render_html(const Document& document);

// A table with a column more behind the first, which holds markup: a drawing for each row. `look`
// is its class.
struct DrawnColumn {
  std::string title;
  std::vector<std::string> cells;
};
std::string table_html(const TextTable& table, const DrawnColumn& drawn, const char* look);

// Where the page tells of a kind of finding: "explained-scaling-dominated".
std::string explanation_anchor(std::string_view finding_id);

// JSON as the content of a <script type="application/json">: still the same JSON, and without any
// character that could end the element or a line of script (HTML, 13.1.2.6 and 4.12.1.3).
std::string script_json(std::string_view json);

}  // namespace batchscope::document
