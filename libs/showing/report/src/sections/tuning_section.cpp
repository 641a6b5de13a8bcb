#include "tuning_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/tuning.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::report {
namespace {

using document::Document;
using document::Heading;
using document::Item;
using document::TextTable;
using document::Tone;
using findings::enumerated;
using findings::kAbsent;
using findings::latency_title;
using findings::percent;
using findings::plain;
using findings::TunedPoint;
using findings::Tuning;

std::string milliseconds(double ms) {
  constexpr double kNanosecondsAMs = 1e6;
  return base::format_duration(base::Nanoseconds(static_cast<int64_t>(ms * kNanosecondsAMs)));
}

std::string setting_of(const schema::RunConfig& config, const Tuning& tuning) {
  const auto found = std::find_if(tuning.points.begin(), tuning.points.end(),
                                  [&](const TunedPoint& point) { return point.config == config; });
  return found == tuning.points.end() ? schema::describe(config) : found->setting;
}

std::string contrast_words(const findings::FreshContrast& contrast, const Tuning& tuning) {
  const findings::Estimate& gain = contrast.gain;
  const char* const unit =
      tuning.objective == findings::Objective::latency ? "batches per second" : "throughput";
  const std::string against = setting_of(contrast.against, tuning);
  if (gain.value >= 1 && gain.ci) {
    return fmt::format("{:.3g} times the {} of {} [{:.3g}, {:.3g}], in {} of separate visits",
                       1 + gain.value, unit, against, 1 + gain.ci->low, 1 + gain.ci->high,
                       base::counted(contrast.n, "pair"));
  }
  std::string text = fmt::format("{} {} {} than {}", percent(std::abs(gain.value)),
                                 gain.value >= 0 ? "more" : "less", unit, against);
  if (gain.ci) text += fmt::format(" [{}, {}]", percent(gain.ci->low), percent(gain.ci->high));
  return text + fmt::format(", in {} of separate visits", base::counted(contrast.n, "pair"));
}

std::string latency_words(const findings::LatencyCheck& check, const Tuning& tuning) {
  std::string text = fmt::format("{} {}", to_string(check.supported), milliseconds(check.value_ms));
  if (check.interval_ms) {
    text += fmt::format(" [{}, {}], {}", milliseconds(check.interval_ms->low),
                        milliseconds(check.interval_ms->high),
                        base::counted(check.samples, "iteration"));
  }
  const std::string why = findings::unsupported_words(check);
  return text + fmt::format(", budget {}: {}{}{}", milliseconds(*tuning.latency_budget_ms),
                            findings::kept_in_words(check, *tuning.latency_budget_ms),
                            why.empty() ? "" : "; ", why);
}

// By truth.md half of the points are enough for 19 of 20 searches to come within 2 % of the best.
std::string searched_words(const Tuning& tuning) {
  const int half = (tuning.points_total + 1) / 2;
  return fmt::format(
      "{} of {} measured, in {}{}", tuning.points_measured,
      base::counted(tuning.points_total, "point"), base::counted(tuning.visits, "visit"),
      tuning.points_measured < half
          ? fmt::format("; another may be over 2 % faster (--points {} measures half)", half)
          : "");
}

Item pick_item(const Tuning& tuning) {
  const Tone tone =
      tuning.feasible && !tuning.withdrawn && !tuning.undecided ? Tone::good : Tone::caution;
  Item item{{{tuning.message, tone}}, {}};
  // Where the default stays, the contrasts are those of what only looked best.
  const bool of_pick = !tuning.unconfirmed_best;
  for (const findings::FreshContrast& each : tuning.contrasts) {
    if (of_pick) item.fields.push_back({"against " + each.what, contrast_words(each, tuning)});
  }
  if ((tuning.contrasts.empty() || !of_pick) && !tuning.verdict.empty()) {
    item.fields.push_back({"separate visits", tuning.verdict});
  }
  if (tuning.withdrawn) item.fields.push_back({"withdrawn", tuning.verdict});
  if (tuning.latency) item.fields.push_back({"latency", latency_words(*tuning.latency, tuning)});
  if (tuning.good_sizes.size() > 1) {
    item.fields.push_back({"good sizes", enumerated(tuning.good_sizes) +
                                             " with these settings (estimates, not proven)"});
  }
  for (const std::string& sentence : tuning.advice) item.fields.push_back({"advice", sentence});
  item.fields.push_back({"searched", searched_words(tuning)});
  return item;
}

document::Cell mark_of(const Tuning& tuning, std::size_t point) {
  const bool named = tuning.feasible && !tuning.undecided;
  if (point == tuning.pick && named) return {"recommended", "", Tone::good};
  if (point == tuning.pick && !tuning.feasible) return {"nearest to the bounds", "", Tone::caution};
  return {point == tuning.standard ? "default" : "", "", Tone::plain};
}

TextTable front_table(const Tuning& tuning, const std::vector<std::size_t>& front) {
  TextTable table;
  table.columns = {{"setting", "", true}, {"samples/s", ""}, {latency_title(tuning), "of a batch"},
                   {"memory", "peak"},    {"visits", ""},    {"", "", true}};
  for (const std::size_t place : front) {
    const TunedPoint point = reported_point(tuning, place);
    const std::string memory =
        point.memory_bytes ? base::format_bytes(*point.memory_bytes) : std::string(kAbsent);
    table.rows.push_back({{point.setting, "", Tone::plain},
                          {plain(point.throughput_per_s), "", Tone::plain},
                          {milliseconds(point.latency_ms), "", Tone::plain},
                          {memory, "", Tone::plain},
                          {std::to_string(point.visits), "", Tone::plain},
                          mark_of(tuning, place)});
  }
  return table;
}

void add_front(const Tuning& tuning, const std::vector<std::size_t>& front, const char* against,
               Document& section) {
  if (front.size() < 2) return;
  section.push_back(
      Heading{2, fmt::format("Throughput against {}: Pareto front of the search", against)});
  section.push_back(front_table(tuning, front));
  const std::string whose = base::capitalised(findings::reported_by(tuning, front)) + ".";
  section.push_back(document::Paragraph{{{whose, Tone::dim}}});
}

}  // namespace

Document tuning_fronts(const std::vector<Tuning>& tunings) {
  Document section;
  for (const Tuning& tuning : tunings) {
    add_front(tuning, tuning.latency_front, "latency", section);
    add_front(tuning, tuning.memory_front, "memory", section);
  }
  return section;
}

Document tuning_section(const std::vector<Tuning>& tunings) {
  if (tunings.empty()) return {};
  Document section{Heading{1, "Tuning"}};
  for (const Tuning& tuning : tunings) {
    if (tunings.size() > 1) section.push_back(document::Paragraph{{{tuning.run, Tone::strong}}});
    document::List list{{pick_item(tuning)}};
    for (const std::string& warning : tuning.warnings) {
      list.items.push_back({{{warning + ".", Tone::caution}}, {}});
    }
    section.push_back(list);
    add_front(tuning, tuning.latency_front, "latency", section);
    add_front(tuning, tuning.memory_front, "memory", section);
  }
  return section;
}

}  // namespace batchscope::report
