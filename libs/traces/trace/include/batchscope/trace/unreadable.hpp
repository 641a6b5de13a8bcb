#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace batchscope::trace {

// A format that holds a recording, or something that is taken for one, and is not read.
struct UnreadableFormat {
  std::string_view what;    // "a report of Nsight Systems"
  std::string_view suffix;  // of the file's name; empty: it is known by its content
  std::string_view
      command;  // what leads to a readable file; FILE is its path, STEM that without suffix
  // How the file is called that the command, or the recorder itself, leaves beside it: STEM and
  // this.
  std::string_view readable;
  bool is_nsys = false;  // the program nsys makes the readable file
};

// So many first bytes tell every format.
inline constexpr std::size_t kHeadBytes = 512;

// By a file's name and its first bytes, uncompressed or not; nullptr: none of these. `name` may be
// empty, where only the content is known.
const UnreadableFormat* unreadable_format(std::string_view name, std::string_view head);

// The command with the file's name in it.
std::string command_for(const UnreadableFormat& format, const std::filesystem::path& file);

// The file that holds the same and can be read, if it lies beside that one; empty: none does.
std::filesystem::path readable_beside(const UnreadableFormat& format,
                                      const std::filesystem::path& file);

}  // namespace batchscope::trace
