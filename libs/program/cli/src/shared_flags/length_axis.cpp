#include "shared_flags/length_axis.hpp"

#include <set>

#include "batchscope/base/lists.hpp"
#include "batchscope/base/strings.hpp"
#include "shared_flags/named_flag.hpp"

namespace batchscope::cli {
namespace {

using base::ErrorKind;
using base::Result;

// Commas inside parentheses belong to a distribution of lengths.
std::vector<std::string> split_lengths(const std::string& text) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  return items;
}

}  // namespace

Result<void> read_lengths(const std::vector<std::string>& typed, study::Axes& axes) {
  if (typed.empty()) return {};
  std::vector<std::string> fixed;
  std::set<std::string> known;
  for (const std::string& each : split_lengths(base::join(typed, ","))) {
    const std::string item(base::trim(each));
    if (!study::is_length_mix(item)) {
      fixed.push_back(item);
      continue;
    }
    auto mix = study::parse_length_mix(item);
    if (!mix && mix.error().kind == ErrorKind::input) return std::move(mix).error();
    mix = named(std::move(mix), "--seq-lens");
    if (!mix) return std::move(mix).error();
    if (known.insert(item).second) axes.length_mixes.push_back(*std::move(mix));
  }
  return read_values(fixed, "--seq-lens", axes.seq_lens, base::parse_integers);
}

}  // namespace batchscope::cli
