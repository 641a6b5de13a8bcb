#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "batchscope/base/result.hpp"
#include "batchscope/base/subject.hpp"
#include "batchscope/monitor/session.hpp"
#include "batchscope/monitorview/history.hpp"

namespace batchscope::progress {

// A line a sample, and one for each finding that is raised or ends.
class MonitorLines : public monitor::Sink {
 public:
  using Write = std::function<base::Result<void>(std::string_view text)>;

  MonitorLines(Write write, base::Spelling spelling)
      : write_(std::move(write)), spelling_(spelling) {}
  std::string_view name() const override { return "standard output"; }
  base::Result<void> take(const monitor::Tick& tick) override;

 private:
  Write write_;
  base::Spelling spelling_;
  monitorview::History history_;
};

}  // namespace batchscope::progress
