#include "text/gauges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace batchscope::monitor_report {
namespace {

constexpr std::array<std::string_view, 8> kHeights = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 8> kAsciiHeights = {"_", ".", "-", "=", "+", "*", "%", "#"};

double clamped(double ratio) {
  return std::isfinite(ratio) ? std::clamp(ratio, 0.0, 1.0) : 0.0;
}

}  // namespace

std::string sparkline(const Curve& curve, std::size_t width, const Look& look) {
  const auto& heights = look.utf8 ? kHeights : kAsciiHeights;
  const std::size_t points = std::min(curve.size(), width);
  std::string text(width - points, ' ');
  for (std::size_t i = curve.size() - points; i < curve.size(); ++i) {
    const auto& point = curve[i];
    const auto height =
        point ? static_cast<std::size_t>(clamped(*point) * static_cast<double>(heights.size())) : 0;
    text += point ? heights[std::min(height, heights.size() - 1)] : std::string_view(" ");
  }
  return text;
}

std::string bar(double ratio, std::size_t width, const Look& look) {
  const double filled = clamped(ratio) * static_cast<double>(width);
  const auto full = static_cast<std::size_t>(std::lround(filled));
  std::string text;
  for (std::size_t i = 0; i < width; ++i) {
    text += i < full ? (look.utf8 ? "█" : "#") : (look.utf8 ? "░" : ".");
  }
  return text;
}

}  // namespace batchscope::monitor_report
