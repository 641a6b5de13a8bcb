#include "page/chart_data.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "batchscope/base/characters.hpp"
#include "batchscope/document/finding_parts.hpp"

namespace batchscope::monitor_report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDigits = 5;  // of a value: more than a screen shows

// With few digits, so that the page stays small.
Json rounded(double value) {
  const std::string text = fmt::format("{:.{}g}", value, kDigits);
  double out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

// Microseconds since the row before.
Json times_of(const TimeAxis& clock, int64_t start_ns) {
  Json times = Json::array();
  int64_t last = 0;
  for (const Row& row : clock.rows) {
    const int64_t at = (row.time_ns - start_ns) / 1000;
    times.push_back(at - last);
    last = at;
  }
  return times;
}

Json steps_of(const Loop& loop, const TimeAxis& clock) {
  Json steps = Json::array();
  for (const Row& row : clock.rows) {
    steps.push_back(row.is_gap() ? Json(nullptr) : Json(loop.steps[row.last - 1]->step));
  }
  return steps;
}

Json clocks_json(const RecordedSeries& recorded) {
  Json all = Json::array();
  for (const TimeAxis& clock : recorded.clocks) {
    all.push_back({{"times", times_of(clock, recorded.start_ns)}, {"most", clock.most}});
  }
  for (const Loop& loop : recorded.loops) {
    all[loop.clock]["steps"] = steps_of(loop, recorded.clocks[loop.clock]);
  }
  return all;
}

// Only the mean where every row has one value.
Json line_json(const Series& line) {
  Json made{{"name", base::clean(line.name)}, {"clock", line.clock}};
  Json mean = Json::array(), low = Json::array(), high = Json::array();
  bool spreads = false;
  for (const MinMeanMax& spread : line.spreads) {
    spreads = spreads || spread.count > 1;
    const bool none = spread.count == 0;
    mean.push_back(none ? Json(nullptr) : rounded(spread.mean()));
    low.push_back(none ? Json(nullptr) : rounded(spread.low));
    high.push_back(none ? Json(nullptr) : rounded(spread.high));
  }
  made["mean"] = std::move(mean);
  if (!spreads) return made;
  made["low"] = std::move(low);
  made["high"] = std::move(high);
  return made;
}

Json chart_json(const Chart& chart) {
  Json made{{"id", chart.id},
            {"title", chart.title},
            {"unit", chart.unit},
            {"fromZero", chart.from_zero},
            {"bySteps", chart.by_step}};
  if (chart.limit) {
    made["limit"] = {{"value", rounded(chart.limit->value)}, {"text", chart.limit->text}};
  }
  made["lines"] = Json::array();
  for (const Series& line : chart.lines) made["lines"].push_back(line_json(line));
  return made;
}

Json band_json(const watch::ActiveFinding& active, std::size_t card, const ActiveTime& span,
               const RecordedSeries& recorded) {
  return {{"from", (span.from_ns - recorded.start_ns) / 1000},
          {"to", (span.to_ns - recorded.start_ns) / 1000},
          {"is_active", span.is_active},
          {"look", document::card_style(active.finding)},
          {"what", base::clean(active.finding.what)},
          {"when", when_words(span)},
          {"card", card}};
}

}  // namespace

std::string chart_data(const std::vector<watch::ActiveFinding>& active_findings,
                       const RecordedSeries& recorded, const std::vector<Chart>& charts) {
  Json all{{"start", recorded.start_ns / 1000},
           {"wall", recorded.wall_ns() / 1000},
           {"clocks", clocks_json(recorded)},
           {"charts", Json::array()},
           {"bands", Json::array()}};
  for (const Chart& chart : charts) all["charts"].push_back(chart_json(chart));
  for (std::size_t i = 0; i < std::min(active_findings.size(), kMostCards); ++i) {
    for (const ActiveTime& span : active_times_of(active_findings[i], recorded)) {
      all["bands"].push_back(band_json(active_findings[i], i + 1, span, recorded));
    }
  }
  return all.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace batchscope::monitor_report
