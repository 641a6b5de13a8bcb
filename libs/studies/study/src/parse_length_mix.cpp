#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "batchscope/base/file.hpp"
#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/schema/run_config.hpp"
#include "batchscope/study/length_mix.hpp"

namespace batchscope::study {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr std::string_view kFile = "file:";

Error usage(std::string_view item, std::string_view problem) {
  return {ErrorKind::usage, fmt::format("'{}' {}", item, problem), "",
          "write for example 16-128:lognormal(48,0.6) (median tokens, standard deviation of the "
          "logarithm), 16-128:normal(48,20), 16-128:uniform, or file:lengths.txt"};
}

std::optional<int64_t> length(std::string_view text) {
  const auto value = base::parse_number<int64_t>(base::trim(text));
  return value && *value >= 1 && *value <= schema::kLargestSize ? value : std::nullopt;
}

std::optional<double> positive(std::string_view text) {
  const auto value = base::parse_number<double>(base::trim(text));
  return value && std::isfinite(*value) && *value > 0 ? value : std::nullopt;
}

Result<LengthMix> read_lengths(std::string_view text) {
  const std::string path(text.substr(kFile.size()));
  if (path.empty()) return usage(text, "names no file");
  const auto content = base::read_file(path);
  if (!content) return content.error();
  std::vector<int64_t> lengths;
  int number_of_line = 0;
  for (const std::string_view line : base::split(*content, '\n')) {
    ++number_of_line;
    const std::string_view item = base::trim(line.substr(0, line.find('#')));
    if (item.empty()) continue;
    const auto value = length(item);
    if (!value) {
      return Error{ErrorKind::input,
                   fmt::format("'{}' is not a length in tokens", base::visible(item.substr(0, 40))),
                   fmt::format("{}:{}", path, number_of_line),
                   "write one positive integer per line; # starts a comment"};
    }
    lengths.push_back(*value);
  }
  if (lengths.empty()) {
    return Error{ErrorKind::input, "contains no lengths", path,
                 "write one positive integer per line; # starts a comment"};
  }
  return observed_mix(std::string(text), std::move(lengths));
}

// "lognormal(48,0.6)"
Result<void> read_law(std::string_view item, std::string_view law, LengthMix& mix) {
  const size_t open = law.find('(');
  const std::string_view name = base::trim(law.substr(0, open));
  if (name == "uniform" && open == std::string_view::npos) return {};
  if (name != "lognormal" && name != "normal") {
    return usage(item, "must be lognormal, normal or uniform");
  }
  mix.law = name == "normal" ? LengthMix::Law::normal : LengthMix::Law::lognormal;
  const auto wrong = [&] {
    return usage(item, fmt::format("needs {} above 0 in parentheses",
                                   name == "normal" ? "a mean and a standard deviation"
                                                    : "a median and a standard deviation"));
  };
  if (open == std::string_view::npos || !law.ends_with(')')) return wrong();
  const auto values = base::split(law.substr(open + 1, law.size() - open - 2), ',');
  if (values.size() != 2) return wrong();
  const auto centre = positive(values[0]), spread = positive(values[1]);
  if (!centre || !spread) return wrong();
  mix.centre = *centre;
  mix.spread = *spread;
  return {};
}

// Beyond this many standard deviations from the centre there is nothing to draw lengths from.
bool is_out_of_reach(const LengthMix& mix) {
  constexpr double kFarthest = 4;
  if (mix.law == LengthMix::Law::uniform) return false;
  const auto distance = [&](double x) {
    return mix.law == LengthMix::Law::normal ? (x - mix.centre) / mix.spread
                                             : std::log(x / mix.centre) / mix.spread;
  };
  return distance(static_cast<double>(mix.low)) > kFarthest ||
         distance(static_cast<double>(mix.high)) < -kFarthest;
}

}  // namespace

bool is_length_mix(std::string_view item) {
  if (item.starts_with(kFile)) return true;
  const size_t colon = item.find(':');
  if (colon == std::string_view::npos) return item.find('(') != std::string_view::npos;
  // "1:8" is a range as other tools write it.
  return base::trim(item.substr(colon + 1)).find_first_not_of("0123456789:+*-") !=
         std::string_view::npos;
}

Result<LengthMix> parse_length_mix(std::string_view text) {
  if (text.starts_with(kFile)) return read_lengths(text);
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return usage(text, "has no range of lengths before it");
  const std::string_view range = text.substr(0, colon);
  const size_t dash = range.find('-');
  const auto low = length(range.substr(0, dash));
  const auto high = dash == std::string_view::npos ? std::nullopt : length(range.substr(dash + 1));
  if (!low || !high || *low > *high) return usage(text, "does not begin with a range LOW-HIGH");
  LengthMix mix;
  mix.text = std::string(text);
  mix.low = *low;
  mix.high = *high;
  if (auto law = read_law(text, base::trim(text.substr(colon + 1)), mix); !law) return law.error();
  if (is_out_of_reach(mix)) {
    return usage(text, "has almost no lengths in that range");
  }
  return mix;
}

}  // namespace batchscope::study
