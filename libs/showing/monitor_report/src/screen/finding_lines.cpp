#include <fmt/format.h>

#include <algorithm>

#include "screen/sections.hpp"
#include "text/finding_words.hpp"
#include "text/quantities.hpp"

namespace batchscope::monitor_report {
namespace {

constexpr std::size_t kSeverityWidth = 8;

// A sentence that is cut leaves room for how long it has stood.
std::string active_line(const watch::ActiveFinding& active, const View& view,
                        const Canvas& canvas) {
  constexpr std::size_t kMostOfName = 24;
  findings::Finding finding = active.finding;
  finding.table = beginning(shown(finding.table, canvas.look), kMostOfName, canvas.look);
  const std::string since = " (" + seconds_between(active.since_ns, view.sample.time_ns) + ")";
  const std::string what = with_place(finding, finding.what);
  ScreenLine line = canvas.line();
  line.add(label_of(finding.severity), tone_of(finding.severity)).pad_to(kSeverityWidth);
  if (line.left() <= 2 * since.size()) return line.add(what, Tone::strong).text();
  const std::size_t room = line.left() - since.size();
  line.add(beginning(shown(what, canvas.look), room, canvas.look), Tone::strong);
  return line.add(since, Tone::faint).text();
}

std::string fix_line(const watch::ActiveFinding& active, const Canvas& canvas) {
  ScreenLine line = canvas.line();
  line.pad_to(kSeverityWidth).add("-> ", Tone::faint);
  return line.add(active.finding.fix).text();
}

std::string more_line(std::size_t more, const Canvas& canvas) {
  ScreenLine line = canvas.line();
  return line.pad_to(kSeverityWidth).add(fmt::format("and {} more", more), Tone::warning).text();
}

}  // namespace

std::vector<const watch::ActiveFinding*> active_of(const View& view) {
  std::vector<const watch::ActiveFinding*> active;
  for (const watch::ActiveFinding& one : view.findings) {
    if (!one.ended_ns) active.push_back(&one);
  }
  std::stable_sort(active.begin(), active.end(),
                   [](const watch::ActiveFinding* a, const watch::ActiveFinding* b) {
                     if (a->finding.severity != b->finding.severity) {
                       return a->finding.severity > b->finding.severity;
                     }
                     return a->since_ns < b->since_ns;
                   });
  return active;
}

Tone tone_of(findings::Severity severity) {
  if (severity == findings::Severity::high) return Tone::bad;
  return severity == findings::Severity::info ? Tone::plain : Tone::warning;
}

Lines finding_lines(const View& view, const Canvas& canvas, std::size_t most) {
  Lines lines;
  if (most == 0) return lines;
  const auto active = active_of(view);
  if (active.empty()) {
    lines.push_back(canvas.line().add("no findings", Tone::good).text());
    return lines;
  }
  const bool all = active.size() <= most;
  const std::size_t reported = all ? active.size() : most == 1 ? 1 : most - 1;
  std::size_t fixes = most - std::min(most, active.size());
  for (std::size_t i = 0; i < reported; ++i) {
    lines.push_back(active_line(*active[i], view, canvas));
    if (fixes == 0 || active[i]->finding.fix.empty()) continue;
    lines.push_back(fix_line(*active[i], canvas));
    --fixes;
  }
  if (lines.size() < most && reported < active.size()) {
    lines.push_back(more_line(active.size() - reported, canvas));
  }
  return lines;
}

}  // namespace batchscope::monitor_report
