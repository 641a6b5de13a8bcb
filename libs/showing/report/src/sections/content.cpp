#include "content.hpp"

#include <fmt/format.h>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/document/terms.hpp"
#include "batchscope/findings/by_group.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "diagnosis_section.hpp"
#include "findings_section.hpp"
#include "loader_settings.hpp"
#include "loaders_section.hpp"
#include "tuning_section.hpp"

namespace batchscope::report {
namespace {

using document::Block;
using document::Document;
using document::Heading;
using document::Item;
using document::List;
using document::terms_footnote;
using document::Tone;
using findings::Commands;
using findings::findings_elsewhere;
using findings::findings_of;
using findings::inline_estimate;
using findings::p_in_words;
using findings::percent;
using findings::plain;
using findings::Quantity;

void append_to(Document& document, Document section) {
  for (Block& block : section) document.push_back(std::move(block));
}

// "12 blocks in 68 s"; an imported table has neither.
std::string extent(const findings::InputRun& input) {
  std::string text;
  if (input.blocks > 0 && input.end_reason != schema::EndReason::imported) {
    text = base::counted(input.blocks, "complete block");
  }
  if (input.wall_s > 0) {
    const auto wall = base::Nanoseconds(static_cast<int64_t>(input.wall_s * 1e9));
    text += (text.empty() ? "measured in " : " in ") + base::format_duration(wall);
  }
  return text;
}

std::string input_line(const findings::InputRun& input) {
  std::string text = input.path;
  const auto add = [&](const std::string& piece) {
    if (!piece.empty()) text += " · " + piece;
  };
  add(input.host);
  add(input.cpu);
  add(input.created);
  add(extent(input));
  add(end_in_words(input.end_reason));
  if (input.iteration_share > 0) {
    add(percent(input.iteration_share) + " of the time inside model iterations");
  }
  if (input.half_width) {
    add(fmt::format("widest CI ±{} (target ±{})", percent(*input.half_width),
                    percent(input.target)));
  }
  return text;
}

std::string recommended_gain(const findings::Recommendation& recommendation) {
  if (!recommendation.gain) return "";
  const findings::Estimate& gain = *recommendation.gain;
  std::string text =
      fmt::format(", {} more throughput than {}", percent(gain.value), recommendation.gain_against);
  if (!gain.ci) return text + " (no CI: one number each)";
  return text + fmt::format(" [{}, {}]", percent(gain.ci->low), percent(gain.ci->high));
}

std::string verified_words(const findings::Recommendation& recommendation) {
  if (!recommendation.feasible) return "nothing measured meets the bounds";
  if (recommendation.withdrawn) return "withdrawn: not confirmed in separate visits";
  if (!recommendation.verified) return "not verified in separate visits";
  return fmt::format("verified in {} not used to choose it",
                     base::counted(recommendation.fresh_visits, "separate visit"));
}

document::KeyValue recommendation_status(const findings::Recommendation& recommendation) {
  return {"status", fmt::format("for {}; {}; {} of {} measured", recommendation.objective,
                                verified_words(recommendation), recommendation.points_measured,
                                base::counted(recommendation.points_total, "configuration"))};
}

Item recommendation_item(const findings::Recommendation& recommendation) {
  const std::string fallback =
      fmt::format("Set batch size {}.", recommendation.config.shape.batch_size);
  const std::string expected = fmt::format(
      "{} samples/s at {} ms per {}", plain(recommendation.throughput_per_s),
      plain(recommendation.latency_ms), recommendation.config.accumulation > 1 ? "step" : "batch");
  return {{{"Recommended: ", Tone::good},
           {recommendation.message.empty() ? fallback : recommendation.message, Tone::strong}},
          {{"expect", expected + recommended_gain(recommendation)},
           recommendation_status(recommendation)}};
}

std::string comparison_details(const findings::Comparison& comparison) {
  return fmt::format("{} → {}: time ratio {}, {}, n = {}, {}, {}", comparison.base,
                     comparison.other, inline_estimate(comparison.ratio, Quantity::ratio),
                     to_string(comparison.test), comparison.n, p_in_words(comparison.p_value),
                     comparison.significant ? "significant" : "not significant");
}

// Comparisons that lead the answer stand before the tables of what they compare.
bool leads_by_comparison(const findings::Summary& summary) {
  return summary.answer.kind == findings::AnswerKind::comparison;
}

Document short_comparisons(const std::vector<findings::Comparison>& comparisons) {
  Document section = comparisons_section(comparisons);
  for (Block& block : section) {
    auto* const list = std::get_if<List>(&block);
    if (list == nullptr) continue;
    for (Item& item : list->items) item.fields.clear();
  }
  return section;
}

// With what its terms mean, in the colours that the answer allows.
Document finished(const findings::Summary& summary, Document document) {
  append_to(document, terms_footnote(document));
  paint_by_answer(summary.answer, document);
  return document;
}

// With the setting that each is of, unless it says so itself.
List findings_of_settings(const findings::Summary& summary) {
  std::vector<findings::Finding> all;
  for (const findings::Group& group : summary.groups) {
    for (findings::Finding& finding : findings_of(group, summary)) {
      if (!finding.id.starts_with("loader.")) {
        finding.what = base::in_one_line(group.table, finding.what);
      }
      all.push_back(std::move(finding));
    }
  }
  return findings_list(all);
}

Document short_groups(const findings::Summary& summary) {
  if (const auto settings = as_loader_settings(summary.groups)) {
    Document document = short_group_section(*settings, findings_of_settings(summary), true);
    name_settings(summary.groups, document);
    return document;
  }
  Document document;
  const bool headed = !summary.groups.empty();
  for (const findings::Group& group : summary.groups) {
    append_to(document,
              short_group_section(group, findings_list(findings_of(group, summary)), headed));
  }
  return document;
}

Document short_tables(const findings::Summary& summary) {
  Document document = short_groups(summary);
  const std::vector<findings::Finding> elsewhere = findings_elsewhere(summary);
  if (!elsewhere.empty()) {
    document.emplace_back(Heading{1, "Further findings"});
    document.emplace_back(findings_list(elsewhere));
  }
  return document;
}

}  // namespace

std::string end_in_words(const schema::OpenEnum<schema::EndReason>& reason) {
  using schema::EndReason;
  if (reason == EndReason::target_reached) return "stopped: target precision reached";
  if (reason == EndReason::blocks_done) return "stopped: all blocks done";
  if (reason == EndReason::budget) return "stopped: time budget used up";
  if (reason == EndReason::interrupted) return "stopped: interrupted";
  if (reason == EndReason::imported) return "imported: measured elsewhere";
  if (reason == EndReason::nothing_left) return "stopped: no configuration left";
  return reason.empty() ? "" : fmt::format("stopped: {}", reason.text());
}

Document short_content(const findings::Summary& summary) {
  Document document = answer_section(summary.answer);
  // A search for the largest batch has words alone.
  if (summary.groups.empty()) append_to(document, short_section(summary));
  if (leads_by_comparison(summary)) append_to(document, short_comparisons(summary.comparisons));
  append_to(document, loaders_section(summary.loaders));
  append_to(document, short_tables(summary));
  append_to(document, tuning_fronts(summary.tunings));
  if (!leads_by_comparison(summary)) append_to(document, short_comparisons(summary.comparisons));
  append_to(document, warnings_section(summary.warnings));
  return finished(summary, std::move(document));
}

Document inputs_section(const findings::Summary& summary) {
  return base::mapped(summary.inputs, [](const findings::InputRun& input) {
    return Block(document::Paragraph{{{input_line(input), Tone::dim}}});
  });
}

Document short_section(const findings::Summary& summary) {
  if (summary.words.empty() && summary.recommendations.empty()) return {};
  List list;
  for (const std::string& sentence : summary.words) {
    list.items.push_back({{{sentence, Tone::plain}}, {}});
    for (const findings::Recommendation& each : summary.recommendations) {
      if (sentence != each.message) continue;
      list.items.back() = {{{sentence, Tone::good}}, {recommendation_status(each)}};
    }
  }
  for (const findings::Recommendation& each : summary.recommendations) {
    // The words may have said it, in its place among them and with all figures.
    const bool stated = base::contains(summary.words, each.message);
    if (!stated) list.items.push_back(recommendation_item(each));
  }
  return {Heading{1, "In short"}, list};
}

Document comparisons_section(const std::vector<findings::Comparison>& comparisons) {
  if (comparisons.empty()) return {};
  List list;
  for (const findings::Comparison& comparison : comparisons) {
    const Tone tone = !comparison.significant      ? Tone::plain
                      : comparison.ratio.value < 1 ? Tone::good
                                                   : Tone::bad;
    list.items.push_back(
        {{{comparison.message, tone}}, {{comparison.axis, comparison_details(comparison)}}});
  }
  return {Heading{1, "Comparisons"}, list};
}

Document warnings_section(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return {};
  return {Heading{1, "Warnings"}, document::sentences(warnings, Tone::caution)};
}

Document content(const findings::Summary& summary, const Commands& commands) {
  Document document = answer_section(summary.answer);
  append_to(document, inputs_section(summary));
  append_to(document, short_section(summary));
  append_to(document, loaders_section(summary.loaders));
  append_to(document, tuning_section(summary.tunings));
  std::optional<int64_t> explained_base;
  for (const findings::Group& group : summary.groups) {
    const bool explain = explained_base != group.base_batch_size;
    const List found = findings_list(findings_of(group, summary));
    append_to(document, group_section(group, found, explain));
    append_to(document, changing_operations(group));
    explained_base = group.base_batch_size;
  }
  const std::vector<findings::Finding> elsewhere = findings_elsewhere(summary);
  if (!elsewhere.empty()) {
    document.emplace_back(Heading{1, summary.groups.size() == 1 ? "Further findings" : "Findings"});
    document.emplace_back(findings_list(elsewhere));
  }
  append_to(document, comparisons_section(summary.comparisons));
  append_to(document, warnings_section(summary.warnings));
  append_to(document, next_section(summary, commands));
  return finished(summary, std::move(document));
}

}  // namespace batchscope::report
