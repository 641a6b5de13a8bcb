#include "timing_lines.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "batchscope/base/strings.hpp"

namespace batchscope::csv {
namespace {

struct Timing {
  std::string_view size;
  double value = 0;
  std::string_view unit;
};

std::string_view without_prefix(std::string_view text, std::string_view prefix) {
  if (base::to_lower(text.substr(0, prefix.size())) != prefix) return text;
  return base::trim(text.substr(prefix.size()));
}

// "batch 4", "batch_size=4", "bs 4", "4".
std::string_view size_in(std::string_view text) {
  text = base::trim(text);
  for (const std::string_view prefix : {"batch_size", "batch size", "batch", "bs"}) {
    text = without_prefix(text, prefix);
  }
  return without_prefix(text, "=");
}

std::optional<Timing> timing_in(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  Timing timing;
  timing.size = size_in(line.substr(0, colon));
  const bool digits = timing.size.find_first_not_of("0123456789") == std::string_view::npos;
  if (timing.size.empty() || !digits) return std::nullopt;
  const std::string_view rest = base::trim(line.substr(colon + 1));
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), timing.value);
  if (error != std::errc()) return std::nullopt;
  timing.unit = base::trim(rest.substr(static_cast<std::size_t>(end - rest.data())));
  if (!timing.unit.empty() && !ns_of_unit(timing.unit)) return std::nullopt;
  return timing;
}

}  // namespace

std::optional<double> ns_of_unit(std::string_view unit) {
  // Micro is written with a letter of its own, with the Greek one, or with a u.
  constexpr std::array<std::pair<std::string_view, double>, 15> kUnits{{{"ns", 1.0},
                                                                        {"us", 1e3},
                                                                        {"\xc2\xb5s", 1e3},
                                                                        {"\xce\xbcs", 1e3},
                                                                        {"ms", 1e6},
                                                                        {"s", 1e9},
                                                                        {"nsec", 1.0},
                                                                        {"usec", 1e3},
                                                                        {"msec", 1e6},
                                                                        {"sec", 1e9},
                                                                        {"nanoseconds", 1.0},
                                                                        {"microseconds", 1e3},
                                                                        {"milliseconds", 1e6},
                                                                        {"seconds", 1e9},
                                                                        {"secs", 1e9}}};
  for (const auto& [name, scale] : kUnits) {
    if (name == unit) return scale;
  }
  return std::nullopt;
}

std::optional<TimingLines> timing_lines(std::string_view text, std::string_view unit) {
  TimingLines lines;
  lines.rows.push_back({0, {"batch_size", "latency_ns"}});
  bool any = false;
  int number = 0;
  for (const std::string_view raw : base::split(text, '\n')) {
    ++number;
    const std::string_view line = base::trim(raw);
    if (line.empty()) continue;
    const auto timing = timing_in(line);
    if (!timing) {
      lines.rows.push_back({number, {std::string(line), ""}});
      continue;
    }
    any = true;
    if (!timing->unit.empty()) lines.unit_is_stated = true;
    if (timing->unit.empty() && !lines.first_without_unit) lines.first_without_unit = number;
    const double scale = *ns_of_unit(timing->unit.empty() ? unit : timing->unit);
    lines.rows.push_back(
        {number, {std::string(timing->size), fmt::format("{}", timing->value * scale)}});
  }
  return any ? std::optional(std::move(lines)) : std::nullopt;
}

}  // namespace batchscope::csv
