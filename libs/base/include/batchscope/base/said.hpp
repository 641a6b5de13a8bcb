#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "batchscope/base/subject.hpp"

namespace batchscope::base {

// The characters of a string literal, as an argument of a template.
template <std::size_t N>
struct Literal {
  consteval Literal(const char (&literal)[N]) { std::copy_n(literal, N, text); }
  char text[N] = {};
};

// What said<> holds: the literal with its "{}" filled in.
template <Literal kText, Subject... kSubjects>
struct Sentence {
  static constexpr std::size_t kBytes = sizeof(kText.text) - 1 +
                                        sizeof...(kSubjects) * (2 * kMentionMark.size() - 2) +
                                        (name_in_table(kSubjects).size() + ... + 0);
  static constexpr std::array<char, kBytes> filled() {
    constexpr std::array<Subject, sizeof...(kSubjects)> subjects{kSubjects...};
    std::array<char, kBytes> text{};
    char* end = text.data();
    std::size_t next = 0;
    for (std::size_t at = 0; at + 1 < sizeof(kText.text); ++at) {
      if (kText.text[at] != '{' || kText.text[at + 1] != '}') {
        *end++ = kText.text[at];
        continue;
      }
      const std::string_view name = name_in_table(subjects[next++]);
      for (const std::string_view part : {kMentionMark, name, kMentionMark}) {
        end = std::copy(part.begin(), part.end(), end);
      }
      ++at;
    }
    return text;
  }
  static constexpr std::array<char, kBytes> kFilled = filled();
};

// A text of a table that is made when compiling: said<"raise {}", Subject::budget> mentions it.
template <Literal kText, Subject... kSubjects>
inline constexpr std::string_view said{Sentence<kText, kSubjects...>::kFilled.data(),
                                       Sentence<kText, kSubjects...>::kBytes};

}  // namespace batchscope::base
