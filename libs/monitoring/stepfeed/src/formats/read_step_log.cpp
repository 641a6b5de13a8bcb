#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <system_error>

#include "batchscope/base/strings.hpp"
#include "batchscope/bytes/lines.hpp"
#include "batchscope/stepfeed/step_feed.hpp"
#include "batchscope/stepfeed/step_log.hpp"
#include "formats/step_reader.hpp"
#include "lines/line_buffer.hpp"

namespace batchscope::stepfeed {
namespace {

// Later than any: a time that a step tells is taken.
constexpr int64_t kAnyTime = int64_t{1} << 62;

// Of files that are still written, in nanoseconds since 1970.
int64_t written_ns(const std::filesystem::path& file) {
  std::error_code ignored;
  const auto at = std::filesystem::last_write_time(file, ignored);
  if (ignored) return 0;
  const auto since = std::chrono::file_clock::to_sys(at).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

// That a line stands for: logs tell every tenth step, or fiftieth.
int64_t steps_at(const std::vector<telemetry::TrainingStep>& steps, std::size_t place) {
  constexpr int64_t kMost = 100'000;
  if (place == 0) return 1;
  const int64_t since = steps[place].step - steps[place - 1].step;
  return since >= 1 && since <= kMost ? since : 1;
}

double typical_seconds(const std::vector<telemetry::TrainingStep>& steps) {
  std::vector<double> seconds;
  for (const telemetry::TrainingStep& step : steps) {
    if (step.seconds > 0) seconds.push_back(step.seconds);
  }
  if (seconds.empty()) return 0;
  const auto middle = seconds.begin() + std::ssize(seconds) / 2;
  std::ranges::nth_element(seconds, middle);
  return *middle;
}

// What those took that a line stands for, but its own: as that, unless it is of one step and far
// longer than others, as one that evaluates is.
void put_others(StepLog& log) {
  constexpr double kFar = 4;
  const double typical = typical_seconds(log.steps);
  for (std::size_t i = 0; i < log.steps.size(); ++i) {
    telemetry::TrainingStep& step = log.steps[i];
    const bool is_far = step.is_alone && step.seconds > kFar * typical;
    step.replaces = steps_at(log.steps, i);
    step.others_seconds =
        static_cast<double>(step.replaces - 1) * (is_far ? typical : step.seconds);
  }
}

void put_mean_times(const StepReader& reader, StepLog& log) {
  const double mean = reader.full_steps() > 0
                          ? (reader.full_seconds() - reader.evaluation_seconds()) /
                                static_cast<double>(reader.full_steps())
                          : 0;
  const bool is_reported =
      std::ranges::any_of(log.steps, [](const auto& one) { return one.seconds > 0; });
  if (is_reported || !(mean > 0 && mean <= kLongestStepSeconds)) return;
  for (telemetry::TrainingStep& step : log.steps) step.seconds = mean;
  log.has_mean_times = true;
}

// Of those that tell none: backwards from the end.
void put_ends(int64_t end_ns, StepLog& log) {
  double left = 0;
  for (std::size_t i = log.steps.size(); i-- > 0;) {
    telemetry::TrainingStep& step = log.steps[i];
    if (step.time_ns == kAnyTime) step.time_ns = end_ns - std::llround(left * 1e9);
    // Where no time is known they still come one after the other.
    left += std::max(step.full_seconds(), 1e-9);
  }
}

bool says_seconds(const telemetry::TrainingStep& step) {
  return step.seconds > 0;
}
bool says_loading(const telemetry::TrainingStep& step) {
  return step.loading_seconds.has_value();
}
bool says_batch(const telemetry::TrainingStep& step) {
  return step.batch_size.has_value();
}

void put_missing(const StepFormat* format, StepLog& log) {
  const auto put = [&](bool (*says)(const telemetry::TrainingStep&), const char* name) {
    if (std::ranges::none_of(log.steps, says)) log.missing.emplace_back(name);
  };
  put(says_seconds, "seconds");
  put(says_loading, "loading_seconds");
  put(says_batch, "batch_size");
  const bool has_times = log.missing.empty() || log.missing.front() != "seconds";
  if (has_times || format == nullptr || format->without_times.empty()) return;
  log.missing.front() += fmt::format(" ({})", format->without_times);
}

std::string what_it_is(const std::filesystem::path& file, const FeedCounts& counts) {
  const std::string head = bytes::head_of(file, 4096);
  if (head.empty()) return "is empty";
  if (head.find('\0') != std::string::npos) return "is not a text file";
  const std::string& first = counts.first_problem;
  // Of text, that it is no JSON does not help.
  if (head.front() != '{' || first.empty())
    return "its format is unknown: no line is a training step";
  return fmt::format("it has no training step (first line: {})", first);
}

base::Error no_steps(const std::filesystem::path& file, const FeedCounts& counts) {
  std::vector<std::string> names;
  for (const StepFormat& format : step_formats()) {
    const std::string name(format.writer);
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return {base::ErrorKind::input, what_it_is(file, counts), file.string(),
          fmt::format("known: logs of {}; tables and JSON lines with step and seconds; recordings "
                      "of monitor; see docs/reference/steps.md",
                      base::join(names, ", "))};
}

class LogReader {
 public:
  void take(std::string_view line) { reader_.take(line, kAnyTime, log_.steps, log_.counts); }
  // No more comes.
  void end() { reader_.finish(log_.counts); }
  const StepLog& log() const { return log_; }

  StepLog finish(int64_t end_ns) && {
    const StepFormat* const format = reader_.format();
    log_.format =
        format == nullptr ? "JSON lines with step and seconds" : std::string(format->name);
    log_.steps_are_epochs = format != nullptr && format->of_epochs;
    put_mean_times(reader_, log_);
    put_others(log_);
    put_ends(end_ns, log_);
    put_missing(format, log_);
    return std::move(log_);
  }

 private:
  StepReader reader_;
  StepLog log_;
};

}  // namespace

bool is_step_log(const std::filesystem::path& file) {
  constexpr std::size_t kFirst = 1 << 20;
  const std::string text = bytes::head_of(file, kFirst);
  LogReader reader;
  LineBuffer lines;
  const auto take = [&](std::string_view line, bool is_complete) {
    if (is_complete && reader.log().steps.empty()) reader.take(line);
  };
  lines.add(text, take);
  if (text.size() < kFirst) lines.add("\n", take);
  return !reader.log().steps.empty();
}

base::Result<StepLog> read_step_log(const std::filesystem::path& file) {
  auto lines = bytes::lines_of(file);
  if (!lines) return std::move(lines).error();
  LogReader reader;
  for (;;) {
    const auto line = lines->next();
    if (!line) return line.error();
    if (!*line) break;
    reader.take((*line)->text);
  }
  reader.end();
  if (reader.log().steps.empty()) return no_steps(file, reader.log().counts);
  return std::move(reader).finish(written_ns(file));
}

}  // namespace batchscope::stepfeed
