#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/stepfeed/step_feed.hpp"
#include "batchscope/telemetry/sample.hpp"
#include "formats/formats.hpp"
#include "formats/values.hpp"

namespace batchscope::stepfeed {

// The steps in the lines of a file, whichever known format they are of: the first line of one
// settles it. Until then, lines are those of the feed (feed/step_line.hpp).
class StepReader {
 public:
  struct Taken {
    std::vector<telemetry::TrainingStep> steps;
    int64_t unknown_fields = 0;
    std::string problem;  // empty: there was none
  };
  // `now_ns`: the time of steps that tell none; 0: they tell none.
  Taken take(std::string_view line, int64_t now_ns);
  // The same, with the steps added and the rest counted. What is no step is no problem where it
  // stands before the first line of a format: it is counted once that is known.
  void take(std::string_view line, int64_t now_ns, std::vector<telemetry::TrainingStep>& steps,
            FeedCounts& counts);
  // No more comes: what was not understood is counted.
  void finish(FeedCounts& counts);

  // Absent: lines of the feed, or nothing that is known.
  const StepFormat* format() const { return format_; }
  // That a finished training took in all (train_runtime), and how many steps those were.
  double full_seconds() const { return full_seconds_; }
  int64_t full_steps() const { return full_steps_; }
  // Of that, what its evaluations took (eval_runtime).
  double evaluation_seconds() const { return evaluation_seconds_; }

 private:
  bool is_of_document(std::string_view line);
  void take_document(std::string_view line, int64_t now_ns, Taken& to);
  bool take_of_feed(std::string_view line, int64_t now_ns, Taken& to);
  void take_line(std::string_view line, int64_t now_ns, Taken& to);
  bool is_head(std::string_view line);
  void take_object(const Values& values, int64_t now_ns, Taken& to);
  void take_text(const Values& values, int64_t now_ns, Taken& to);
  void read(const Values& values, int64_t now_ns, Taken& to);
  std::optional<int64_t> number_of_step(const Values& values);
  std::string put_times(const Values& values, telemetry::TrainingStep& to);

  const StepFormat* format_ = nullptr;
  FeedCounts held_;
  bool has_begun_ = false, is_feed_ = false;
  std::vector<std::string> names_;  // of a table
  // Of a document of many lines: how deep its end is nested, and the entry that has begun.
  bool is_document_ = false, in_history_ = false;
  int64_t depth_ = 0;
  std::string entry_;
  // Of epochs that count their steps anew.
  int64_t before_ = 0, last_ = -1, of_ = 0;
  std::optional<int64_t> epoch_;
  double since_begin_ = 0;
  double full_seconds_ = 0, evaluation_seconds_ = 0;
  int64_t full_steps_ = 0;
};

}  // namespace batchscope::stepfeed
