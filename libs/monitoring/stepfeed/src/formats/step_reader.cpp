#include "formats/step_reader.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "batchscope/base/strings.hpp"
#include "batchscope/stepfeed/step_feed.hpp"
#include "lines/step_line.hpp"

namespace batchscope::stepfeed {
namespace {

constexpr double kMostCount = 9007199254740992;  // 2^53

struct Wildcard {
  std::string_view begin, end;
};

std::optional<Wildcard> wildcard(std::string_view name) {
  const std::size_t star = name.find('*');
  if (star == std::string_view::npos) return std::nullopt;
  return Wildcard{name.substr(0, star), name.substr(star + 1)};
}

bool has(const Values& values, std::string_view name) {
  const auto any = wildcard(name);
  return any ? values.sum(any->begin, any->end).has_value() : values.has(name);
}

std::optional<Value> first_of(const Values& values, const Names& names) {
  for (const std::string_view name : names) {
    if (name.empty()) break;
    const auto any = wildcard(name);
    if (!any) {
      if (const auto value = values.find(name)) return value;
    } else if (const auto sum = values.sum(any->begin, any->end)) {
      return Value{*sum, {}, 0};
    }
  }
  return std::nullopt;
}

std::optional<int64_t> count_of(const std::optional<Value>& value) {
  if (!value || !(std::abs(value->number) <= kMostCount)) return std::nullopt;
  if (std::trunc(value->number) != value->number) return std::nullopt;
  return static_cast<int64_t>(value->number);
}

double seconds_of(const Value& value, double unit) {
  if (value.unit == "s") return value.number;
  if (value.unit == "ms") return value.number * 1e-3;
  return value.number * (value.unit == "us" ? 1e-6 : unit);
}

void put_problem(std::string_view problem, FeedCounts& counts) {
  ++counts.bad_lines;
  if (counts.first_problem.empty()) counts.first_problem = problem;
}

// What stands before the steps of a framework's log is neither.
bool is_nearly_of_the_feed(std::string_view problem) {
  return !problem.empty() && problem != "is not a JSON object" && problem != "step is missing";
}

bool is_time(double seconds) {
  return seconds > 0 && seconds <= kLongestStepSeconds;
}

bool is_of(const StepFormat& format, const Values& values) {
  return std::ranges::all_of(
      format.marks, [&](std::string_view mark) { return mark.empty() || has(values, mark); });
}

const StepFormat* format_of(Syntax syntax, const Values& values) {
  const auto formats = step_formats();
  const auto found = std::ranges::find_if(formats, [&](const StepFormat& format) {
    return format.syntax == syntax && is_of(format, values);
  });
  return found == formats.end() ? nullptr : &*found;
}

// By the names of a table alone: each has a value.
const StepFormat* format_of_table(const std::vector<std::string>& names) {
  std::string zeros = "0";
  for (std::size_t i = 1; i < names.size(); ++i) zeros += ",0";
  return format_of(Syntax::csv, *csv_values(names, zeros));
}

void put_loss(double loss, telemetry::TrainingStep& to) {
  if (std::isfinite(loss)) {
    to.loss = loss;
  } else {
    to.loss_word = std::isnan(loss) ? "nan" : loss > 0 ? "inf" : "-inf";
  }
}

void put_rest(const StepFormat& format, const Values& values, telemetry::TrainingStep& to) {
  if (const auto loss = first_of(values, format.loss)) put_loss(loss->number, to);
  const auto rate = first_of(values, format.learning_rate);
  if (rate && std::isfinite(rate->number)) to.learning_rate = rate->number;
  const auto batch = count_of(first_of(values, format.batch));
  if (batch && *batch > 0) to.batch_size = batch;
}

// An evaluation has neither a loss that is trained on, nor the training's word for it.
bool is_evaluation(const Values& values) {
  const std::string mode = values.text("mode");
  return !mode.empty() && mode != "train";
}

}  // namespace

StepReader::Taken StepReader::take(std::string_view line, int64_t now_ns) {
  Taken taken;
  if (base::trim(line).empty()) return taken;
  if (is_of_document(line)) {
    take_document(line, now_ns, taken);
  } else if (format_ != nullptr || !take_of_feed(line, now_ns, taken)) {
    take_line(line, now_ns, taken);
  }
  has_begun_ = true;
  return taken;
}

void StepReader::take(std::string_view line, int64_t now_ns,
                      std::vector<telemetry::TrainingStep>& steps, FeedCounts& counts) {
  constexpr int64_t kMostHeld = 1000;
  const bool was_known = format_ != nullptr;
  Taken taken = take(line, now_ns);
  counts.steps += std::ssize(taken.steps);
  counts.unknown_fields += taken.unknown_fields;
  std::ranges::move(taken.steps, std::back_inserter(steps));
  if (!taken.problem.empty()) put_problem(taken.problem, held_);
  if (format_ != nullptr && !was_known) held_ = {};
  const bool is_settled = is_feed_ || format_ != nullptr || held_.bad_lines >= kMostHeld ||
                          is_nearly_of_the_feed(taken.problem);
  if (is_settled) finish(counts);
}

void StepReader::finish(FeedCounts& counts) {
  counts.bad_lines += held_.bad_lines;
  if (counts.first_problem.empty()) counts.first_problem = held_.first_problem;
  held_ = {};
}

// False: it is none of the feed, and may be one of a format. Where there was one already, what is
// wrong is told.
bool StepReader::take_of_feed(std::string_view line, int64_t now_ns, Taken& to) {
  StepLine read = read_step_line(line, now_ns);
  to.problem = std::move(read.problem);
  if (!to.problem.empty()) return is_feed_;
  is_feed_ = true;
  to.unknown_fields = read.unknown_fields;
  to.steps.push_back(std::move(read.step));
  return true;
}

// JSON that does not end in its first line.
bool StepReader::is_of_document(std::string_view line) {
  if (has_begun_ || is_document_) return is_document_;
  const std::string_view text = base::trim(line);
  is_document_ = text == "{" || base::contains_text(text, "\"log_history\"");
  return is_document_;
}

// Of the document only the entries of its history count.
void StepReader::take_document(std::string_view line, int64_t now_ns, Taken& to) {
  constexpr std::string_view kHistory = "\"log_history\"";
  constexpr std::size_t kMostEntry = 64 * 1024;
  if (!in_history_) {
    const std::size_t at = line.find(kHistory);
    if (at == std::string_view::npos) return;
    in_history_ = true;
    depth_ = 0;
    line.remove_prefix(at + kHistory.size());
  }
  for (const char c : line) {
    if (c == '{') ++depth_;
    if (depth_ > 0 && entry_.size() < kMostEntry) entry_ += c;
    if (c == ']' && depth_ == 0) {
      in_history_ = false;
      return;
    }
    if (c != '}' || depth_ == 0 || --depth_ > 0) continue;
    if (const auto values = json_values(entry_)) take_object(*values, now_ns, to);
    entry_.clear();
  }
}

void StepReader::take_line(std::string_view line, int64_t now_ns, Taken& to) {
  if (base::trim(line).starts_with('{')) {
    if (const auto values = json_values(line)) take_object(*values, now_ns, to);
  } else if (names_.empty() && !has_begun_ && is_head(line)) {
    to.problem.clear();
  } else if (!names_.empty()) {
    read(*csv_values(names_, line), now_ns, to);
  } else {
    const std::string shown = as_shown(line);
    take_text(*text_values(shown), now_ns, to);
  }
}

bool StepReader::is_head(std::string_view line) {
  std::vector<std::string> names = csv_names(line);
  if (names.empty()) return false;
  format_ = format_of_table(names);
  if (format_ != nullptr) names_ = std::move(names);
  return format_ != nullptr;
}

void StepReader::take_object(const Values& values, int64_t now_ns, Taken& to) {
  if (const auto full = values.find("train_runtime")) {
    full_seconds_ = full->number;
    full_steps_ = count_of(values.find("step")).value_or(0);
  }
  if (const auto evaluation = values.find("eval_runtime")) {
    if (is_time(evaluation->number)) evaluation_seconds_ += evaluation->number;
  }
  const StepFormat* const format = format_of(Syntax::json, values);
  if (format_ == nullptr) format_ = format;
  if (format_ != nullptr) to.problem.clear();
  if (format != nullptr && format == format_ && !is_evaluation(values)) read(values, now_ns, to);
}

void StepReader::take_text(const Values& values, int64_t now_ns, Taken& to) {
  const StepFormat* const format = format_of(Syntax::text, values);
  if (format_ == nullptr) format_ = format;
  if (format_ != nullptr) to.problem.clear();
  if (format != nullptr && format == format_) read(values, now_ns, to);
}

// A line with neither a loss nor a time is no step: an evaluation, the end.
void StepReader::read(const Values& values, int64_t now_ns, Taken& to) {
  telemetry::TrainingStep step;
  put_rest(*format_, values, step);
  const bool has_loss = step.loss || !step.loss_word.empty();
  const bool has_time = first_of(values, format_->seconds).has_value();
  if (!has_loss && (!has_time || format_->syntax == Syntax::json)) return;
  const auto number = number_of_step(values);
  if (!number) return;
  step.step = *number;
  step.time_ns = now_ns;
  // The first line of an epoch is of its first step; those after it are means of what came between.
  const bool is_first = last_ == 0 && !format_->epoch.front().empty();
  step.is_alone = format_->of_one || is_first;
  to.problem = put_times(values, step);
  if (to.problem.empty()) to.steps.push_back(std::move(step));
}

// Where epochs count anew, the steps of those before are added.
std::optional<int64_t> StepReader::number_of_step(const Values& values) {
  const auto value = first_of(values, format_->step);
  const auto count = count_of(value);
  if (!count || *count < 0) return std::nullopt;
  const auto of = count_of(Value{value->of, {}, 0}).value_or(0);
  if (format_->only_ends && (of <= 0 || *count != of)) return std::nullopt;
  const auto epoch = count_of(first_of(values, format_->epoch));
  const bool is_next = format_->only_ends ? last_ >= 0 : epoch_ && epoch && *epoch > *epoch_;
  if (is_next && *count <= last_) before_ += std::max(of_, last_);
  if (epoch && epoch_ && *epoch < *epoch_) before_ = 0;
  epoch_ = epoch;
  last_ = *count;
  of_ = std::max<int64_t>(of, 0);
  return std::min<int64_t>(before_, int64_t{1} << 60) + *count;
}

// What is wrong; empty: nothing.
std::string StepReader::put_times(const Values& values, telemetry::TrainingStep& to) {
  const auto reported = first_of(values, format_->seconds);
  if (!reported) return "";
  double seconds = seconds_of(*reported, format_->unit);
  if (format_->cumulative) {
    const double since = seconds;
    if (since > since_begin_) seconds -= since_begin_;
    since_begin_ = since;
  }
  if (!is_time(seconds)) return "its time is not between 0 and 1 day";
  to.seconds = seconds;
  const auto loading = first_of(values, format_->loading);
  if (!loading) return "";
  const double waited = seconds_of(*loading, format_->unit);
  if (waited >= 0) to.loading_seconds = std::min(waited, seconds);
  return "";
}

}  // namespace batchscope::stepfeed
