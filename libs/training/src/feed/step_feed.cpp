#include "batchscope/training/step_feed.hpp"

#include <utility>

#include "feed/source.hpp"
#include "feed/step_line.hpp"

namespace batchscope::training {
namespace {

void put_problem(std::string_view problem, FeedCounts& counts) {
  ++counts.bad_lines;
  if (counts.first_problem.empty()) counts.first_problem = problem;
}

}  // namespace

StepFeed::StepFeed(std::unique_ptr<LineSource> source) : source_(std::move(source)) {}
StepFeed::StepFeed(StepFeed&&) noexcept = default;
StepFeed& StepFeed::operator=(StepFeed&&) noexcept = default;
StepFeed::~StepFeed() = default;

const FeedCounts& StepFeed::counts() const {
  return counts_;
}

std::vector<telemetry::TrainingStep> StepFeed::poll(int64_t now_ns) {
  std::vector<telemetry::TrainingStep> steps;
  const auto take = [&](std::string_view line, bool is_whole) {
    if (!is_whole) return put_problem("is longer than 64 KiB", counts_);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    StepLine read = read_step_line(line, now_ns);
    if (!read.problem.empty()) return put_problem(read.problem, counts_);
    counts_.unknown_fields += read.unknown_fields;
    ++counts_.steps;
    steps.push_back(std::move(read.step));
  };
  source_->read(take, counts_);
  return steps;
}

}  // namespace batchscope::training
