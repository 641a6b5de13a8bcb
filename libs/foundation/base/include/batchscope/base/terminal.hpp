#pragma once

namespace batchscope::base {

// What the terminal at a standard stream can do; nothing where the stream is a file or a pipe.

// Text can be coloured: NO_COLOR (https://no-color.org) is not set to anything, and TERM is not
// "dumb".
bool shows_colour(int descriptor);
// The locale of LC_ALL, LC_CTYPE or LANG, the first that is set, has UTF-8.
bool shows_utf8();
// A line can be written over: TERM is not "dumb".
bool rewrites_lines(int descriptor);
// Columns, or `otherwise` where nobody says, or less than 40.
int columns_of(int descriptor, int otherwise);

}  // namespace batchscope::base
