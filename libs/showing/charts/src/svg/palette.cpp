#include "palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/charts/series.hpp"

namespace batchscope::charts {
namespace {

constexpr std::array<ColourTwins, 13> kPalette = {{{"#1f4e79", "#7db4ea"},
                                                   {"#d9660a", "#f2934a"},
                                                   {"#4aa86b", "#6fcf93"},
                                                   {"#8c3b80", "#d48cc8"},
                                                   {"#6fa8d6", "#b7dcf7"},
                                                   {"#111111", "#f0f0f0"},
                                                   {"#9ecae1", "#4f86ad"},
                                                   {"#2c7a3f", "#3f9a58"},
                                                   {"#f2c94c", "#f2c94c"},
                                                   {kOtherColour, "#5a5f66"},
                                                   {kAnomalyColour, "#ff7a9c"},
                                                   {kFaintColour, "#7a828c"},
                                                   {kReferenceColour, "#a9b0b9"}}};

// What is no series: a property of a class.
struct Rule {
  std::string_view look, property, light, dark;
};
constexpr std::array<Rule, 7> kRules = {{{"ground", "fill", "#ffffff", "#1a1d21"},
                                         {"hollow", "fill", "#ffffff", "#1a1d21"},
                                         {"ink", "fill", "#16191d", "#e8eaed"},
                                         {"ink-line", "stroke", "#16191d", "#e8eaed"},
                                         {"halo", "stroke", "#ffffff", "#1a1d21"},
                                         {"hatch", "stroke", "#ffffff", "#1a1d21"},
                                         {"grid", "stroke", "#dfe2e6", "#33383f"}}};

std::size_t index_of(std::string_view colour) {
  const auto found = std::find_if(kPalette.begin(), kPalette.end(),
                                  [&](const ColourTwins& twins) { return twins.light == colour; });
  return static_cast<std::size_t>(found - kPalette.begin()) % kPalette.size();
}

std::string colours(bool dark) {
  std::string rules;
  const auto add = [&](std::string_view look, std::string_view property, std::string_view colour) {
    rules += fmt::format(".batchscope-chart .{}{{{}:{}}}\n", look, property, colour);
  };
  for (const Rule& rule : kRules) add(rule.look, rule.property, dark ? rule.dark : rule.light);
  for (const ColourTwins& twins : kPalette) {
    const std::string_view colour = dark ? twins.dark : twins.light;
    add(stroke_of(twins.light), "stroke", colour);
    add(fill_of(twins.light), "fill", colour);
  }
  return rules;
}

constexpr const char* kStyles =
    ".batchscope-chart{font-family:sans-serif;font-size:13px}\n"
    ".batchscope-chart .line{fill:none;stroke-linejoin:round}\n"
    ".batchscope-chart .strong{font-weight:bold}\n"
    ".batchscope-chart .halo{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}\n";

}  // namespace

std::span<const ColourTwins> colour_twins() {
  return kPalette;
}

std::string stroke_of(std::string_view colour) {
  return fmt::format("s{}", index_of(colour));
}

std::string fill_of(std::string_view colour) {
  return fmt::format("f{}", index_of(colour));
}

std::string picture_style() {
  return fmt::format("{}{}@media (prefers-color-scheme: dark){{\n{}}}\n", kStyles, colours(false),
                     colours(true));
}

}  // namespace batchscope::charts
