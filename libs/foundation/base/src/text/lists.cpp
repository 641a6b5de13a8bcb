#include "batchscope/base/lists.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "batchscope/base/strings.hpp"
#include "number.hpp"

namespace batchscope::base {
namespace {

constexpr size_t kMaxValues = 100'000;
constexpr std::string_view kExamples = "write, for example, 1,2,4 or 1-8 or 1-64+8 or 1-128*2";

Error usage(std::string_view item, std::string_view problem) {
  return {ErrorKind::usage, fmt::format("'{}' {}", item, problem), "", std::string(kExamples)};
}

Error too_many(std::string_view item) {
  return usage(item, fmt::format("gives more than {} values", kMaxValues));
}

// Keeps the order given and drops what is there already.
class Values {
 public:
  // False when there would be too many.
  bool add(int64_t value) {
    if (!seen_.insert(value).second) return true;
    if (list_.size() == kMaxValues) return false;
    list_.push_back(value);
    return true;
  }
  std::vector<int64_t> take() { return std::move(list_); }

 private:
  std::vector<int64_t> list_;
  std::unordered_set<int64_t> seen_;
};

struct Span {
  int64_t first = 0;
  int64_t last = 0;
};

Result<void> add_arithmetic(std::string_view item, Span span, int64_t step, Values& values) {
  if ((span.last - span.first) / step >= static_cast<int64_t>(kMaxValues)) return too_many(item);
  for (int64_t value = span.first;; value += step) {
    if (!values.add(value)) return too_many(item);
    if (span.last - value < step) return {};
  }
}

Result<void> add_geometric(std::string_view item, Span span, double factor, Values& values) {
  double value = static_cast<double>(span.first);
  // Compared before rounding up to `last` is possible: 2^62 steps must not overflow llround.
  for (size_t i = 0; value < static_cast<double>(span.last) + 0.5; ++i, value *= factor) {
    if (i == kMaxValues) return too_many(item);
    const int64_t rounded = value < 9.2e18 ? std::llround(value) : span.last;
    if (rounded > span.last) return {};
    if (!values.add(rounded)) return too_many(item);
  }
  return {};
}

Result<Span> parse_span(std::string_view item, std::string_view text, size_t dash) {
  const auto first = integer_flag(text.substr(0, dash));
  const auto last = integer_flag(text.substr(dash + 1));
  if (!first || !last || *first < 1) return usage(item, "is not a range of positive integers");
  if (*last < *first) return usage(item, "is descending; write the smaller number first");
  return Span{*first, *last};
}

Result<void> add_item(std::string_view item, Values& values) {
  if (item.empty()) return usage(item, "is empty: a number is missing between two commas");
  if (item.find(':') != std::string_view::npos) {
    return usage(item, "is ambiguous: other tools read a:b in two different ways");
  }
  const size_t dash = item.find('-', 1);
  if (dash == std::string_view::npos) {
    const auto value = integer_flag(item);
    if (!value || *value < 1) return usage(item, "is not a positive integer");
    return values.add(*value) ? Result<void>() : too_many(item);
  }
  const size_t stepping = item.find_first_of("+*", dash);
  const auto span = parse_span(item, item.substr(0, stepping), dash);
  if (!span) return span.error();
  if (stepping == std::string_view::npos) return add_arithmetic(item, *span, 1, values);
  const std::string_view amount = item.substr(stepping + 1);
  if (item[stepping] == '+') {
    const auto step = integer_flag(amount);
    if (!step || *step < 1) return usage(item, "has a step that is not a positive integer");
    return add_arithmetic(item, *span, *step, values);
  }
  const auto factor = leading_number(amount);
  if (!factor || !factor->rest.empty() || !(factor->value > 1)) {
    return usage(item, "has a factor that is not greater than 1");
  }
  return add_geometric(item, *span, factor->value, values);
}

}  // namespace

Result<std::vector<int64_t>> parse_integers(std::string_view text) {
  Values values;
  if (trim(text).empty()) return usage(text, "has no value");
  for (const std::string_view item : split(text, ',')) {
    if (auto added = add_item(trim(item), values); !added) return added.error();
  }
  return values.take();
}

std::vector<std::string> format_integers(std::span<const int64_t> values) {
  std::vector<std::string> items;
  for (size_t i = 0; i < values.size();) {
    size_t last = i;
    while (last + 1 < values.size() && values[last + 1] == values[last] + 1) ++last;
    if (last < i + 2) last = i;
    items.push_back(last == i ? fmt::format("{}", values[i])
                              : fmt::format("{}-{}", values[i], values[last]));
    i = last + 1;
  }
  return items;
}

Result<std::vector<std::string>> parse_names(std::string_view text) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (const std::string_view part : split(text, ',')) {
    const std::string name(trim(part));
    if (name.empty()) {
      return Error{ErrorKind::usage, fmt::format("'{}' has an empty name", text), "",
                   "separate names with single commas, for example fp32,bf16"};
    }
    if (seen.insert(name).second) names.push_back(name);
  }
  return names;
}

}  // namespace batchscope::base
