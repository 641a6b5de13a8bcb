#include <fmt/format.h>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/report/text.hpp"
#include "batchscope/report/tune.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/tune/outcome.hpp"

namespace batchscope::report {
namespace {

std::string duration(double milliseconds) {
  return base::format_seconds(milliseconds / 1e3);
}

std::vector<schema::RunConfig> configs_of(const findings::Tuning& tuning) {
  return base::mapped(tuning.points, [](const findings::TunedPoint& each) { return each.config; });
}

std::string front_text(const char* against, const findings::Tuning& tuning,
                       const std::vector<std::size_t>& front) {
  if (front.size() < 2) return "";
  std::string text = fmt::format("\nThroughput against {}: Pareto front ({})\n", against,
                                 findings::reported_by(tuning, front));
  const char* const mark = tuning.undecided  ? "  <- the default"
                           : tuning.feasible ? "  <- recommended"
                                             : "  <- nearest to the bounds";
  const std::vector<schema::RunConfig> all = configs_of(tuning);
  for (const std::size_t place : front) {
    const findings::TunedPoint point = reported_point(tuning, place);
    const std::string memory = point.memory_bytes ? base::format_bytes(*point.memory_bytes) : "";
    text += fmt::format("  {:>9.4g} samples/s  {} {:>9} per {}  {:>9}  {}{}\n",
                        point.throughput_per_s, to_string(tuning.latency_of),
                        duration(point.latency_ms), tune::iteration_words(point.config), memory,
                        tables::what_differs(point.config, all), place == tuning.pick ? mark : "");
  }
  return text;
}

std::string latency_text(const findings::LatencyCheck& check, const findings::Tuning& tuning) {
  std::string text =
      fmt::format("Latency: {} {}", to_string(check.supported), duration(check.value_ms));
  if (check.interval_ms) {
    text +=
        fmt::format(" (95 % CI {} to {}, {})", duration(check.interval_ms->low),
                    duration(check.interval_ms->high), base::counted(check.samples, "iteration"));
  }
  const std::string why = findings::unsupported_words(check);
  return text + fmt::format(", budget {}: {}{}{}.\n", duration(*tuning.latency_budget_ms),
                            findings::kept_in_words(check, *tuning.latency_budget_ms),
                            why.empty() ? "" : "; ", why);
}

std::string measured_words(const findings::Tuning& tuning) {
  if (!tuning.cut_short.empty()) return base::capitalised(tuning.cut_short);
  return fmt::format("{} of {} measured", tuning.points_measured,
                     base::counted(tuning.points_total, "point"));
}

// What a replay knows that a search does not: how good the pick is among all that was recorded.
std::string share_text(const findings::Tuning& tuning) {
  if (!tuning.share_of_best || !tuning.best) return "";
  const bool full = tuning.points_recorded >= tuning.points_planned;
  const std::string table =
      full ? fmt::format("In the full table of {}, without noise,",
                         base::counted(tuning.points_recorded, "setting"))
           : fmt::format("Of the {} recorded of {}, without noise,", tuning.points_recorded,
                         base::counted(tuning.points_planned, "setting"));
  const double short_by = 1 - *tuning.share_of_best;
  if (short_by <= 0) return table + " the pick is the best.\n";
  return fmt::format("{} the pick is {} below the best: {}.\n", table, findings::percent(short_by),
                     tables::what_differs(*tuning.best, configs_of(tuning)));
}

// All but the answer.
std::string search_text(const findings::Tuning& tuning) {
  // The answer says what is to be set.
  const bool reported =
      tuning.feasible && !tuning.undecided && !tuning.withdrawn && !tuning.unconfirmed_best;
  std::string text = reported ? "" : tuning.message + "\n";
  if (!tuning.verdict.empty()) text += tuning.verdict + "\n";
  if (tuning.latency) text += latency_text(*tuning.latency, tuning);
  for (const std::string& sentence : tuning.advice) text += sentence + "\n";
  if (tuning.good_sizes.size() > 1) {
    text += fmt::format("Good sizes with these settings (estimated, not verified): {}.\n",
                        fmt::join(tuning.good_sizes, ", "));
  }
  text +=
      fmt::format("{}, in {}.\n", measured_words(tuning), base::counted(tuning.visits, "visit"));
  text += share_text(tuning);
  text += front_text("latency", tuning, tuning.latency_front);
  return text + front_text("memory", tuning, tuning.memory_front);
}

}  // namespace

std::string tune_text(const findings::Tuning& tuning, const document::TextStyle& style) {
  const std::string answer = answer_text(tuning.answer, style);
  if (style.extent == document::Extent::answer) return answer;
  return base::visible(search_text(tuning)) + "\n" + answer;
}

}  // namespace batchscope::report
