#include "batchscope/monitor/replay.hpp"

#include <cmath>

#include "judging.hpp"
#include "sinks/totals_sink.hpp"

namespace batchscope::monitor {

SessionOptions as_judged(const telemetry::LogHeader& header, SessionOptions options) {
  if (header.window_seconds > 0) {
    set_window(options, std::chrono::duration_cast<base::Nanoseconds>(
                            std::chrono::duration<double>(header.window_seconds)));
  }
  judge_by(header.judged_by, options);
  return options;
}

Summary summary_of(const telemetry::LogContent& log, Session& session) {
  TotalsSink totals;
  replay(log, session, [&](const Tick& tick) { static_cast<void>(totals.take(tick)); });
  auto summary = totals.summary(log.header.host, session.all());
  summary.told_after_seconds = session.told_after_seconds(log.header.interval_seconds);
  if (log.samples.empty() && !log.steps.empty()) {
    // The only one was made up, to close the last tick.
    const telemetry::TrainingStep& first = log.steps.front();
    summary.samples = 0;
    summary.began_ns = first.time_ns - std::llround(first.seconds * 1e9);
    summary.told_after_seconds = 0;
  }
  return summary;
}

void replay(const telemetry::LogContent& log, Session& session,
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
