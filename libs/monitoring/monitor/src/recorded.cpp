#include <fmt/format.h>

#include "batchscope/base/strings.hpp"
#include "batchscope/bytes/lines.hpp"
#include "batchscope/monitor/replay.hpp"
#include "batchscope/stepfeed/step_log.hpp"

namespace batchscope::monitor {
namespace {

bool is_of_a_monitor(const std::filesystem::path& file) {
  constexpr std::size_t kMostOfALine = 64 * 1024;
  const std::string first = bytes::head_of(file, kMostOfALine);
  return telemetry::is_log(std::string_view(first).substr(0, first.find('\n')));
}

std::string not_understood(int64_t lines, const std::string& first, const std::string& file) {
  const bool one = lines == 1;
  return fmt::format("{} {} of {} {} unreadable{}: {}", lines, one ? "line" : "lines", file,
                     one ? "is" : "are", one ? "" : "; first one", first);
}

base::Result<RecordedLog> read_log(const std::string& file) {
  auto log = telemetry::read_log(file);
  if (!log) return std::move(log).error();
  RecordedLog recorded{*std::move(log), {}, ""};
  const telemetry::LogContent& content = recorded.log;
  if (content.unread_lines > 0) {
    recorded.doubts.push_back(not_understood(content.unread_lines, content.first_problem, file));
  }
  if (content.times_back > 0) {
    recorded.doubts.push_back("the times of " + file +
                              " go back: somebody set the clock back, or joined logs. batchscope "
                              "sorts the records by time.");
  }
  return recorded;
}

std::string note_of(const stepfeed::StepLog& log, const std::string& file) {
  std::string note = fmt::format("{}: format {}", file, log.format);
  if (log.has_mean_times) note += "; every step has the mean time of the full training";
  if (!log.missing.empty()) note += "; it lacks " + base::join(log.missing, ", ");
  return note;
}

}  // namespace

bool is_recorded_log(const std::filesystem::path& file) {
  return is_of_a_monitor(file) || stepfeed::is_step_log(file);
}

base::Result<RecordedLog> read_log_file(const std::filesystem::path& file) {
  if (is_of_a_monitor(file)) return read_log(file.string());
  auto steps = stepfeed::read_step_log(file);
  if (!steps) return std::move(steps).error();
  RecordedLog recorded;
  if (steps->counts.bad_lines > 0) {
    recorded.doubts.push_back(
        not_understood(steps->counts.bad_lines, steps->counts.first_problem, file.string()));
  }
  recorded.note = note_of(*steps, file.string());
  recorded.log.steps = std::move(steps->steps);
  recorded.log.steps_are_epochs = steps->steps_are_epochs;
  return recorded;
}

}  // namespace batchscope::monitor
