#include "text_wrap.hpp"

#include <string>
#include <utility>

#include "batchscope/base/characters.hpp"

namespace batchscope::document {
namespace {

using base::display_width;

struct Word {
  std::string text;
  Tone tone;
  bool joined;  // no space before it: its span begins in the middle of a word
};

std::vector<Word> words_of(const Line& line) {
  std::vector<Word> words;
  bool after_space = true;
  for (const Span& span : line) {
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

}  // namespace

std::vector<Line> wrap(const Line& line, std::size_t width, std::size_t hang) {
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

}  // namespace batchscope::document
