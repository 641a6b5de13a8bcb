#include <fmt/format.h>

#include <algorithm>

#include "screen/sections.hpp"
#include "text/finding_words.hpp"
#include "text/quantities.hpp"

namespace batchscope::monitor_report {
namespace {

constexpr std::size_t kSeverityWidth = 8;

// A sentence that is cut leaves room for how long it has stood.
std::string standing_line(const watch::Standing& standing, const View& view, const Canvas& canvas) {
  constexpr std::size_t kMostOfName = 24;
  findings::Finding finding = standing.finding;
  finding.table = beginning(shown(finding.table, canvas.look), kMostOfName, canvas.look);
  const std::string since = " (" + seconds_between(standing.since_ns, view.sample.time_ns) + ")";
  const std::string what = with_place(finding, finding.what);
  Line line = canvas.line();
  line.add(label_of(finding.severity), tone_of(finding.severity)).pad_to(kSeverityWidth);
  if (line.left() <= 2 * since.size()) return line.add(what, Tone::strong).text();
  const std::size_t room = line.left() - since.size();
  line.add(beginning(shown(what, canvas.look), room, canvas.look), Tone::strong);
  return line.add(since, Tone::faint).text();
}

std::string fix_line(const watch::Standing& standing, const Canvas& canvas) {
  Line line = canvas.line();
  line.pad_to(kSeverityWidth).add("-> ", Tone::faint);
  return line.add(standing.finding.fix).text();
}

std::string more_line(std::size_t more, const Canvas& canvas) {
  Line line = canvas.line();
  return line.pad_to(kSeverityWidth).add(fmt::format("and {} more", more), Tone::warning).text();
}

}  // namespace

std::vector<const watch::Standing*> standing_of(const View& view) {
  std::vector<const watch::Standing*> standing;
  for (const watch::Standing& one : view.findings) {
    if (!one.ended_ns) standing.push_back(&one);
  }
  std::stable_sort(standing.begin(), standing.end(),
                   [](const watch::Standing* a, const watch::Standing* b) {
                     if (a->finding.severity != b->finding.severity) {
                       return a->finding.severity > b->finding.severity;
                     }
                     return a->since_ns < b->since_ns;
                   });
  return standing;
}

Tone tone_of(findings::Severity severity) {
  if (severity == findings::Severity::high) return Tone::bad;
  return severity == findings::Severity::info ? Tone::plain : Tone::warning;
}

Lines finding_lines(const View& view, const Canvas& canvas, std::size_t most) {
  Lines lines;
  if (most == 0) return lines;
  const auto standing = standing_of(view);
  if (standing.empty()) {
    lines.push_back(canvas.line().add("no findings", Tone::good).text());
    return lines;
  }
  const bool all = standing.size() <= most;
  const std::size_t told = all ? standing.size() : most == 1 ? 1 : most - 1;
  std::size_t fixes = most - std::min(most, standing.size());
  for (std::size_t i = 0; i < told; ++i) {
    lines.push_back(standing_line(*standing[i], view, canvas));
    if (fixes == 0 || standing[i]->finding.fix.empty()) continue;
    lines.push_back(fix_line(*standing[i], canvas));
    --fixes;
  }
  if (lines.size() < most && told < standing.size()) {
    lines.push_back(more_line(standing.size() - told, canvas));
  }
  return lines;
}

}  // namespace batchscope::monitor_report
