#include "batchscope/advice/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "compared/recordings.hpp"
#include "compared/sides.hpp"
#include "compared/step_notes.hpp"
#include "rules/rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::Part;

bool has_devices(const Files& files) {
  return std::none_of(files.begin(), files.end(),
                      [](const TraceSummary& file) { return file.attribution.devices.empty(); });
}

bool has_steps(const Files& files, Scale scale) {
  return std::none_of(files.begin(), files.end(),
                      [&](const TraceSummary& file) { return step_count(file, scale) == 0; });
}

// How often a name's time of a file is counted: once a step of a device, rank and recording.
double divisor_of(const TraceSummary& file, const Files& files, bool of_devices, Scale scale) {
  double divisor = static_cast<double>(files.size());
  if (of_devices) {
    divisor *= static_cast<double>(std::max<size_t>(1, file.attribution.devices.size()));
  }
  if (scale.by_step) divisor *= static_cast<double>(step_count(file, scale));
  return divisor;
}

using Names = std::vector<attribution::Total> TraceSummary::*;

// Ranges that people put around their code: where one is absent, its work goes on without a name.
std::set<std::string> ranges_of(const Files& files) {
  std::set<std::string> ranges;
  for (const TraceSummary& file : files) {
    for (const attribution::Total& total : file.operators) {
      if (total.kind == trace::ActivityKind::range) ranges.insert(total.name);
    }
  }
  return ranges;
}

std::map<std::string, double> times_by_name(const Files& files, Names names, Scale scale) {
  std::map<std::string, double> times;
  for (const TraceSummary& file : files) {
    const double divisor = divisor_of(file, files, names == &TraceSummary::kernels, scale);
    // Steps that the host repeats without being recorded as such cover all of it.
    const bool in_steps = scale.by_step && !file.attribution.steps.empty();
    for (const attribution::Total& total : file.*names) {
      const int64_t ns = in_steps ? total.in_steps_ns : total.self_ns;
      times[total.name] += static_cast<double>(ns) / divisor;
    }
  }
  return times;
}

std::vector<Change> changes_of(const Files& before, const Files& after, Names names, Scale scale) {
  std::map<std::string, Change> changes;
  for (const auto& [name, ns] : times_by_name(before, names, scale)) changes[name].before_ns = ns;
  for (const auto& [name, ns] : times_by_name(after, names, scale)) changes[name].after_ns = ns;
  std::set<std::string> ranges = ranges_of(before);
  ranges.merge(ranges_of(after));
  std::erase_if(changes, [&](const auto& each) {
    const bool is_one_sided = each.second.before_ns == 0 || each.second.after_ns == 0;
    return is_one_sided && ranges.contains(each.first);
  });
  std::vector<Change> sorted;
  for (auto& [name, change] : changes) {
    change.name = name;
    sorted.push_back(change);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Change& a, const Change& b) {
    return std::abs(a.difference_ns()) > std::abs(b.difference_ns());
  });
  return sorted;
}

// What the whole gained, shared out by how much less the parts take that are predictions'; of
// several that speak of one part, by what they promise.
void share_gain(TraceComparison& comparison, const std::vector<double>& less) {
  const double all = std::accumulate(less.begin(), less.end(), 0.0);
  const double gained = -comparison.wall.difference_ns() / comparison.wall.before_ns;
  for (size_t i = 0; i < less.size(); ++i) {
    TraceComparison::Prediction& prediction = comparison.predictions[i];
    prediction.gained = all > 0 ? gained * less[i] / all : 0;
    // To the digits that are shown.
    constexpr double kRounding = 0.0005;
    prediction.holds = prediction.gained >= prediction.low - kRounding &&
                       prediction.gained <= prediction.high + kRounding;
  }
}

// Findings speak of the time from the first kernel to the last; what is compared are steps.
double to_steps(const TraceSummary& before, const TraceComparison& comparison, Part part) {
  double share = 0;
  for (const auto& device : before.attribution.devices) {
    share += device.parts.share(part) / static_cast<double>(before.attribution.devices.size());
  }
  const double of_step =
      comparison.parts[static_cast<size_t>(part)].before_ns / comparison.wall.before_ns;
  return share > 0 ? of_step / share : 1;
}

// A prediction is tried where what it is about went away: that much less of its part.
void add_predictions(const TraceSummary& before, const TraceSummary& after,
                     TraceComparison& comparison) {
  std::vector<double> less;
  std::map<Part, double> promised;
  std::vector<Part> parts;
  for (const findings::Finding& finding : before.findings) {
    const Kind* const kind = find_kind(finding);
    const auto part = kind == nullptr ? std::nullopt : kind->part;
    if (!finding.gain || !part || !is_recorded_alike(before, after, *part)) continue;
    const Change& change = comparison.parts[static_cast<size_t>(*part)];
    if (change.after_ns > 0.2 * change.before_ns) continue;
    const double scale = to_steps(before, comparison, *part);
    comparison.predictions.push_back(
        {finding.id, scale * finding.gain->low, scale * finding.gain->high, 0, false});
    promised[*part] += finding.gain->high;
    parts.push_back(*part);
    less.push_back(-change.difference_ns() * finding.gain->high);
  }
  for (size_t i = 0; i < less.size(); ++i) less[i] /= promised[parts[i]];
  share_gain(comparison, less);
}

// Why the figures are not those of a step of one device.
std::string caveat(const Files& before, const Files& after, Scale scale) {
  std::string text;
  const size_t devices = before.front().attribution.devices.size();
  if (scale.what == Compared::host_wall) {
    text += fmt::format(" There is no device {}, so the comparison uses the host's times.",
                        has_devices(before) ? "after" : "before");
  } else if (devices != after.front().attribution.devices.size()) {
    text += " Figures are means over the devices.";
  } else if (devices > 1) {
    text += fmt::format(" Figures are means over {} devices.", devices);
  }
  if (scale.by_step) return text;
  if (!has_steps(before, scale) || !has_steps(after, scale)) {
    return text +
           " One recording has no steps, so the comparison uses full recordings. Their work may "
           "differ.";
  }
  return text +
         " One side has recorded steps, the other inferred ones, so the comparison uses full "
         "recordings. Their work may differ.";
}

std::string milliseconds(double ns) {
  return findings::milliseconds(ns / 1e6);
}

std::string differences_first(const TraceComparison& comparison) {
  if (comparison.differences.empty()) return "";
  std::string text;
  for (const std::string& each : comparison.differences) {
    text += (text.empty() ? "" : ", and ") + each;
  }
  return "The recordings differ in more than the program: " + text + ". ";
}

bool is_of_one_step(const TraceComparison& comparison) {
  return comparison.by_step && (comparison.steps_before == 1 || comparison.steps_after == 1);
}

std::string change_in_words(const TraceComparison& comparison) {
  const Change& wall = comparison.wall;
  if (is_of_one_step(comparison)) {
    const auto subject = [](int64_t steps) { return steps == 1 ? "in the one step" : "per step"; };
    return fmt::format("{} {} after, {} {} before", milliseconds(wall.after_ns),
                       subject(comparison.steps_after), milliseconds(wall.before_ns),
                       subject(comparison.steps_before));
  }
  const double change = wall.before_ns > 0 ? wall.difference_ns() / wall.before_ns : 0;
  const char* const subject = comparison.by_step ? "A step" : "The recording";
  const bool is_open = comparison.interval && comparison.interval->contains(0);
  if (std::abs(change) < 0.005 || is_open) {
    return fmt::format("{} takes as long as before, {}{}", subject, milliseconds(wall.after_ns),
                       is_open ? " (no significant difference)" : "");
  }
  return fmt::format("{} takes {} {}: {} instead of {}", subject,
                     findings::percent(std::abs(change)), change < 0 ? "less" : "longer",
                     milliseconds(wall.after_ns), milliseconds(wall.before_ns));
}

// How sure that is: an interval over recordings, or how many of the steps agree.
std::string support_in_words(const TraceComparison& comparison) {
  if (comparison.interval) {
    return fmt::format(" (95 % CI {}, {} recordings before, {} after)",
                       findings::percent_range(*comparison.interval), comparison.recordings_before,
                       comparison.recordings_after);
  }
  const Change& wall = comparison.wall;
  if (!comparison.by_step || wall.before_ns == wall.after_ns || is_of_one_step(comparison)) {
    return "";
  }
  const bool is_shorter = wall.difference_ns() < 0;
  return fmt::format(" (median). {} of {} steps are {} than the median before",
                     is_shorter ? comparison.steps_shorter : comparison.steps_longer,
                     comparison.steps_after, is_shorter ? "shorter" : "longer");
}

std::string largest_parts(const TraceComparison& comparison) {
  std::vector<Change> parts = comparison.parts;
  std::stable_sort(parts.begin(), parts.end(), [](const Change& a, const Change& b) {
    return std::abs(a.difference_ns()) > std::abs(b.difference_ns());
  });
  std::string text;
  const char* separator = ". Largest changes: ";
  for (size_t i = 0; i < std::min<size_t>(3, parts.size()); ++i) {
    if (std::abs(parts[i].difference_ns()) < 0.01 * comparison.wall.before_ns) break;
    text +=
        fmt::format("{}{} {}{}", separator, parts[i].name, parts[i].difference_ns() < 0 ? "-" : "+",
                    milliseconds(std::abs(parts[i].difference_ns())));
    separator = ", ";
  }
  return text;
}

std::string message_of(const TraceComparison& comparison) {
  return differences_first(comparison) + change_in_words(comparison) +
         support_in_words(comparison) + largest_parts(comparison) + ".";
}

// Of the logarithms: a share of the time before.
std::optional<stats::Interval> interval_of(const Side& before, const Side& after) {
  const auto logarithms = [](std::vector<double> walls) {
    for (double& wall : walls) wall = std::log(std::max(1.0, wall));
    return walls;
  };
  const auto difference = stats::estimate_difference(
      logarithms(after.walls), logarithms(before.walls), stats::Method::student_t);
  if (!difference) return std::nullopt;
  const stats::Interval interval = stats::two_sided_interval(*difference, 0.95);
  return stats::Interval{std::expm1(interval.low), std::expm1(interval.high)};
}

void add_sides(const Side& before, const Side& after, Scale scale, TraceComparison& comparison) {
  comparison.recordings_before = static_cast<int64_t>(before.walls.size());
  comparison.recordings_after = static_cast<int64_t>(after.walls.size());
  comparison.steps_before = static_cast<int64_t>(before.step_walls.size());
  comparison.steps_after = static_cast<int64_t>(after.step_walls.size());
  if (scale.by_step) {
    const auto& walls = after.step_walls;
    comparison.steps_shorter = std::count_if(walls.begin(), walls.end(),
                                             [&](double wall) { return wall < before.wall_ns; });
    comparison.steps_longer = std::count_if(walls.begin(), walls.end(),
                                            [&](double wall) { return wall > before.wall_ns; });
    comparison.mean = {"mean", mean_step(before), mean_step(after)};
  }
  comparison.wall = {"wall", before.wall_ns, after.wall_ns};
  const std::vector<std::string> names = part_names(scale);
  for (size_t i = 0; i < names.size(); ++i) {
    comparison.parts.push_back({names[i], before.parts[i], after.parts[i]});
  }
  comparison.interval = interval_of(before, after);
}

}  // namespace

TraceComparison compare_traces(const Files& before, const Files& after) {
  const Scale scale = scale_of(before, after);
  TraceComparison comparison;
  comparison.before = before.front().source;
  comparison.after = after.front().source;
  comparison.by_step = scale.by_step;
  comparison.of_host = scale.of_host();
  comparison.differences = recording_differences(before, after);
  const Side old_side = side_of(before, scale), new_side = side_of(after, scale);
  add_sides(old_side, new_side, scale, comparison);
  comparison.operators = changes_of(before, after, &TraceSummary::operators, scale);
  if (!scale.of_host()) {
    comparison.kernels = changes_of(before, after, &TraceSummary::kernels, scale);
    add_predictions(before.front(), after.front(), comparison);
  }
  comparison.message = message_of(comparison) +
                       (scale.by_step ? step_notes(old_side, new_side) : "") +
                       caveat(before, after, scale);
  return comparison;
}

}  // namespace batchscope::advice
