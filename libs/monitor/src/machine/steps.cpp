#include "steps.hpp"

#include <utility>

#include "batchscope/training/step_feed.hpp"

namespace batchscope::monitor {
namespace {

class FeedSource : public StepSource {
 public:
  FeedSource(training::StepFeed feed, std::shared_ptr<sampling::Clock> clock)
      : feed_(std::move(feed)), clock_(std::move(clock)) {}

  std::vector<telemetry::TrainingStep> take() override { return feed_.poll(clock_->now_ns()); }
  std::string problem() const override { return feed_.counts().first_problem; }

 private:
  training::StepFeed feed_;
  std::shared_ptr<sampling::Clock> clock_;
};

}  // namespace

base::Result<std::unique_ptr<StepSource>> step_source(const std::filesystem::path& path,
                                                      std::shared_ptr<sampling::Clock> clock) {
  const bool file = path.extension() == ".jsonl";
  auto feed = file ? training::StepFeed::follow(path) : training::StepFeed::listen(path);
  if (!feed) return std::move(feed).error();
  return std::unique_ptr<StepSource>(
      std::make_unique<FeedSource>(*std::move(feed), std::move(clock)));
}

}  // namespace batchscope::monitor
