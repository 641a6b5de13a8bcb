#include "batchscope/stepfeed/step_feed.hpp"

#include <utility>

#include "feed/source.hpp"
#include "formats/step_reader.hpp"
#include "lines/step_line.hpp"

namespace batchscope::stepfeed {
namespace {

void put_bad_line(std::string_view problem, FeedCounts& counts) {
  ++counts.bad_lines;
  if (counts.first_problem.empty()) counts.first_problem = problem;
}

}  // namespace

StepFeed::StepFeed(std::unique_ptr<LineSource> source, std::unique_ptr<StepReader> formats)
    : source_(std::move(source)), formats_(std::move(formats)) {}
StepFeed::StepFeed(StepFeed&&) noexcept = default;
StepFeed& StepFeed::operator=(StepFeed&&) noexcept = default;
StepFeed::~StepFeed() = default;

const FeedCounts& StepFeed::counts() const {
  return counts_;
}

std::vector<telemetry::TrainingStep> StepFeed::poll(int64_t now_ns) {
  std::vector<telemetry::TrainingStep> steps;
  const auto take = [&](std::string_view line, bool is_complete) {
    if (!is_complete) return put_bad_line("is longer than 64 KiB", counts_);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    if (formats_) return formats_->take(line, now_ns, steps, counts_);
    StepLine read = read_step_line(line, now_ns);
    if (!read.problem.empty()) return put_bad_line(read.problem, counts_);
    counts_.unknown_fields += read.unknown_fields;
    ++counts_.steps;
    steps.push_back(std::move(read.step));
  };
  source_->read(take, counts_);
  return steps;
}

}  // namespace batchscope::stepfeed
