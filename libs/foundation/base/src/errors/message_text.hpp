#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace batchscope::base {

// A message as it is compared with phrases: on one line, a blank between words, without the names
// of files, the frames of a traceback, and lines that name a mistake of the program (KeyError).
// Both texts are of one length.
struct MessageText {
  std::string cased, lower;
  std::vector<std::size_t> lines;  // where each begins

  std::string_view line_of(std::size_t place) const;  // of `lower`
  void blank(std::string_view words);                 // wherever `lower` has them
};
MessageText message_text(std::string_view message);

// Whether a sentence, or a part of one, ends with the character at `place`.
bool end_of_sentence(std::string_view text, std::size_t place);

struct Name {
  std::string lower;
  bool is_of_program = false;  // max_memory_allocated: no word, and no name of an error
};
std::vector<Name> names_in(const MessageText& text);

}  // namespace batchscope::base
