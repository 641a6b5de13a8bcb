#include <fmt/format.h>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/characters.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/document/html.hpp"

namespace batchscope::document {
namespace {

using base::clean;

const char* class_of(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return "";
    case Tone::strong:
      return "strong";
    case Tone::good:
      return "good";
    case Tone::caution:
      return "caution";
    case Tone::bad:
      return "bad";
    case Tone::dim:
      return "dim";
  }
  return "";
}

std::string span_html(const StyledText& span) {
  const std::string text = html_text(span.text);
  const std::string_view look = class_of(span.tone);
  return look.empty() ? text : fmt::format("<span class=\"{}\">{}</span>", look, text);
}

std::string field_html(const KeyValue& field) {
  const std::string text = html_text(field.text);
  return field.code ? "<code>" + text + "</code>" : text;
}

std::string spans(const Line& line) {
  return base::join(base::mapped(line, span_html), "");
}

class HtmlRenderer {
 public:
  void operator()(const Heading& heading) {
    out_ += fmt::format("<h{0}>{1}</h{0}>\n", heading.level + 2, html_text(heading.text));
  }

  void operator()(const Paragraph& paragraph) { out_ += "<p>" + spans(paragraph.line) + "</p>\n"; }

  void operator()(const TextTable& table) { add_table(table, {}, ""); }

  void add_table(const TextTable& table, const DrawnColumn& drawn, const std::string& look) {
    out_ += fmt::format("<div class=\"scroll\" tabindex=\"0\"><table{}>\n<thead><tr>",
                        look.empty() ? "" : " class=\"" + look + "\"");
    for (const Column& column : table.columns) {
      const std::string second = column.second.empty() ? "" : "<br>" + html_text(column.second);
      out_ += fmt::format("<th scope=\"col\"{}>{}{}</th>", words(column), html_text(column.title),
                          second);
      if (&column != &table.columns.front() || drawn.cells.empty()) continue;
      out_ += drawn_cell("th scope=\"col\"", html_text(drawn.title), "th");
    }
    out_ += "</tr></thead>\n<tbody>\n";
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const bool has = row < drawn.cells.size();
      add_row(table, table.rows[row], has ? drawn_cell("td", drawn.cells[row], "td") : "");
    }
    out_ += "</tbody>\n</table></div>\n";
  }

  void operator()(const KeyValues& facts) { fields(facts.fields); }

  void operator()(const List& list) {
    out_ += "<ul class=\"items\">\n";
    for (const Item& item : list.items) {
      out_ += "<li>" + spans(item.lead);
      fields(item.fields);
      out_ += "</li>\n";
    }
    out_ += "</ul>\n";
  }

  void operator()(const Code& code) {
    out_ += "<pre tabindex=\"0\"><code>" + html_text(code.text) + "</code></pre>\n";
  }

  // The page draws its charts itself.
  void operator()(const Image&) {}

  std::string take() { return std::move(out_); }

 private:
  static const char* words(const Column& column) { return column.left ? " class=\"words\"" : ""; }

  static std::string drawn_cell(const char* open, const std::string& markup, const char* close) {
    return fmt::format("<{} class=\"plot\">{}</{}>", open, markup, close);
  }

  void add_row(const TextTable& table, const std::vector<Cell>& row, const std::string& drawn) {
    out_ += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      std::string text = spans({{row[c].value, row[c].tone}});
      if (!row[c].interval.empty()) {
        text += "<span class=\"interval\">" + html_text(row[c].interval) + "</span>";
      }
      const char* look = words(table.columns[c]);
      out_ += c == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", look, text)
                     : fmt::format("<td{}>{}</td>", look, text);
      if (c == 0) out_ += drawn;
    }
    out_ += "</tr>\n";
  }

  void fields(const std::vector<KeyValue>& all) {
    if (all.empty()) return;
    out_ += "<dl>";
    for (const KeyValue& field : all) {
      out_ += fmt::format("<dt>{}</dt><dd>{}</dd>", html_text(field.label), field_html(field));
    }
    out_ += "</dl>\n";
  }

  std::string out_;
};

}  // namespace

std::string html_text(std::string_view raw) {
  std::string out;
  for (const char c : clean(raw)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out.push_back(c);
    }
  }
  return out;
}

std::string explanation_anchor(std::string_view finding_id) {
  std::string anchor = "explained-";
  for (const char c : finding_id) anchor += c == '.' ? '-' : c;
  return anchor;
}

std::string render_html(const Document& document) {
  HtmlRenderer renderer;
  for (const Block& block : document) std::visit(renderer, block);
  return renderer.take();
}

std::string table_html(const TextTable& table, const DrawnColumn& drawn, const char* look) {
  HtmlRenderer renderer;
  renderer.add_table(table, drawn, look);
  return renderer.take();
}

std::string script_json(std::string_view json) {
  constexpr std::string_view kLineSeparator = "\xe2\x80\xa8", kParagraphSeparator = "\xe2\x80\xa9";
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    const std::string_view three = json.substr(at, 3);
    if (c == '<' || c == '>' || c == '&') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else if (three == kLineSeparator || three == kParagraphSeparator) {
      out += three == kLineSeparator ? "\\u2028" : "\\u2029";
      at += 2;
    } else {
      out.push_back(c);
    }
  }
  return out;
}

}  // namespace batchscope::document
