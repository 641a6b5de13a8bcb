#pragma once

#include <string>
#include <utility>
#include <vector>

#include "batchscope/monitor/session.hpp"
#include "batchscope/monitorview/summary.hpp"

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

  monitorview::Summary summary(const std::string& host,
                               std::vector<watch::Standing> findings) const {
    return totals_.summary(host, std::move(findings));
  }

 private:
  monitorview::Totals totals_;
};

}  // namespace batchscope::monitor
