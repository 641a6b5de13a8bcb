#include <algorithm>
#include <string>

#include "batchscope/base/characters.hpp"
#include "batchscope/document/markdown.hpp"

namespace batchscope::document {
namespace {

using base::clean;
using base::shorten;

constexpr std::size_t kLongestHeading = 120;
constexpr std::size_t kLongestTitle = 48;

// Every ASCII punctuation character may be escaped by a backslash (CommonMark 0.30, 2.4), and an
// escaped one never begins markup. '<', '>' and '&' become entities, which no HTML reader undoes.
std::string escape(const std::string& raw) {
  constexpr std::string_view kMarkup = "\\`*_{}[]#|~$!";
  std::string out;
  for (const char c : clean(raw)) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      if (kMarkup.find(c) != std::string_view::npos) out.push_back('\\');
      out.push_back(c);
    }
  }
  return out;
}

// GitHub makes links of bare addresses and notifies whom it takes for mentioned; an empty comment
// in the middle stops both and shows nothing.
std::string unlinked(std::string text) {
  constexpr const char* kNothing = "<!-- -->";
  for (const std::string_view sign : {"://", "@", "www."}) {
    for (std::size_t at = text.find(sign); at != std::string::npos;
         at = text.find(sign, at + sign.size() + std::string_view(kNothing).size())) {
      text.insert(at + (sign == "www." ? 3 : 1), kNothing);
    }
  }
  return text;
}

std::string safe(const std::string& raw) {
  return unlinked(escape(raw));
}

// At the start of a paragraph a number with a dot, a plus or a minus would begin a list.
std::string line_start(std::string text) {
  const std::size_t digits = text.find_first_not_of("0123456789");
  if (digits != std::string::npos && digits > 0 && (text[digits] == '.' || text[digits] == ')')) {
    text.insert(digits, "\\");
  } else if (!text.empty() && (text[0] == '-' || text[0] == '+' || text[0] == '=')) {
    text.insert(0, "\\");
  }
  return text;
}

// A fence or a code span longer than any run of backticks within (CommonMark 0.30, 4.5 and 6.1).
std::string fence_for(const std::string& text, std::size_t at_least) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(std::max(at_least, longest + 1), '`');
}

std::string code_span(const std::string& raw) {
  const std::string text = clean(raw);
  const std::string fence = fence_for(text, 1);
  return fence + (fence.size() > 1 ? " " + text + " " : text) + fence;
}

std::string marked_spans(const Line& line) {
  std::string out;
  for (const StyledText& span : line) {
    const std::string text = safe(span.text);
    const bool bold = span.tone == Tone::strong || span.tone == Tone::bad;
    const std::size_t first = text.find_first_not_of(' ');
    if (!bold || first == std::string::npos) {
      out += text;
      continue;
    }
    // Emphasis cannot begin or end with a space.
    const std::size_t last = text.find_last_not_of(' ');
    out += text.substr(0, first) + "**" + text.substr(first, last - first + 1) + "**" +
           text.substr(last + 1);
  }
  return out;
}

class MarkdownRenderer {
 public:
  void operator()(const Heading& heading) {
    gap();
    out_ += std::string(static_cast<std::size_t>(heading.level) + 1, '#') + " " +
            safe(shorten(clean(heading.text), kLongestHeading)) + "\n";
  }

  void operator()(const Paragraph& paragraph) {
    gap();
    out_ += line_start(marked_spans(paragraph.line)) + "\n";
  }

  void operator()(const TextTable& table) {
    gap();
    std::string header, rule;
    for (const Column& column : table.columns) {
      header += "| " + safe(shorten(clean(column.title), kLongestTitle)) +
                (column.second.empty() ? "" : " " + safe(column.second)) + " ";
      rule += column.left ? "|:---" : "|---:";
    }
    out_ += header + "|\n" + rule + "|\n";
    for (const std::vector<Cell>& row : table.rows) {
      for (const Cell& cell : row) out_ += "| " + cell_text(cell) + " ";
      out_ += "|\n";
    }
  }

  void operator()(const KeyValues& facts) {
    gap();
    for (const KeyValue& field : facts.fields) out_ += "- " + field_text(field) + "\n";
  }

  void operator()(const List& list) {
    gap();
    for (const Item& item : list.items) {
      out_ += "- " + line_start(marked_spans(item.lead)) + "\n";
      for (const KeyValue& field : item.fields) out_ += "  - " + field_text(field) + "\n";
    }
  }

  void operator()(const Code& code) {
    gap();
    const std::string text = clean(code.text);
    const std::string fence = fence_for(text, 3);
    out_ += fence + "sh\n" + text + "\n" + fence + "\n";
  }

  void operator()(const Image& image) {
    gap();
    out_ += "![" + safe(image.alternative) + "](" + destination(image.path) + ")\n";
  }

  std::string take() { return std::move(out_); }

 private:
  void gap() {
    if (!out_.empty()) out_ += '\n';
  }

  static std::string cell_text(const Cell& cell) {
    const std::string text = cell.interval.empty() ? cell.value : cell.value + " " + cell.interval;
    return marked_spans({{text, cell.tone}});
  }

  static std::string field_text(const KeyValue& field) {
    return safe(field.label) + ": " + (field.code ? code_span(field.text) : safe(field.text));
  }

  // Percent-encoded, so that no path ends the link early.
  static std::string destination(const std::string& path) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    std::string out;
    for (const char c : path) {
      if (kPlain.find(c) != std::string_view::npos) {
        out.push_back(c);
      } else {
        const auto byte = static_cast<unsigned char>(c);
        out += {'%', kHex[byte >> 4], kHex[byte & 15]};
      }
    }
    return out;
  }

  std::string out_;
};

}  // namespace

std::string render_markdown(const Document& document) {
  MarkdownRenderer renderer;
  for (const Block& block : document) std::visit(renderer, block);
  return renderer.take();
}

}  // namespace batchscope::document
