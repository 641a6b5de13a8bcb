#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/characters.hpp"
#include "batchscope/base/strings.hpp"
#include "tables/tables.hpp"

namespace batchscope::monitor_report {
namespace {

using watch::ActiveFinding;

constexpr size_t kLongestHeadline = 90;

// The worst of those that still stand, or else of all.
const ActiveFinding& leading(const std::vector<ActiveFinding>& active_findings) {
  const auto is_active = [](const ActiveFinding& one) { return !one.ended_ns; };
  const auto found = std::find_if(active_findings.begin(), active_findings.end(), is_active);
  return found == active_findings.end() ? active_findings.front() : *found;
}

std::string sentence(std::string text) {
  if (!text.empty() && std::string_view(".!?").find(text.back()) == std::string_view::npos) {
    text += '.';
  }
  return text;
}

// "2 more are still so when the log ends, and 3 are over."
std::string others(const std::vector<ActiveFinding>& active_findings,
                   const ActiveFinding& reported) {
  size_t replace = 0, over = 0;
  for (const ActiveFinding& one : active_findings) {
    if (&one != &reported) ++(one.ended_ns ? over : replace);
  }
  std::vector<std::string> parts;
  if (replace > 0) {
    parts.push_back(fmt::format("{} more {} still active at the end of the log", replace,
                                replace == 1 ? "is" : "are"));
  }
  if (over > 0) {
    parts.push_back(
        fmt::format("{}{} {} over", over, replace > 0 ? "" : " more", over == 1 ? "is" : "are"));
  }
  return parts.empty() ? "" : " " + base::join(parts, ", and ") + ".";
}

Headline of_findings(const LogView& view, const RecordedSeries& recorded) {
  const std::vector<ActiveFinding>& active_findings = view.active_findings;
  const ActiveFinding& worst = leading(active_findings);
  const std::string what = worst.finding.what;
  const findings::FindingKind* const kind = findings::find_kind(view.kinds, worst.finding.id);
  const std::string short_what = base::shorten(base::clean(what), kLongestHeadline);
  Headline answer;
  answer.headline = kind == nullptr ? short_what : std::string(kind->title);
  if (answer.headline != base::clean(what)) answer.message = sentence(what) + " ";
  std::string when = when_words(active_time_of(worst, recorded));
  if (when.front() == 's') when.front() = 'S';
  if (when.front() == 'f') when.front() = 'F';
  answer.message += when + "." + others(active_findings, worst);
  return answer;
}

std::vector<std::string> doubts_of(const LogView& view) {
  const telemetry::LogContent& log = view.log;
  std::vector<std::string> doubts;
  if (log.unread_lines > 0) {
    doubts.push_back(fmt::format("Ignored {} of the log ({}).",
                                 counted(static_cast<size_t>(log.unread_lines), "line", "lines"),
                                 log.first_problem));
  }
  if (log.times_back > 0) {
    doubts.emplace_back(
        "Its times go back: somebody set the clock back, or joined logs. The page sorts the "
        "records by time.");
  }
  return doubts;
}

}  // namespace

std::string looked_at(const RecordedSeries& recorded, const std::vector<Chart>& charts) {
  std::vector<std::string> titles;
  for (const Chart& chart : charts) {
    std::string title = chart.title;
    if (title.size() > 1 && title[1] >= 'a') title[0] = static_cast<char>(std::tolower(title[0]));
    titles.push_back(std::move(title));
  }
  std::string text = titles.empty() ? "nothing" : base::join(titles, ", ");
  if (recorded.samples.empty()) {
    text += "; no samples of the machine";
  } else if (recorded.gpus.empty()) {
    const std::string& why = recorded.samples.back()->gpu_absent;
    text += "; no GPU found" + (why.empty() ? "" : " (" + why + ")");
  }
  if (recorded.loops.empty()) text += "; no training loop reported steps";
  return text + ".";
}

Headline answer_of(const LogView& view, const RecordedSeries& recorded,
                   const std::vector<Chart>& charts) {
  Headline answer;
  if (!view.active_findings.empty()) {
    answer = of_findings(view, recorded);
  } else if (recorded.empty()) {
    answer = {"Nothing recorded", "The log has no samples and no steps.", {}};
  } else {
    answer = {"No problems found",
              fmt::format("{} of monitoring found no problem. Checked: {}",
                          lasting(recorded.wall_ns()), looked_at(recorded, charts)),
              {}};
  }
  answer.doubts = doubts_of(view);
  return answer;
}

}  // namespace batchscope::monitor_report
