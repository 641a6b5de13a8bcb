#include "text/family.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "batchscope/base/characters.hpp"

namespace batchscope::exporter {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";

constexpr double kWrittenOut = 1e15;

// The shortest digits that are read back as the same value; what counts or is a time is written
// out.
std::string in_digits(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::array<char, 32> digits{};
  char* const end = digits.data() + digits.size();
  const bool written_out = std::trunc(value) == value && std::abs(value) < kWrittenOut;
  const auto made = written_out ? std::to_chars(digits.data(), end, value, std::chars_format::fixed)
                                : std::to_chars(digits.data(), end, value);
  return {digits.data(), made.ptr};
}

// A HELP text escapes no quotes, a label does. A scraper refuses the whole text for one byte that
// is no UTF-8.
std::string escaped(std::string_view text, bool quotes) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = base::utf8_bytes_at(text, at);
    const char byte = text[at];
    if (bytes == 0) {
      out += kReplacement;
    } else if (byte == '\\') {
      out += "\\\\";
    } else if (byte == '\n') {
      out += "\\n";
    } else if (byte == '"' && quotes) {
      out += "\\\"";
    } else {
      out += text.substr(at, bytes);
    }
    at += bytes == 0 ? 1 : bytes;
  }
  return out;
}

void add_line(std::string& text, const std::string& name, const Labels& labels, double value) {
  text += name;
  char before = '{';
  for (const auto& [label, stated] : labels) {
    text += before;
    text += label;
    text += "=\"" + escaped(stated, true) + '"';
    before = ',';
  }
  if (!labels.empty()) text += '}';
  text += ' ' + in_digits(value) + '\n';
}

}  // namespace

void Family::add(Labels labels, std::optional<double> value) {
  if (value) series.emplace_back(std::move(labels), *value);
}

std::string to_text(const std::vector<Family>& families) {
  std::string text;
  for (const auto& family : families) {
    if (family.series.empty()) continue;
    const bool counts = family.kind == telemetry::MetricKind::counter;
    text += "# HELP " + family.name + ' ' + escaped(family.help, false) + '\n';
    text += "# TYPE " + family.name + (counts ? " counter\n" : " gauge\n");
    for (const auto& [labels, value] : family.series) add_line(text, family.name, labels, value);
  }
  return text;
}

}  // namespace batchscope::exporter
