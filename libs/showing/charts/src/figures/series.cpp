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

void append(std::vector<std::string>& parts, const std::string& part) {
  if (!part.empty()) parts.push_back(part);
}

// Whether all groups have the same there.
bool is_shared(const schema::AxisPart& part, const std::vector<findings::Group>& groups) {
  return std::all_of(groups.begin(), groups.end(), [&](const findings::Group& group) {
    return part.value(group.key) == part.value(groups.front().key);
  });
}

bool is_shared(const schema::Axis& axis, const std::vector<findings::Group>& groups) {
  return std::all_of(axis.parts.begin(), axis.parts.end(),
                     [&](const schema::AxisPart& part) { return is_shared(part, groups); });
}

// In words even at its default, where others have another value: "1 instance".
std::string telling(const schema::Axis& axis, const schema::AxisPart& part,
                    const schema::RunConfig& config) {
  const std::string of_axis = axis.parts.size() == 1 ? axis.words(config) : "";
  return of_axis.empty() ? part.words(config) : of_axis;
}

void split(const schema::Axis& axis, const std::vector<findings::Group>& groups,
           std::vector<std::string>& common, std::vector<std::vector<std::string>>& own) {
  for (const schema::AxisPart& part : axis.parts) {
    if (is_shared(part, groups)) {
      append(common, part.words(groups.front().key));
      continue;
    }
    for (std::size_t g = 0; g < groups.size(); ++g)
      append(own[g], telling(axis, part, groups[g].key));
  }
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
  std::vector<std::vector<std::string>> own(groups.size());
  std::vector<std::string> common;
  schema::each_axis_engine_after(schema::kLastAxis, [&](const schema::Axis& axis) {
    if (groups.empty()) return;
    if (!is_shared(axis, groups)) return split(axis, groups, common, own);
    // One engine for all is not worth a word: few users have a second.
    if (axis.id != schema::AxisId::engine) append(common, axis.words(groups.front().key));
  });
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
