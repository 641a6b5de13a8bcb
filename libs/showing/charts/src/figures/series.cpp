#include "batchscope/charts/series.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "batchscope/base/characters.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/schema/axes.hpp"

namespace batchscope::charts {
namespace {

// Colours that stay apart for the colour-blind (after Okabe and Ito), reordered so that those next
// to each other also differ in luminance.
constexpr std::array<SeriesStyle, 6> kSeries = {{{"#1f4e79", "", 0},
                                                 {"#d9660a", "14 5", 1},
                                                 {"#4aa86b", "14 4 3 4", 2},
                                                 {"#8c3b80", "6 4", 3},
                                                 {"#6fa8d6", "22 4 8 4", 4},
                                                 {"#111111", "2 3", 5}}};

constexpr std::array<const char*, 7> kFills = {"#1f4e79", "#d9660a", "#9ecae1", "#2c7a3f",
                                               "#f2c94c", "#8c3b80", "#111111"};

constexpr std::size_t kLongestName = 90;

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

const char* fill_colour(std::size_t index) {
  return kFills[index % kFills.size()];
}

std::string shown_name(const std::string& raw) {
  const std::string name = base::shorten(base::clean(raw), kLongestName);
  return name.empty() ? "unnamed" : name;
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
