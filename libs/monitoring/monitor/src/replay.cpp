#include "batchscope/monitor/replay.hpp"

#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

#include "judging.hpp"
#include "sinks/totals_sink.hpp"

namespace batchscope::monitor {

MonitorOptions as_judged(const telemetry::LogHeader& header, MonitorOptions options) {
  if (header.window_seconds > 0) {
    set_window(options, std::chrono::duration_cast<base::Nanoseconds>(
                            std::chrono::duration<double>(header.window_seconds)));
  }
  judge_by(header.judged_by, options);
  return options;
}

namespace {

// "Step 33" of a log whose lines are epochs is "Epoch 33".
void say_epochs(std::string& text) {
  for (const auto& [step, epoch] : {std::pair("step", "epoch"), std::pair("Step", "Epoch")}) {
    const std::string_view word = step;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const auto is_letter = [&](std::size_t place) {
        return place < text.size() && (std::isalpha(static_cast<unsigned char>(text[place])) != 0 ||
                                       text[place] == '_' || text[place] == '.');
      };
      const std::size_t end = at + word.size();
      const std::size_t behind = end < text.size() && text[end] == 's' ? end + 1 : end;
      const bool is_name = (at > 0 && is_letter(at - 1)) ||
                           (is_letter(behind) && text[behind] != '.') ||
                           (behind < text.size() && text[behind] == '(');
      if (!is_name) text.replace(at, word.size(), epoch);
    }
  }
}

void say_epochs(MonitorSummary& summary) {
  summary.steps_are_epochs = true;
  for (watch::ActiveFinding& active : summary.findings) {
    for (std::string* const text :
         {&active.finding.what, &active.finding.cause, &active.finding.fix}) {
      say_epochs(*text);
    }
  }
}

}  // namespace

MonitorSummary summary_of(const telemetry::LogContent& log, MonitorSession& session) {
  TotalsSink totals;
  replay(log, session, [&](const Tick& tick) { static_cast<void>(totals.take(tick)); });
  auto summary = totals.summary(log.header.host, session.all());
  summary.min_detection_seconds = session.min_detection_seconds(log.header.interval_seconds);
  if (log.samples.empty() && !log.steps.empty()) {
    // The only one was made up, to close the last tick.
    const telemetry::TrainingStep& first = log.steps.front();
    summary.samples = 0;
    summary.began_ns = first.time_ns - std::llround(first.seconds * 1e9);
    summary.min_detection_seconds = 0;
  }
  if (log.steps_are_epochs) say_epochs(summary);
  return summary;
}

void replay(const telemetry::LogContent& log, MonitorSession& session,
            const std::function<void(const Tick& tick)>& each) {
  // As they came, whatever a loop's own clock says.
  const bool is_ordered = log.steps_before.size() == log.samples.size();
  auto step = log.steps.begin();
  const auto add = [&](const telemetry::Sample& sample) {
    const Tick& tick = session.add(sample);
    if (each) each(tick);
  };
  for (std::size_t i = 0; i < log.samples.size(); ++i) {
    const auto comes_before = [&] {
      if (!is_ordered) return step->time_ns <= log.samples[i].time_ns;
      return step - log.steps.begin() < static_cast<std::ptrdiff_t>(log.steps_before[i]);
    };
    while (step != log.steps.end() && comes_before()) session.add(*step++);
    add(log.samples[i]);
  }
  if (step == log.steps.end()) return;
  telemetry::Sample last = log.samples.empty() ? telemetry::Sample{} : log.samples.back();
  if (log.samples.empty()) last.time_ns = log.steps.back().time_ns;
  while (step != log.steps.end()) session.add(*step++);
  add(last);
}

}  // namespace batchscope::monitor
