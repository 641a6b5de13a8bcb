#pragma once

#include <cstddef>
#include <string>

#include "batchscope/commandline/description.hpp"

namespace batchscope::commandline {

struct HelpStyle {
  int width = 100;  // columns
  bool colour = false;
};

// What a verb does and takes: its usage, and its flags under their headings.
std::string help_text(const ProgramDescription& program, const Verb& verb,
                      const HelpStyle& style = {});
// The same on one screen: of a verb with more than kMostFlags flags the usual ones, a clause each,
// and where the others are.
inline constexpr std::size_t kMostFlags = 20;
std::string short_help(const ProgramDescription& program, const Verb& verb,
                       const HelpStyle& style = {});
// The flags of one group of a program; once for all verbs that take the same.
std::string flag_group_help(const ProgramDescription& program, const FlagGroup& group,
                            const HelpStyle& style = {});

// The verbs of a program, and those of one of its groups ("baseline").
std::string overview(const ProgramDescription& program, const HelpStyle& style = {});
std::string group_overview(const ProgramDescription& program, std::string_view group,
                           const HelpStyle& style = {});

// Each line broken between words so that none passes `width`.
std::string broken_lines(std::string_view text, int width);

// "batchscope analyze [RUN...] [flags]"
std::string usage_line(const ProgramDescription& program, const Verb& verb);

// "-b, --batch-sizes SIZES"
std::string flag_words(const Flag& flag);

}  // namespace batchscope::commandline
