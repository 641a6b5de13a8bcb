#include "answer_part.hpp"

#include <fmt/format.h>

#include <cmath>

#include "batchscope/charts/series.hpp"
#include "batchscope/document/html.hpp"
#include "batchscope/document/page_frame.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "forest.hpp"
#include "html_charts.hpp"

namespace batchscope::report {
namespace {

using charts::series_names;
using document::html_text;
using document::Tile;
using document::tiles_html;
using findings::Answer;
using findings::AnswerKind;
using findings::Confidence;
using findings::Estimate;
using findings::MachineFitness;
using findings::percent;
using findings::Quantity;
using findings::show;
using findings::Shown;

struct Badge {
  const char* look;
  const char* words;
};

// Green is for what is shown, and for nothing else on the page.
Badge badge_of(Confidence confidence) {
  switch (confidence) {
    case Confidence::verified:
      return {"good", "Verified"};
    case Confidence::shown:
      return {"good", "Significant"};
    case Confidence::suspected:
      return {"caution", "Suspected"};
    case Confidence::cannot_tell:
      return {"open", "Cannot tell"};
  }
  return {"open", ""};
}

Badge badge_of(MachineFitness fitness) {
  switch (fitness) {
    case MachineFitness::quiet:
      return {"plain", "Machine quiet"};
    case MachineFitness::disturbed:
      return {"bad", "Machine disturbed"};
    case MachineFitness::unknown:
      return {"open", "Machine not recorded"};
  }
  return {"open", ""};
}

std::string badge_html(const Badge& badge, const std::string& why) {
  return fmt::format("<li><span class=\"badge {}\">{}</span>{}</li>\n", badge.look, badge.words,
                     why.empty() ? "" : " <span class=\"why\">" + html_text(why) + "</span>");
}

Tile throughput_tile(const Estimate& throughput) {
  const Shown shown = show(throughput, Quantity::amount);
  return {shown.value, shown.interval, "samples/s"};
}

Tile latency_tile(const findings::AnsweredLatency& latency) {
  // Without an interval there are too few samples to vouch for it.
  const bool supported = latency.p99_ms.ci.has_value();
  const std::string p99 = supported ? show(latency.p99_ms, Quantity::amount).value
                                    : findings::three_digits(latency.p99_ms.value);
  const std::string words = latency.p99_ms.value > 0
                                ? fmt::format("p99 {}{} ms{}", supported ? "" : "about ", p99,
                                              supported ? "" : " (too few samples to be reliable)")
                                : "";
  return {show(latency.typical_ms, Quantity::amount).value + " ms", words, "latency per batch"};
}

Tile gain_tile(const Answer& answer) {
  const Estimate& gain = *answer.gain;
  const bool of_time = answer.kind == AnswerKind::comparison;
  const std::string more = gain.value < 0 ? "less" : "more";
  Tile tile;
  tile.value = gain.value >= 1 ? fmt::format("{} ×", findings::three_digits(1 + gain.value))
                               : percent(std::abs(gain.value)) + " " + more;
  tile.label = fmt::format("{}{}{}", of_time ? "time" : "throughput",
                           gain.value >= 1 ? ", compared with " : " than ", answer.against);
  if (!gain.ci) {
    tile.beside = "no CI";
  } else if (gain.value >= 1) {
    tile.beside = fmt::format("{} to {} ×", findings::three_digits(1 + gain.ci->low),
                              findings::three_digits(1 + gain.ci->high));
  } else {
    tile.beside = fmt::format("{} to {}", percent(gain.ci->low), percent(gain.ci->high));
  }
  return tile;
}

std::vector<Tile> tiles_of(const Answer& answer) {
  std::vector<Tile> tiles;
  if (answer.throughput_per_s) tiles.push_back(throughput_tile(*answer.throughput_per_s));
  if (answer.latency) tiles.push_back(latency_tile(*answer.latency));
  // Large figures are for what is known.
  const bool known = answer.confidence != Confidence::cannot_tell;
  if (answer.gain && known) tiles.push_back(gain_tile(answer));
  return tiles;
}

std::string next_html(const Answer& answer) {
  if (answer.next.empty() || answer.next_is_page) return "";
  std::string next =
      fmt::format("<p class=\"then\"><strong>Next:</strong> {}</p>\n", html_text(answer.next));
  if (!answer.command.empty()) {
    next += "<pre tabindex=\"0\"><code>" + html_text(answer.command) + "</code></pre>\n";
  }
  return next;
}

}  // namespace

std::string answer_part(const findings::Summary& summary, std::optional<double> margin) {
  const Answer& answer = summary.answer;
  const bool open = answer.confidence == Confidence::cannot_tell;
  const std::string headline = answer.headline.empty() ? "Cannot tell" : answer.headline;
  const bool stated = answer.setting.empty() || headline.find(answer.setting) != std::string::npos;
  const std::string common = series_names(summary.groups).common;
  return fmt::format(
      "<section id=\"answer\" class=\"answer{}\" aria-labelledby=\"answer-title\">\n"
      "<ul class=\"badges\">\n{}{}</ul>\n<h2 id=\"answer-title\">{}</h2>\n{}{}{}{}{}"
      "<div class=\"charts-place wide\" id=\"{}\"></div>\n</section>\n",
      open ? " cannot-tell" : "", badge_html(badge_of(answer.confidence), answer.sure),
      badge_html(badge_of(answer.fitness), answer.machine), html_text(headline),
      stated ? "" : "<p class=\"setting\">" + html_text(answer.setting) + "</p>\n",
      common.empty() ? "" : "<p class=\"dim\">" + html_text(common) + "</p>\n",
      tiles_html(tiles_of(answer)), next_html(answer),
      forest_leads(summary) ? forest_html(summary, margin) : "", places::kAnswer);
}

}  // namespace batchscope::report
