#include "batchscope/base/nearest.hpp"

#include <algorithm>
#include <vector>

#include "batchscope/base/enum_names.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::base {
namespace {

constexpr std::size_t kLettersASlip = 3;
constexpr std::size_t kLongestName = 64;  // what is longer is no slip of the keyboard

// Optimal string alignment: the fewest slips that make one text the other.
std::size_t slips_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> slips(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) slips[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) slips[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = slips[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      slips[i][j] = std::min({slips[i - 1][j] + 1, slips[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) slips[i][j] = std::min(slips[i][j], slips[i - 2][j - 2] + 1);
    }
  }
  return slips[a.size()][b.size()];
}

std::string_view without_dashes(std::string_view name) {
  const auto first = name.find_first_not_of('-');
  return first == std::string_view::npos ? std::string_view() : name.substr(first);
}

// The shortest that begins with what was typed.
std::string completed(std::string_view typed, std::span<const std::string> names) {
  std::string shortest;
  if (typed.size() < kLettersASlip) return shortest;
  for (const std::string& name : names) {
    const bool begins = to_lower(without_dashes(name)).starts_with(typed);
    if (begins && (shortest.empty() || name.size() < shortest.size())) shortest = name;
  }
  return shortest;
}

}  // namespace

std::string nearest_name(std::string_view typed, std::span<const std::string> names) {
  const std::string meant = to_lower(without_dashes(typed));
  if (meant.empty() || meant.size() > kLongestName) return "";
  std::string nearest;
  std::size_t fewest = std::max<std::size_t>(1, meant.size() / kLettersASlip) + 1;
  for (const std::string& name : names) {
    const std::string known = to_lower(without_dashes(name));
    if (known.size() < 2 || known.size() > kLongestName) continue;
    const std::size_t slips = slips_between(meant, known);
    if (slips >= fewest || slips >= known.size()) continue;
    fewest = slips;
    nearest = name;
  }
  return nearest.empty() ? completed(meant, names) : nearest;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> names) {
  const std::string nearest = nearest_name(typed, names);
  return nearest.empty() ? "" : "did you mean " + nearest + "? ";
}

Error unknown_name(std::string_view what, std::string_view text,
                   const std::vector<std::string>& names) {
  return {ErrorKind::usage, std::string("'").append(text).append("' is not a ").append(what), "",
          did_you_mean(text, names) + "choose one of " + join(names, ", ")};
}

}  // namespace batchscope::base
