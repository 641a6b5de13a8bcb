#pragma once

#include <string>
#include <utility>
#include <vector>

#include "batchscope/monitor/session.hpp"
#include "batchscope/monitor/totals.hpp"

namespace batchscope::monitor {

// Adds up what was seen, for the end.
class TotalsSink : public Sink {
 public:
  std::string_view name() const override { return "the summary"; }

  base::Result<void> take(const Tick& tick) override {
    for (const auto& step : tick.steps) totals_.add(step);
    totals_.add(tick.sample);
    return {};
  }

  MonitorSummary summary(const std::string& host,
                         std::vector<watch::ActiveFinding> findings) const {
    return totals_.summary(host, std::move(findings));
  }

 private:
  Totals totals_;
};

}  // namespace batchscope::monitor
