#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/file.hpp"
#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/planning/arrivals.hpp"

namespace batchscope::planning {
namespace {

using base::Error;
using base::ErrorKind;

constexpr std::string_view kFile = "file:";
constexpr std::string_view kBursty = "bursty";
constexpr std::size_t kMostRecorded = 10'000'000;

Error usage(std::string what) {
  return {ErrorKind::usage, std::move(what), "--arrivals",
          "use poisson, bursty(4,10%,2s) or file:NAME"};
}

std::optional<double> number(std::string_view text) {
  const auto value = base::parse_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

base::Result<BurstyArrivals> parse_bursty(std::string_view text) {
  if (text == kBursty) return BurstyArrivals{};
  std::string_view inside = text.substr(kBursty.size());
  if (inside.size() < 2 || inside.front() != '(' || inside.back() != ')') {
    return usage(fmt::format("'{}' is not an arrival process", text));
  }
  inside = inside.substr(1, inside.size() - 2);
  const auto parts = base::split(inside, ',');
  if (parts.size() != 3) return usage("bursty takes a factor, a share of the time and a length");
  const auto factor = number(base::trim(parts[0]));
  const auto share = base::parse_ratio(base::trim(parts[1]));
  const auto length = base::parse_duration(base::trim(parts[2]));
  if (!factor || *factor <= 1) return usage("the factor of bursts must be above 1");
  if (!share || *share <= 0 || *share >= 1) {
    return usage("the share of the time in bursts must be between 0 and 1");
  }
  if (!length || length->count() <= 0) return usage("bursts need a length above 0, such as 2s");
  if (*factor * *share > 1) {
    return usage(fmt::format(
        "bursts of {:g} times the rate for {:g} of the time exceed the total number of requests",
        *factor, *share));
  }
  return BurstyArrivals{*factor, *share, std::chrono::duration<double>(*length).count()};
}

// The time and, where there is one, the length of a line.
bool read_line(std::string line, RecordedArrivals& recorded) {
  std::replace(line.begin(), line.end(), ',', ' ');
  std::replace(line.begin(), line.end(), '\t', ' ');
  const std::string_view all = base::trim(line);
  const std::size_t gap = all.find(' ');
  const auto time = number(all.substr(0, gap));
  if (!time) return false;
  recorded.times_s.push_back(*time);
  if (gap == std::string_view::npos) return true;
  const auto tokens = number(base::trim(all.substr(gap)));
  if (!tokens || *tokens < 1 || *tokens > 1e9 || *tokens != std::floor(*tokens)) return false;
  recorded.tokens.push_back(static_cast<int64_t>(*tokens));
  return true;
}

}  // namespace

base::Result<RecordedArrivals> parse_recorded(std::string_view text, std::string_view name) {
  RecordedArrivals recorded;
  const auto refuse = [&](int line, const char* what, const char* fix) {
    return Error{ErrorKind::input, what,
                 line > 0 ? fmt::format("{}:{}", name, line) : std::string(name), fix};
  };
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  if (lines > kMostRecorded) {
    return Error{ErrorKind::input,
                 fmt::format("contains {} lines, but the limit is {}", lines, kMostRecorded),
                 std::string(name), "use a part of the recording, such as its busiest hours"};
  }
  int number_of_line = 0;
  for (const std::string_view raw : base::split(text, '\n')) {
    ++number_of_line;
    const std::string_view line = base::trim(raw.substr(0, raw.find('#')));
    if (line.empty()) continue;
    if (!read_line(std::string(line), recorded)) {
      return refuse(number_of_line, "is not a time in seconds with a length in tokens",
                    "write one request per line: 12.345 64");
    }
    if (recorded.times_s.size() > 1 &&
        recorded.times_s.back() < recorded.times_s[recorded.times_s.size() - 2]) {
      return refuse(number_of_line, "is earlier than the request above it", "sort by time");
    }
  }
  if (recorded.times_s.size() < 2 || recorded.times_s.back() <= recorded.times_s.front()) {
    return refuse(0, "contains fewer than two requests at different times", "record more of them");
  }
  if (!recorded.tokens.empty() && recorded.tokens.size() != recorded.times_s.size()) {
    return refuse(0, "gives the lengths of only some requests",
                  "give a length for all of them, or for none");
  }
  return recorded;
}

base::Result<ArrivalProcess> parse_arrivals(std::string_view text) {
  if (text == "poisson") return ArrivalProcess{};
  if (text.starts_with(kFile)) {
    const std::string name(text.substr(kFile.size()));
    if (name.empty()) return usage("file: needs the name of a file");
    const auto content = base::read_file(name);
    if (!content) return content.error();
    auto recorded = parse_recorded(*content, name);
    if (!recorded) return std::move(recorded).error();
    return ArrivalProcess{std::string(text), *std::move(recorded)};
  }
  if (!text.starts_with(kBursty)) return usage(fmt::format("'{}' is not an arrival process", text));
  const auto bursty = parse_bursty(text);
  if (!bursty) return bursty.error();
  return ArrivalProcess{std::string(text), *bursty};
}

}  // namespace batchscope::planning
