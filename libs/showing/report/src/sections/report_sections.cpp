#include "report_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/findings/by_group.hpp"
#include "causes_section.hpp"
#include "content.hpp"
#include "diagnosis_section.hpp"
#include "findings_section.hpp"
#include "loaders_section.hpp"
#include "probes_section.hpp"
#include "sections/traces_section.hpp"
#include "tuning_section.hpp"

namespace batchscope::report {
namespace {

using document::Block;
using document::Document;
using document::Heading;
using findings::label_of;

constexpr std::size_t kMostModelsInTitle = 3;

// Sections of the text report open with the heading that here is the section's own.
Document without_heading(Document document) {
  if (!document.empty() && std::holds_alternative<Heading>(document.front())) {
    document.erase(document.begin());
  }
  return document;
}

// What to set comes first, then what else there is to know.
Document headline(const findings::Summary& summary) {
  Document document = without_heading(short_section(summary));
  for (Block& block : document) {
    if (auto* list = std::get_if<document::List>(&block)) {
      std::stable_partition(list->items.begin(), list->items.end(),
                            [](const document::Item& item) { return !item.fields.empty(); });
    }
  }
  return document;
}

Document findings(const findings::Summary& summary) {
  std::vector<findings::Finding> named = summary.findings;
  // They have a section of their own.
  std::erase_if(named, is_cause);
  if (named.empty()) {
    if (summary.groups.empty()) return {};
    return {document::Paragraph{{{no_outliers(summary), document::Tone::plain}}}};
  }
  for (findings::Finding& finding : named) {
    const std::string label = label_of(finding, summary.groups);
    finding.what = base::in_one_line(label, finding.what);
  }
  return {findings_list(named)};
}

// What was found, the charts, and then the tables they are drawn from.
Section tuning(const std::vector<findings::Tuning>& tunings) {
  Section section{"tuning", "Tuning", without_heading(tuning_section(tunings)), false};
  const auto first_table =
      std::find_if(section.content.begin(), section.content.end(),
                   [](const Block& block) { return std::holds_alternative<Heading>(block); });
  section.below.assign(std::make_move_iterator(first_table),
                       std::make_move_iterator(section.content.end()));
  section.content.erase(first_table, section.content.end());
  for (Block& block : section.below) {
    if (auto* heading = std::get_if<Heading>(&block)) --heading->level;
  }
  section.tuning_charts = !section.content.empty();
  return section;
}

Document tables(const findings::Summary& summary) {
  Document document;
  std::optional<int64_t> explained_base;
  for (const findings::Group& group : summary.groups) {
    Document section = group_section(group, {}, explained_base != group.base_batch_size);
    std::move(section.begin(), section.end(), std::back_inserter(document));
    explained_base = group.base_batch_size;
  }
  return document;
}

}  // namespace

Document reported_in(const std::vector<Section>& sections) {
  Document all;
  for (const Section& section : sections) {
    all.insert(all.end(), section.content.begin(), section.content.end());
    all.insert(all.end(), section.below.begin(), section.below.end());
  }
  return all;
}

std::string report_title(const findings::Summary& summary) {
  std::vector<std::string> models;
  for (const findings::Group& group : summary.groups) base::add_if_new(models, group.key.model);
  std::string title = "Batch size report";
  for (std::size_t i = 0; i < std::min(models.size(), kMostModelsInTitle); ++i) {
    title += (i == 0 ? ": " : ", ") + models[i];
  }
  if (models.size() > kMostModelsInTitle) {
    title += fmt::format(" and {} more", models.size() - kMostModelsInTitle);
  }
  return title;
}

std::vector<Section> report_sections(const findings::Summary& summary,
                                     std::span<const schema::RunFile> runs,
                                     const findings::Commands& commands,
                                     std::span<const advice::NamedTrace> traces) {
  std::vector<Section> all = {
      {"summary", "In short", headline(summary), false},
      tuning(summary.tunings),
      {"findings", "Findings", findings(summary), false},
      {"causes", "Causes", causes_section(summary, runs, commands), false},
      {"traces", "Where the time of the traced iterations went", traces_section(traces), false},
      {"loaders", "Loader", without_heading(loaders_section(summary.loaders)), false},
      {"probes", "Sizes tried", probes_section(runs), false},
      {"charts", "Charts", {}, !summary.groups.empty()},
      {"comparisons", "Comparisons", without_heading(comparisons_section(summary.comparisons)),
       false},
      {"tables", "Tables", tables(summary), false},
      {"operations", "Operators, kernels and the process", diagnosis_section(summary), false},
      {"warnings", "Warnings", without_heading(warnings_section(summary.warnings)), false},
      {"next", "What to measure next", without_heading(next_section(summary, commands)), false},
      {"machine", "Machine and method", machine_section(runs, summary), false},
      {"reproduce", "How to reproduce", reproduce_section(runs, summary, commands), false}};
  std::erase_if(all, [](const Section& one) { return one.content.empty() && !one.charts; });
  for (Section& section : all) {
    paint_by_answer(summary.answer, section.content);
    paint_by_answer(summary.answer, section.below);
  }
  return all;
}

}  // namespace batchscope::report
