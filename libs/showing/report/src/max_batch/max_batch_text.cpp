#include "batchscope/api/recorded_search.hpp"

#include <fmt/format.h>

#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/document/csv.hpp"
#include "batchscope/report/markdown.hpp"

namespace batchscope::api {
namespace {

base::Result<capacity::MaxBatchResult> found_in(const schema::RunFile& run,
                                                const findings::Commands& commands,
                                                const std::string& path) {
  const auto plan = capacity::read_max_batch_plan(run.header);
  if (!plan) return plan.error();
  return capacity::max_batch_result(run, *plan, commands, path);
}

std::string peak_of(const schema::Probe& probe) {
  return probe.peak_bytes ? base::format_bytes(*probe.peak_bytes) : "-";
}

std::string tries_text(const capacity::MaxBatchResult& result) {
  std::string text = "\nEvery size that was tried, in order\n";
  for (const capacity::FoundBatch& found : result.found) {
    if (result.found.size() > 1) {
      text += "\n" + schema::describe(schema::without_batch_size(found.config)) + "\n";
    }
    text +=
        fmt::format("  {:>10}  {:<8}  {:<22}  {:>10}\n", "batch size", "why", "outcome", "peak");
    for (const schema::Probe& probe : found.probes) {
      text +=
          fmt::format("  {:>10}  {:<8}  {:<22}  {:>10}  {}\n", probe.batch_size,
                      probe.purpose.text(), probe.outcome.text(), peak_of(probe), probe.message);
    }
  }
  return text;
}

std::string tries_csv(const capacity::MaxBatchResult& result) {
  std::string text =
      "model,device,precision,mode,checkpointing,batch_size,purpose,outcome,peak_bytes,limit_bytes,"
      "message\n";
  for (const capacity::FoundBatch& found : result.found) {
    const schema::RunConfig& config = found.config;
    for (const schema::Probe& probe : found.probes) {
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", document::csv_text(config.model),
                      document::csv_text(config.device), schema::to_string(config.precision),
                      schema::to_string(config.mode), config.checkpointing ? "on" : "off",
                      probe.batch_size, probe.purpose.text(), probe.outcome.text(),
                      probe.peak_bytes ? fmt::format("{}", *probe.peak_bytes) : std::string(),
                      probe.limit_bytes > 0 ? fmt::format("{}", probe.limit_bytes) : std::string(),
                      document::csv_text(probe.message));
    }
  }
  return text;
}

}  // namespace

base::Result<findings::Summary> summary_of_search(const schema::RunFile& run,
                                                  const findings::Commands& commands,
                                                  const std::string& path) {
  const auto result = found_in(run, commands, path);
  if (!result) return result.error();
  findings::Summary summary;
  summary.answer = result->answer;
  const std::string text = capacity::found_text(*result);
  for (const std::string_view line : base::split(text, '\n')) {
    const std::string words(base::trim(line));
    if (!words.empty()) summary.words.push_back(words);
  }
  summary.warnings = result->warnings;
  return summary;
}

std::string max_batch_text(const capacity::MaxBatchResult& result,
                           const document::TextStyle& style) {
  const std::string answer = report::answer_text(result.answer, style);
  if (style.extent == document::Extent::answer) return answer;
  return answer + "\n" + base::visible(capacity::found_text(result));
}

base::Result<std::string> search_in_format(const schema::RunFile& run, Format format,
                                           const findings::Commands& commands,
                                           const document::TextStyle& style,
                                           const std::string& path) {
  if (format == Format::md) {
    const auto summary = summary_of_search(run, commands, path);
    if (!summary) return summary.error();
    return report::markdown_report(*summary, std::span(&run, 1), {.commands = commands});
  }
  const auto result = found_in(run, commands, path);
  if (!result) return result.error();
  if (format == Format::json) return capacity::max_batch_json(*result);
  if (format == Format::csv) return tries_csv(*result);
  const std::string text = max_batch_text(*result, style);
  const bool all = style.extent == document::Extent::all;
  return all ? text + base::visible(tries_text(*result)) : text;
}

}  // namespace batchscope::api
