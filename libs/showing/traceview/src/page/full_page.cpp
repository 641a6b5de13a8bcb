#include "full_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "batchscope/document/html.hpp"
#include "part_styles.hpp"

namespace batchscope::traceview {

using document::data_element;
using document::html_text;
using document::navigation;
using document::page_head;
using document::PagePart;
using document::part_html;

std::string full_page(const document::WebBundle& bundle, PageContent content) {
  std::erase_if(content.parts, [](const PagePart& part) { return part.html.empty(); });
  std::string page = page_head(content.title, bundle);
  page += "<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n" + part_patterns() +
          "<div class=\"page\">\n";
  page += fmt::format(
      "<header>\n<h1>{}</h1>\n<p class=\"dim\">{}</p>\n<div class=\"tools\" "
      "id=\"tools\"></div>\n{}</header>\n",
      html_text(content.title), html_text(content.below_title), navigation(content.parts));
  page += "<main id=\"main\" tabindex=\"-1\">\n" + content.answer;
  for (const PagePart& part : content.parts) page += part_html(part);
  page += "</main>\n<footer><p>Made by batchscope.</p></footer>\n</div>\n" + content.data;
  page += fmt::format("<script>{}</script>\n</body>\n</html>\n", bundle.script);
  return page;
}

// Without the white space that is for readers.
std::string download_data(const std::string& csv, const std::string& json) {
  return data_element("trace-csv", nlohmann::json(csv).dump(-1, ' ', true)) +
         data_element("trace-json", nlohmann::ordered_json::parse(json).dump(-1, ' ', true));
}

}  // namespace batchscope::traceview
