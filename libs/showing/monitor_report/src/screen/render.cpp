#include <algorithm>
#include <array>

#include "batchscope/monitor_report/screen.hpp"
#include "batchscope/monitor_report/together.hpp"
#include "screen/sections.hpp"

namespace batchscope::monitor_report {
namespace {

enum Section { kHeader, kGpus, kHost, kTraining, kProcesses, kFindings, kSections };

using Room = std::array<std::size_t, kSections>;

// A section gets room until it has so many lines.
struct Grant {
  Section section;
  std::size_t up_to;
};

Room wants_of(const View& view, const Canvas& canvas) {
  constexpr std::size_t kMostProcesses = 16, kHostLines = 3;
  Room wants{};
  wants[kHeader] = header_wants(view, canvas);
  const std::size_t title = view.sample.gpus.empty() ? 0U : 1U;
  wants[kGpus] = gpu_rows(view) + title;
  wants[kHost] = kHostLines;
  wants[kTraining] = training_lines(view, canvas, canvas.columns).size();
  const std::size_t processes = std::min(view.sample.processes.size(), kMostProcesses);
  wants[kProcesses] = processes == 0 ? 0 : processes + 1;
  for (const watch::ActiveFinding* one : active_of(view)) {
    wants[kFindings] += one->finding.fix.empty() ? 1U : 2U;
  }
  wants[kFindings] = std::max<std::size_t>(wants[kFindings], 1);
  return wants;
}

// What a screen is for comes first: is something wrong, is a GPU idle or gone, is the machine the
// reason. All of it comes before more of any.
Room rooms_of(const View& view, const Canvas& canvas, std::size_t rows) {
  const std::size_t all = rows, findings = std::max<std::size_t>(active_of(view).size(), 1);
  const std::array<Grant, 14> grants{{{kHeader, 1},
                                      {kFindings, 1},
                                      {kGpus, gpu_rows(view)},
                                      {kHost, 1},
                                      {kTraining, all},
                                      {kFindings, std::min<std::size_t>(findings, 3)},
                                      {kGpus, all},
                                      {kHost, all},
                                      {kProcesses, 2},
                                      {kFindings, findings},
                                      {kProcesses, 4},
                                      {kHeader, all},
                                      {kFindings, all},
                                      {kProcesses, all}}};
  const Room wants = wants_of(view, canvas);
  Room rooms{};
  std::size_t left = rows;
  for (const Grant& grant : grants) {
    std::size_t& room = rooms[grant.section];
    const std::size_t to = std::min(grant.up_to, wants[grant.section]);
    const std::size_t more = to > room ? std::min(to - room, left) : 0;
    room += more;
    left -= more;
  }
  return rooms;
}

}  // namespace

Screen render(const View& view, const ScreenSize& size) {
  Screen screen;
  if (size.columns <= 0 || size.rows <= 0) return screen;
  const auto rows = static_cast<std::size_t>(size.rows);
  const Canvas canvas{static_cast<std::size_t>(size.columns), {size.colour, size.utf8}};
  View reported = view;
  reported.findings = merged_findings(view.findings);
  const Room rooms = rooms_of(reported, canvas, rows);
  const std::array<Lines, kSections> sections{
      {header_lines(reported, canvas, rooms[kHeader]), gpu_lines(view, canvas, rooms[kGpus]),
       host_lines(view, canvas, rooms[kHost]), training_lines(view, canvas, rooms[kTraining]),
       process_lines(view, canvas, rooms[kProcesses]),
       finding_lines(reported, canvas, rooms[kFindings])}};
  std::size_t used = 0, some = 0;
  for (const Lines& lines : sections) {
    used += lines.size();
    some += lines.empty() ? 0U : 1U;
  }
  const bool spaced = some > 0 && used + some - 1 <= rows;
  for (const Lines& lines : sections) {
    if (spaced && !lines.empty() && !screen.lines.empty()) screen.lines.emplace_back();
    screen.lines.insert(screen.lines.end(), lines.begin(), lines.end());
  }
  return screen;
}

}  // namespace batchscope::monitor_report
