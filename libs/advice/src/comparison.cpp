#include "batchscope/advice/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "batchscope/findings/wording.hpp"

namespace batchscope::advice {
namespace {

using attribution::kParts;
using attribution::Part;
using attribution::TimeParts;

// What one side spends, in all or a step, on average over its devices.
struct Side {
  TimeParts parts;  // sums
  double divisor = 1;
};

bool are_inferred(const TraceSummary& summary) {
  return summary.attribution.step_source == attribution::StepSource::inferred;
}

// What is inferred on one side may be a part of what was recorded as a step on the other.
bool steps_compare(const TraceSummary& before, const TraceSummary& after) {
  return !before.attribution.steps.empty() && !after.attribution.steps.empty() &&
         are_inferred(before) == are_inferred(after);
}

Side side_of(const TraceSummary& summary, bool by_step) {
  Side side;
  const auto devices = static_cast<double>(std::max<size_t>(1, summary.attribution.devices.size()));
  side.divisor = devices;
  if (!by_step) {
    for (const auto& device : summary.attribution.devices) side.parts += device.parts;
    return side;
  }
  for (const attribution::Step& step : summary.attribution.steps) {
    for (const TimeParts& parts : step.devices) side.parts += parts;
  }
  side.divisor *= static_cast<double>(summary.attribution.steps.size());
  return side;
}

// For readers: "idle data loading".
std::string name_of(Part part) {
  return (is_idle(part) ? "idle " : "") + in_words(part);
}

double of(const Side& side, int64_t ns) {
  return static_cast<double>(ns) / side.divisor;
}

std::vector<Change> kernel_changes(const TraceSummary& before, const TraceSummary& after,
                                   const Side& first, const Side& second, bool by_step) {
  std::map<std::string, Change> changes;
  const auto time_of = [&](const attribution::Total& total, const Side& side) {
    return of(side, by_step ? total.in_steps_ns : total.self_ns);
  };
  for (const auto& total : before.kernels) {
    changes[total.name].before_ns += time_of(total, first);
  }
  for (const auto& total : after.kernels) changes[total.name].after_ns += time_of(total, second);
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

std::optional<Part> part_of(const std::string& finding) {
  static const std::map<std::string, Part> kPartOf{
      {"trace.data-loading", Part::data_loading},
      {"trace.synchronisation", Part::synchronisation},
      {"trace.launch-bound", Part::launch},
      {"trace.host-work", Part::host},
      {"trace.exposed-copies", Part::memcpy},
      {"trace.pageable-copies", Part::memcpy},
      {"trace.exposed-communication", Part::communication}};
  const auto found = kPartOf.find(finding);
  return found == kPartOf.end() ? std::nullopt : std::optional(found->second);
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
void add_predictions(const TraceSummary& before, TraceComparison& comparison) {
  std::vector<double> less;
  std::map<Part, double> promised;
  std::vector<Part> parts;
  for (const findings::Finding& finding : before.findings) {
    const auto part = part_of(finding.id);
    if (!finding.gain || !part) continue;
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
std::string caveat(const TraceSummary& before, const TraceSummary& after, bool by_step) {
  std::string text;
  const size_t devices = before.attribution.devices.size();
  if (devices != after.attribution.devices.size()) {
    text += fmt::format(" Devices: {} before, {} after; figures are means over them.", devices,
                        after.attribution.devices.size());
  } else if (devices > 1) {
    text += fmt::format(" Figures are means over {} devices.", devices);
  }
  if (by_step) return text;
  if (before.attribution.steps.empty() || after.attribution.steps.empty()) {
    return text +
           " There are no steps in both to compare: these are whole recordings, which may "
           "differ in what was done.";
  }
  return text +
         " The steps of one side were recorded and those of the other inferred, so whole "
         "recordings are compared, which may differ in what was done.";
}

std::string milliseconds(double ns) {
  return findings::milliseconds(ns / 1e6);
}

std::string message_of(const TraceComparison& comparison) {
  const Change& wall = comparison.wall;
  const double change = wall.before_ns > 0 ? wall.difference_ns() / wall.before_ns : 0;
  const char* const subject = comparison.by_step ? "A step" : "The recording";
  std::string text =
      std::abs(change) < 0.005
          ? fmt::format("{} takes as long as before, {}", subject, milliseconds(wall.after_ns))
          : fmt::format("{} takes {} {}: {} instead of {}", subject,
                        findings::percent(std::abs(change)), change < 0 ? "less" : "longer",
                        milliseconds(wall.after_ns), milliseconds(wall.before_ns));
  std::vector<Change> parts = comparison.parts;
  std::stable_sort(parts.begin(), parts.end(), [](const Change& a, const Change& b) {
    return std::abs(a.difference_ns()) > std::abs(b.difference_ns());
  });
  const char* separator = "; ";
  for (size_t i = 0; i < 3; ++i) {
    if (std::abs(parts[i].difference_ns()) < 0.01 * wall.before_ns) break;
    text +=
        fmt::format("{}{} {}{}", separator, parts[i].name, parts[i].difference_ns() < 0 ? "-" : "+",
                    milliseconds(std::abs(parts[i].difference_ns())));
    separator = ", ";
  }
  return text + ".";
}

nlohmann::ordered_json change_json(const Change& change) {
  return {{"name", change.name},
          {"before_ns", change.before_ns},
          {"after_ns", change.after_ns},
          {"difference_ns", change.difference_ns()}};
}

}  // namespace

TraceComparison compare_traces(const TraceSummary& before, const TraceSummary& after) {
  TraceComparison comparison;
  comparison.before = before.source;
  comparison.after = after.source;
  comparison.by_step = steps_compare(before, after);
  comparison.steps_before = static_cast<int64_t>(before.attribution.steps.size());
  comparison.steps_after = static_cast<int64_t>(after.attribution.steps.size());
  const Side first = side_of(before, comparison.by_step);
  const Side second = side_of(after, comparison.by_step);
  comparison.wall = {"wall", of(first, first.parts.wall_ns()), of(second, second.parts.wall_ns())};
  for (size_t i = 0; i < kParts; ++i) {
    const auto part = static_cast<Part>(i);
    comparison.parts.push_back(
        {name_of(part), of(first, first.parts[part]), of(second, second.parts[part])});
  }
  comparison.kernels = kernel_changes(before, after, first, second, comparison.by_step);
  add_predictions(before, comparison);
  comparison.message = message_of(comparison) + caveat(before, after, comparison.by_step);
  return comparison;
}

std::string to_json(const TraceComparison& comparison) {
  using Json = nlohmann::ordered_json;
  Json json = {{"schema_version", 1},
               {"message", comparison.message},
               {"before", comparison.before},
               {"after", comparison.after},
               {"by_step", comparison.by_step},
               {"steps_before", comparison.steps_before},
               {"steps_after", comparison.steps_after},
               {"wall", change_json(comparison.wall)},
               {"parts", Json::array()},
               {"kernels", Json::array()},
               {"predictions", Json::array()}};
  for (const Change& change : comparison.parts) json["parts"].push_back(change_json(change));
  for (const Change& change : comparison.kernels) json["kernels"].push_back(change_json(change));
  for (const auto& each : comparison.predictions) {
    json["predictions"].push_back({{"id", each.id},
                                   {"low", each.low},
                                   {"high", each.high},
                                   {"gained", each.gained},
                                   {"holds", each.holds}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace batchscope::advice
