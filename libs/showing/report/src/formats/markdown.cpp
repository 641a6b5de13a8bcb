#include "batchscope/report/markdown.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/document/markdown.hpp"
#include "batchscope/document/terms.hpp"
#include "sections/content.hpp"
#include "sections/report_sections.hpp"

namespace batchscope::report {
namespace {

using document::Block;
using document::Document;
using document::Heading;

// "forward_pass_time" -> "forward pass time".
std::string title_of(const std::filesystem::path& chart) {
  std::string title = chart.stem().string();
  std::replace(title.begin(), title.end(), '_', ' ');
  return title;
}

Document charts_section(const std::vector<std::filesystem::path>& charts) {
  Document section;
  for (const std::filesystem::path& chart : charts) {
    std::filesystem::path vector_twin = chart;
    vector_twin.replace_extension(".svg");
    const bool has_twin = chart.extension() != ".svg" && base::contains(charts, vector_twin);
    if (!has_twin) section.emplace_back(document::Image{title_of(chart), chart.generic_string()});
  }
  if (!section.empty()) section.insert(section.begin(), Heading{1, "Charts"});
  return section;
}

// Sections of a report have a title of level 1 each, so what stands in them goes one down.
Document below_title(Document document) {
  for (Block& block : document) {
    if (auto* heading = std::get_if<Heading>(&block)) ++heading->level;
  }
  return document;
}

Document images_of(Document images) {
  std::erase_if(images, [](const Block& block) { return std::holds_alternative<Heading>(block); });
  return images;
}

void append(Document& document, Document more) {
  std::move(more.begin(), more.end(), std::back_inserter(document));
}

}  // namespace

std::string markdown(const findings::Summary& summary, const MarkdownOptions& options) {
  Document reported{Heading{0, "Batch size analysis"}};
  append(reported, options.details ? content(summary, options.commands) : short_content(summary));
  append(reported, charts_section(options.charts));
  return document::render_markdown(reported);
}

std::string markdown_report(const findings::Summary& summary, std::span<const schema::RunFile> runs,
                            const MarkdownReportOptions& options) {
  Document reported{Heading{0, report_title(summary)}};
  append(reported, answer_section(summary.answer));
  append(reported, inputs_section(summary));
  if (options.redacted)
    reported.emplace_back(document::Paragraph{{{kRedacted, document::Tone::dim}}});
  const std::vector<Section> sections =
      report_sections(summary, runs, options.commands, options.traces);
  for (const Section& section : sections) {
    const Document images = section.charts ? images_of(charts_section(options.charts)) : Document{};
    if (section.content.empty() && images.empty()) continue;
    reported.emplace_back(Heading{1, section.title});
    append(reported, below_title(section.content));
    append(reported, below_title(section.below));
    append(reported, images);
  }
  append(reported, document::terms_footnote(reported_in(sections)));
  return document::render_markdown(reported);
}

}  // namespace batchscope::report
