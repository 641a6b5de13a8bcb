#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "batchscope/base/lists.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "content.hpp"
#include "tables/tables.hpp"

namespace batchscope::report {
namespace {

using document::Document;
using document::Heading;
using document::KeyValues;
using document::List;
using document::Paragraph;
using document::Tone;
using findings::percent;

std::string joined(const std::vector<int64_t>& sizes) {
  return base::join(base::format_integers(sizes), ", ");
}

constexpr const char* kTooFewVisits = "Too few visits to test differences.";

bool has_repeats(const findings::Group& group) {
  return std::any_of(group.rows.begin(), group.rows.end(),
                     [](const findings::ConfigRow& row) { return row.time_ms.ci.has_value(); });
}

std::string columns_in_words(const findings::Group& group) {
  return fmt::format(
      "Expected = batch size x time per sample at batch {0}; efficiency = expected / time; "
      "relative slowdown = time per sample / time per sample at batch {0}; jump ratio = growth of "
      "time / growth of batch size, from the row above. ",
      group.base_batch_size);
}

std::string intervals_in_words(const findings::Group& group) {
  return fmt::format("± and [ ]: {} confidence intervals (CI).", base::format_level(group.level));
}

bool has_controls(const findings::Group& group) {
  return std::any_of(group.rows.begin(), group.rows.end(), [](const findings::ConfigRow& row) {
    return row.purpose == schema::Purpose::control;
  });
}

std::string law_text(const findings::TimeLaw& law) {
  return fmt::format("{}: time = {}; fit error {} (largest leave-one-out, at batch {})", law.kind,
                     law.formula, percent(std::abs(law.largest_loo_error)), law.worst_batch_size);
}

std::string set_aside_text(const findings::Group& group) {
  std::map<std::string, std::vector<int64_t>> sizes;
  for (const findings::Exclusion& each : group.set_aside) {
    const char* why = each.reason == findings::LeftOutReason::few_visits
                          ? "less than half the visits of the others"
                      : each.reason == findings::LeftOutReason::warming ? "may still be warming up"
                      : each.reason == findings::LeftOutReason::failed  ? "failed repeatedly"
                                                                       : "out of memory repeatedly";
    sizes[why].push_back(each.config.shape.batch_size);
  }
  std::string text;
  for (const auto& [why, those] : sizes) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", findings::list(those), why);
  }
  return text;
}

std::string means_in_words(const findings::Group& group) {
  if (std::none_of(group.rows.begin(), group.rows.end(), findings::mean_differs)) return "";
  return " Time = typical iteration; mean = all iterations, gives samples/s; slow = over 1.5 times "
         "the typical time.";
}

// A size may be recommended that is not among these: one that is slower by nothing that matters.
std::string best_sizes_text(const findings::Group& group, bool repeated) {
  if (group.is_open) return "";
  const std::string sizes = joined(group.best_sizes);
  if (group.rows.size() < 2 || sizes.empty()) return sizes;
  if (!repeated) return sizes + " (the fastest measured; not testable without repeats)";
  return sizes + (group.best_sizes.size() > 1 ? " (no significant difference)"
                                              : " (all other tested sizes are slower)");
}

KeyValues facts(const findings::Group& group) {
  KeyValues result;
  const auto add = [&](const char* label, const std::string& text) {
    if (!text.empty()) result.fields.push_back({label, text});
  };
  const bool repeated = has_repeats(group);
  add("best sizes", best_sizes_text(group, repeated));
  // Of a single best size the knee says nothing new.
  if (group.knee && !group.is_open && group.best_sizes.size() > 1) {
    add("knee", fmt::format("{} (the smallest of the best sizes)", *group.knee));
  }
  if (group.saturation && !group.is_open) {
    add("saturation", fmt::format("{}: no larger batch gives 5 % more throughput per doubling",
                                  *group.saturation));
  }
  if (!repeated) {
    add("good sizes", "not testable without repeats");
  } else if (!group.good_sizes.empty()) {
    const bool all = group.good_sizes.size() == group.rows.size();
    add("good sizes",
        all ? "all (none is slower than a split into smaller batches)"
            : joined(group.good_sizes) + " (not slower than a split into smaller batches)");
  }
  if (repeated && !group.untested_sizes.empty()) {
    add("untested sizes", joined(group.untested_sizes) + " (a split may be faster)");
  }
  add("excluded", set_aside_text(group));
  if (group.law) add("law", law_text(*group.law));
  add("departures", group.departure_verdict);
  for (const findings::MemoryLaw& law : group.memory_laws) {
    add(law.of == findings::MemoryPeak::reserved ? "memory, reserved" : "memory", law.message);
  }
  return result;
}

constexpr const char* kUnsupported = "~: too few samples to be reliable.";

void add_table(Document& section, const char* title, document::TextTable table) {
  if (table.rows.empty()) return;
  section.emplace_back(Heading{2, title});
  section.emplace_back(std::move(table));
}

const char* iterations_title(const findings::Group& group) {
  if (!group.key.shape.length_mix.empty()) return "Mean iterations over a cycle of batches";
  const bool series = !group.rows.empty() && group.rows.front().distribution.of_series;
  return series ? "Means over series of iterations (sync end)" : "Single iterations";
}

std::string tokens_in_words() {
  return " Padding = share of computed tokens that fill batches up to the longest sample.";
}

}  // namespace

Document short_group_section(const findings::Group& group, const List& findings, bool headed) {
  Document section;
  if (headed) section.emplace_back(Heading{1, group.label});
  section.emplace_back(short_table(group));
  for (const findings::MemoryLaw& law : group.memory_laws) {
    const bool asked = law.largest_batch_size && law.limit_of == "--memory-limit";
    if (asked) section.emplace_back(Paragraph{{{"Memory: " + law.message, Tone::plain}}});
  }
  if (!has_repeats(group)) {
    section.emplace_back(Paragraph{{{kTooFewVisits, Tone::caution}}});
  }
  std::string legend = has_repeats(group) ? intervals_in_words(group) : "";
  if (marks_quantiles(group)) legend += (legend.empty() ? "" : " ") + std::string(kUnsupported);
  legend += means_in_words(group);
  if (!legend.empty()) section.emplace_back(Paragraph{{{legend, Tone::dim}}});
  const std::string set_aside = set_aside_text(group);
  if (!set_aside.empty()) section.emplace_back(KeyValues{{{"excluded", set_aside}}});
  if (!findings.items.empty()) section.emplace_back(findings);
  return section;
}

Document group_section(const findings::Group& group, const List& findings, bool explain) {
  Document section;
  section.emplace_back(Heading{1, group.label});
  section.emplace_back(scaling_table(group));
  const bool repeats = has_repeats(group);
  if (!repeats) {
    section.emplace_back(Paragraph{{{kTooFewVisits, Tone::caution}}});
  }
  const bool mixed = !group.key.shape.length_mix.empty();
  const std::string legend = (explain ? columns_in_words(group) : "") +
                             (repeats ? intervals_in_words(group) : "") + means_in_words(group) +
                             (mixed ? tokens_in_words() : "");
  if (!legend.empty()) section.emplace_back(Paragraph{{{legend, Tone::dim}}});
  if (has_controls(group)) {
    section.emplace_back(
        Paragraph{{{"Later blocks measured the control sizes. Ratios pair visits of the same "
                    "blocks, but times do not: the two may disagree on a machine that drifts.",
                    Tone::dim}}});
  }
  const KeyValues sizes = facts(group);
  if (!sizes.fields.empty()) section.emplace_back(sizes);
  if (!findings.items.empty()) {
    section.emplace_back(Heading{2, "Findings"});
    section.emplace_back(findings);
  }
  add_table(section, iterations_title(group), iterations_table(group));
  if (marks_quantiles(group)) section.emplace_back(Paragraph{{{kUnsupported, Tone::dim}}});
  add_table(section, "Memory and paging", memory_table(group));
  add_table(section, "Phases of an iteration", phases_table(group));
  return section;
}

}  // namespace batchscope::report
