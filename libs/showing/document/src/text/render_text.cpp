#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "batchscope/base/characters.hpp"
#include "batchscope/document/text.hpp"
#include "text_table.hpp"

namespace batchscope::document {
namespace {

using base::clean;
using base::display_width;
using base::shorten;
using base::to_ascii;

struct Word {
  std::string text;
  Tone tone;
  bool joined;  // no space before it: its span begins in the middle of a word
};

std::vector<Word> words_of(const Line& line) {
  std::vector<Word> words;
  bool after_space = true;
  for (const StyledText& span : line) {
    std::string word;
    const auto finish = [&] {
      if (word.empty()) return;
      // A percent sign stays with its number.
      if (word.front() == '%' && after_space && !words.empty()) {
        words.back().text += " " + std::exchange(word, {});
        after_space = false;
        return;
      }
      words.push_back({std::exchange(word, {}), span.tone, !after_space});
      after_space = false;
    };
    for (const char c : span.text) {
      if (c == ' ') {
        finish();
        after_space = true;
      } else {
        word.push_back(c);
      }
    }
    finish();
  }
  return words;
}

void push(Line& line, const Word& word, bool space) {
  if (!line.empty() && line.back().tone == word.tone) {
    line.back().text += (space ? " " : "") + word.text;
    return;
  }
  if (space) line.push_back({" ", Tone::plain});
  line.push_back({word.text, word.tone});
}

// Breaks a clean line between words into lines of at most `width` columns; a longer word
// keeps a line of its own. Tones are kept. At least one line, which may be empty. The caller puts
// `hang` columns before each but the first.
std::vector<Line> wrap(const Line& line, std::size_t width, std::size_t hang = 0) {
  std::vector<Line> lines(1);
  std::size_t used = 0;
  for (const Word& word : words_of(line)) {
    const std::size_t length = display_width(word.text);
    bool space = !lines.back().empty() && !word.joined;
    if (space && used + 1 + length > width) {
      lines.emplace_back();
      used = hang;
      space = false;
    }
    push(lines.back(), word, space);
    used += length + (space ? 1 : 0);
  }
  return lines;
}

constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kIndent = 2;
constexpr std::size_t kLongestLabel = 24;
constexpr std::string_view kUncoloured = "\x1b[0m";

std::string_view colour_of(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return "";
    case Tone::strong:
      return "\x1b[1m";
    case Tone::good:
      return "\x1b[32m";
    case Tone::caution:
      return "\x1b[33m";
    case Tone::bad:
      return "\x1b[1;31m";
    case Tone::dim:
      return "\x1b[2m";
  }
  return "";
}

class TextRenderer {
 public:
  explicit TextRenderer(const TextStyle& style)
      : style_(style),
        width_(columns(style.width)),
        answer_width_(std::min(width_, columns(style.answer_width))) {}

  void operator()(const Heading& heading) {
    gap();
    const std::string text = shorten(heading.text, width_);
    write({{text, Tone::strong}});
    if (heading.level == 1) {
      const std::size_t length = std::min(width_, display_width(text));
      std::string rule;
      for (std::size_t i = 0; i < length; ++i) rule += style_.ascii ? "-" : "─";
      write({{rule, Tone::dim}});
    }
    after_heading_ = true;
  }

  void operator()(const Paragraph& paragraph) {
    if (!paragraph.close) gap();
    if (paragraph.of_answer) return answer_line(paragraph.line);
    wrapped("", paragraph.line);
  }

  void operator()(const TextTable& table) {
    gap();
    for (const Line& line : lay_out(table, width_)) write(line);
  }

  void operator()(const KeyValues& facts) {
    gap();
    fields(facts.fields, 0);
  }

  void operator()(const List& list) {
    gap();
    for (const Item& item : list.items) {
      wrapped("- ", item.lead);
      fields(item.fields, kIndent);
    }
  }

  void operator()(const Code& code) {
    if (!code.close) gap();
    write({{std::string(kIndent, ' ') + code.text, Tone::plain}});
  }

  void operator()(const Image& image) {
    gap();
    wrapped("", {{image.alternative + ": " + image.path, Tone::plain}});
  }

  std::string take() { return std::move(out_); }

 private:
  // An empty line between blocks, none between a heading and what it heads.
  void gap() {
    if (!out_.empty() && !after_heading_) out_ += '\n';
    after_heading_ = false;
  }

  void write(const Line& line) {
    for (const StyledText& span : line) {
      const std::string_view colour = style_.colour ? colour_of(span.tone) : "";
      out_ += colour;
      out_ += span.text;
      if (!colour.empty()) out_ += kUncoloured;
    }
    out_ += '\n';
  }

  static std::size_t columns(int wanted) {
    return std::max(kNarrowest, static_cast<std::size_t>(std::max(0, wanted)));
  }

  // What does not fit goes on indented, so that each of the lines can be told from the next.
  void answer_line(const Line& line) {
    bool first = true;
    for (Line& part : wrap(line, answer_width_, kIndent)) {
      if (!first) part.insert(part.begin(), {std::string(kIndent, ' '), Tone::plain});
      write(part);
      first = false;
    }
  }

  // `prefix` stands before the first line; the others are indented as far.
  void wrapped(const std::string& prefix, const Line& line) {
    const std::size_t indent = display_width(prefix);
    const std::size_t room = width_ - std::min(indent, width_ - kNarrowest / 2);
    bool first = true;
    for (Line& part : wrap(line, room)) {
      part.insert(part.begin(), {first ? prefix : std::string(indent, ' '), Tone::plain});
      write(part);
      first = false;
    }
  }

  void fields(const std::vector<KeyValue>& all, std::size_t indent) {
    std::size_t longest = 0;
    const auto label_of = [](const KeyValue& field) { return shorten(field.label, kLongestLabel); };
    for (const KeyValue& field : all) longest = std::max(longest, display_width(label_of(field)));
    for (const KeyValue& field : all) {
      const std::string label = label_of(field);
      const std::string gap(longest - display_width(label) + 2, ' ');
      wrapped(std::string(indent, ' ') + label + gap, {{field.text, Tone::plain}});
    }
  }

  const TextStyle& style_;
  std::size_t width_, answer_width_;
  std::string out_;
  bool after_heading_ = false;
};

}  // namespace

std::string render_text(Document document, const TextStyle& style) {
  // Before anything is laid out: both change the width.
  rewrite(document,
          [&](const std::string& raw) { return style.ascii ? to_ascii(clean(raw)) : clean(raw); });
  TextRenderer renderer(style);
  for (const Block& block : document) std::visit(renderer, block);
  return renderer.take();
}

std::string grey(const std::string& text, const TextStyle& style) {
  return style.colour ? std::string(colour_of(Tone::dim)) + text + std::string(kUncoloured) : text;
}

}  // namespace batchscope::document
