#include <fmt/format.h>

#include "batchscope/document/document.hpp"
#include "batchscope/document/text.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/report/plan.hpp"

namespace batchscope::report {
namespace {

using document::Heading;
using document::KeyValues;
using document::render_text;
using document::TextTable;
using document::Tone;
using findings::fixed;
using findings::kAbsent;
using findings::percent;
using findings::plain;
using findings::Quantity;
using findings::show_column;
using findings::Shown;
using planning::CapacityPlan;
using planning::PolicyPlan;

std::string rate_words(double per_s) {
  return planning::rate_words(per_s) + " requests per second";
}

KeyValues facts_of(const CapacityPlan& plan) {
  KeyValues facts;
  facts.fields.push_back(
      {"load", fmt::format("{}, {}", rate_words(plan.rate_per_s), plan.arrivals)});
  if (plan.p99_ms) facts.fields.push_back({"bound", fmt::format("p99 {:.4g} ms", *plan.p99_ms)});
  facts.fields.push_back({"instances", fmt::format("{}", plan.instances)});
  facts.fields.push_back({"measured", schema::describe(plan.config)});
  return facts;
}

using Quantile = std::optional<findings::Estimate> PolicyPlan::*;

class PlanTable {
 public:
  explicit PlanTable(const CapacityPlan& plan) : plan_(plan) {
    table_.rows.resize(plan.policies.size());
  }

  void words(const document::Column& column, std::string (*get)(const PolicyPlan&)) {
    table_.columns.push_back(column);
    for (std::size_t i = 0; i < plan_.policies.size(); ++i) {
      const Tone tone = i == plan_.recommended ? Tone::strong : Tone::plain;
      table_.rows[i].push_back({get(plan_.policies[i]), "", tone});
    }
  }

  void quantile(const char* title, Quantile member) {
    std::vector<const findings::Estimate*> estimates;
    for (const PolicyPlan& policy : plan_.policies) {
      estimates.push_back(policy.*member ? &*(policy.*member) : nullptr);
    }
    table_.columns.push_back({title, "ms"});
    const std::vector<Shown> shown = show_column(estimates, Quantity::amount);
    for (std::size_t i = 0; i < estimates.size(); ++i) {
      const bool late = plan_.p99_ms && member == &PolicyPlan::p99_ms && estimates[i] &&
                        estimates[i]->value > *plan_.p99_ms;
      table_.rows[i].push_back({estimates[i] ? shown[i].value : kAbsent,
                                estimates[i] ? shown[i].interval : "",
                                late ? Tone::caution : Tone::plain});
    }
  }

  TextTable take() { return std::move(table_); }

 private:
  const CapacityPlan& plan_;
  TextTable table_;
};

std::string unless_overloaded(const PolicyPlan& policy, const std::string& text) {
  return policy.overloaded ? kAbsent : text;
}

TextTable table_of(const CapacityPlan& plan) {
  PlanTable table(plan);
  table.words({"policy", "", true}, [](const PolicyPlan& p) { return p.policy; });
  table.quantile("p50", &PolicyPlan::p50_ms);
  table.quantile("p90", &PolicyPlan::p90_ms);
  table.quantile("p99", &PolicyPlan::p99_ms);
  table.words({"throughput", "/s"},
              [](const PolicyPlan& p) { return unless_overloaded(p, plain(p.throughput_per_s)); });
  table.words({"busy", ""}, [](const PolicyPlan& p) {
    return p.overloaded ? std::string("overloaded") : percent(p.utilisation);
  });
  table.words({"mean", "batch"},
              [](const PolicyPlan& p) { return unless_overloaded(p, fixed(p.mean_batch, 1)); });
  table.words({"capacity", "/s"}, [](const PolicyPlan& p) { return plain(p.capacity_per_s); });
  table.words({"instances", "needed"}, [](const PolicyPlan& p) {
    return p.instances_needed ? fmt::format("{}", *p.instances_needed) : std::string(kAbsent);
  });
  return table.take();
}

}  // namespace

std::string plan_text(const CapacityPlan& plan, const document::TextStyle& style) {
  const Tone tone = plan.recommended ? Tone::good : Tone::caution;
  document::Document document{Heading{1, "batchscope plan"},
                              document::Paragraph{{{plan.message, tone}}}, facts_of(plan),
                              table_of(plan)};
  KeyValues settings;
  for (const PolicyPlan& policy : plan.policies) {
    settings.fields.push_back({policy.policy, policy.settings});
  }
  document.emplace_back(Heading{2, "Settings"});
  document.emplace_back(std::move(settings));
  if (!plan.warnings.empty()) {
    document.emplace_back(Heading{2, "Warnings"});
    document.emplace_back(document::sentences(plan.warnings, Tone::plain));
  }
  return render_text(std::move(document), style);
}

}  // namespace batchscope::report
