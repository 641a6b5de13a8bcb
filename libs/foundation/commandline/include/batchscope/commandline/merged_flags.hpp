#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"

// One flag for what is one decision: `--loader FOLDER,workers=0,1`, `--diagnose=causes,budget=10m`.
// It is written out into the flags of its parts before the parser reads them. Those are shown
// last; who types them reads a note.
namespace batchscope::commandline {

struct MergedPart {
  std::string_view key;        // "workers"
  std::string_view flag;       // "--loader-workers"
  std::string_view value{};    // of the flag where the key has none: "auto"
  std::string_view if_none{};  // of the flag where other parts with this are named: "off"
};

enum class Takes { source, parts, optional_parts };

struct MergedFlag {
  std::string_view flag;  // "--loader"
  Takes takes;            // source: "FOLDER,key=value"; optional_parts: "--flag" or "--flag=parts"
  std::span<const MergedPart> parts;
};

// The arguments with the parts of each of these flags written out, up to a "--". A part that is not
// known is a usage error; where a flag takes a source, it belongs to that.
base::Result<std::vector<std::string>> written_out(const std::vector<std::string>& arguments,
                                                   std::span<const MergedFlag> flags);

// Whether it is the flag of a part, which the help shows last.
bool is_old_flag(std::string_view name, std::span<const MergedFlag> flags);

// What to write instead of each old flag among the arguments: "--loader-workers is now --loader
// ...,workers=VALUE".
std::vector<std::string> notes_on_old_flags(const std::vector<std::string>& arguments,
                                            std::span<const MergedFlag> flags);

}  // namespace batchscope::commandline
