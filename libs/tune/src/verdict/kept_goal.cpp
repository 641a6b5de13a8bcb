#include <fmt/format.h>

#include <charconv>

#include "batchscope/tune/tune.hpp"

namespace batchscope::tune {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using base::Subject;

constexpr schema::Origin kOrigin = schema::Origin::tune;
constexpr const char* kWhenNeeded = "auto";  // as --checkpointing has it

std::optional<double> number(const std::map<std::string, std::string>& axes, const char* name) {
  const auto found = axes.find(name);
  if (found == axes.end()) return std::nullopt;
  double value = 0;
  const std::string& text = found->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

}  // namespace

void write_goal(const TunePlan& plan, schema::Header& header) {
  header.origin = kOrigin;
  auto& axes = header.axes;
  axes["objective"] = to_string(plan.goal.objective);
  axes["latency_of"] = to_string(plan.goal.latency_of);
  if (plan.goal.price_per_hour)
    axes["price_per_hour"] = fmt::format("{}", *plan.goal.price_per_hour);
  if (plan.search.points) axes["points"] = fmt::format("{}", *plan.search.points);
  if (plan.search.checkpoint_when_needed) axes["checkpointing"] = kWhenNeeded;
  if (plan.practical != findings::kPractical) {
    axes["practical"] = fmt::format("{}", plan.practical);
  }
  axes["verify_blocks"] = fmt::format("{}", plan.verify_blocks);
  header.plan.latency_budget_s = plan.goal.latency_budget_s;
  header.plan.memory_limit_bytes = plan.goal.memory_limit_bytes;
}

Result<TunePlan> read_goal(const schema::Header& header) {
  const auto objective = header.axes.find("objective");
  const auto statistic = header.axes.find("latency_of");
  if (header.origin != kOrigin || objective == header.axes.end() ||
      statistic == header.axes.end()) {
    return Error{ErrorKind::input, "this run file was not written by `tune`", Subject::resume,
                 "name one that was, or another output"};
  }
  TunePlan plan;
  plan.goal.objective = findings::parse_objective(objective->second).value_or(plan.goal.objective);
  const auto latency_of = parse_latency_statistic(statistic->second);
  if (!latency_of) return latency_of.error();
  plan.goal.latency_of = *latency_of;
  plan.goal.price_per_hour = number(header.axes, "price_per_hour");
  if (const auto points = number(header.axes, "points")) {
    plan.search.points = static_cast<int>(*points);
  }
  if (const auto blocks = number(header.axes, "verify_blocks")) {
    plan.set_verify_blocks(static_cast<int>(*blocks));
  }
  if (const auto practical = number(header.axes, "practical")) plan.practical = *practical;
  const auto checkpointing = header.axes.find("checkpointing");
  plan.search.checkpoint_when_needed =
      checkpointing != header.axes.end() && checkpointing->second == kWhenNeeded;
  plan.goal.latency_budget_s = header.plan.latency_budget_s;
  plan.goal.memory_limit_bytes = header.plan.memory_limit_bytes;
  return plan;
}

}  // namespace batchscope::tune
