#include "batchscope/charts/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "batchscope/base/strings.hpp"
#include "batchscope/schema/axes.hpp"

namespace batchscope::charts {
namespace {

// Colours that stay apart for the colour-blind (after Okabe and Ito), reordered so that those next
// to each other also differ in luminance.
constexpr std::array<SeriesStyle, 6> kSeries = {{{"#1f4e79", "dt solid", 7, 6},
                                                 {"#d9660a", "dt (14,5)", 5, 4},
                                                 {"#4aa86b", "dt (14,4,3,4)", 9, 8},
                                                 {"#8c3b80", "dt (6,4)", 13, 12},
                                                 {"#6fa8d6", "dt (22,4,8,4)", 11, 10},
                                                 {"#111111", "dt (2,3)", 15, 14}}};

struct Fill {
  const char* pattern;
  const char* colour;
};
constexpr std::array<Fill, 7> kFills = {{{"solid 1", "#1f4e79"},
                                         {"pattern 4", "#d9660a"},
                                         {"solid 1", "#9ecae1"},
                                         {"pattern 2", "#2c7a3f"},
                                         {"solid 1", "#f2c94c"},
                                         {"pattern 5", "#8c3b80"},
                                         {"pattern 1", "#111111"}}};

// Each axis of a configuration in words, empty where it does not apply or is at its default; the
// engine last.
std::vector<std::string> axes_in_words(const schema::RunConfig& config) {
  std::vector<std::string> words;
  const auto add = [&](const schema::Axis& axis) { words.push_back(axis.words(config)); };
  schema::each_axis_engine_after(schema::kLastAxis, add);
  return words;
}

void append(std::vector<std::string>& parts, const std::string& part) {
  if (!part.empty()) parts.push_back(part);
}

}  // namespace

const SeriesStyle& series_style(std::size_t index) {
  return kSeries[index % kSeries.size()];
}

std::string fill_style(std::size_t index) {
  const Fill& fill = kFills[index % kFills.size()];
  return fmt::format("fs {} border lc rgb '#404040' fc rgb '{}'", fill.pattern, fill.colour);
}

const char* fill_colour(std::size_t index) {
  return kFills[index % kFills.size()].colour;
}

SeriesNames series_names(const std::vector<findings::Group>& groups) {
  SeriesNames names;
  std::vector<std::vector<std::string>> words, own(groups.size());
  for (const findings::Group& group : groups) words.push_back(axes_in_words(group.key));
  std::vector<std::string> common;
  for (std::size_t axis = 0; !words.empty() && axis < words.front().size(); ++axis) {
    const bool shared = std::all_of(words.begin(), words.end(), [&](const auto& of_group) {
      return of_group[axis] == words.front()[axis];
    });
    // One engine for all is not worth a word: few users have a second.
    const bool engine = axis + 1 == words.front().size();
    if (shared && !engine) append(common, words.front()[axis]);
    for (std::size_t g = 0; g < groups.size() && !shared; ++g) append(own[g], words[g][axis]);
  }
  names.common = base::join(common, ", ");
  std::set<std::string> different;
  for (const auto& parts : own) {
    names.own.push_back(base::join(parts, ", "));
    different.insert(names.own.back());
  }
  // The same configuration in several files: only the labels tell them apart.
  if (groups.size() > 1 && different.size() < groups.size()) {
    for (std::size_t g = 0; g < groups.size(); ++g) names.own[g] = groups[g].label;
  }
  return names;
}

}  // namespace batchscope::charts
