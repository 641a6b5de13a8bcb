#include "chart_script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "batchscope/base/characters.hpp"

namespace batchscope::charts {
namespace {

using base::clean;
using base::display_width;
using base::shorten;

constexpr std::size_t kLongestLegend = 70;

}  // namespace

std::string literal(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,.:;/_+=()-";
  std::string out = "\"";
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      out.push_back(c);
    } else {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return out + "\"";
}

std::string label(std::string_view text, std::size_t longest) {
  return literal(shorten(clean(text), longest));
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.10g}", value) : "NaN";
}

void ChartScript::command(std::string_view text) {
  commands_ += text;
  commands_ += '\n';
}

std::string ChartScript::data(const std::vector<Row>& rows) {
  const std::string name = fmt::format("$d{}", blocks_++);
  command(name + " << END_OF_DATA");
  for (const Row& row : rows) command(fmt::format("{}", fmt::join(row, " ")));
  command("END_OF_DATA");
  return name;
}

void ChartScript::element(const std::string& text) {
  elements_.push_back(text + " notitle");
}

void ChartScript::draw(const std::vector<Row>& rows, const std::string& style) {
  if (!rows.empty()) element(data(rows) + " " + style);
}

void ChartScript::legend(const std::string& style, std::string_view title) {
  legend_.push_back(fmt::format("keyentry {} title {}", style, label(title, kLongestLegend)));
  longest_legend_ =
      std::max(longest_legend_, std::min(kLongestLegend, display_width(clean(title))));
}

void ChartScript::plot() {
  std::vector<std::string> all = std::exchange(elements_, {});
  all.insert(all.end(), legend_.begin(), legend_.end());
  legend_.clear();
  command(fmt::format("plot {}", fmt::join(all, ", \\\n     ")));
}

std::string ChartScript::take() {
  return std::move(commands_);
}

}  // namespace batchscope::charts
