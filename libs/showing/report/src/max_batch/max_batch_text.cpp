#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/memory_words.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/report/max_batch.hpp"
#include "batchscope/report/text.hpp"

namespace batchscope::report {
namespace {

using capacity::FoundBatch;
using capacity::LivedSometimes;
using capacity::MaxBatchBound;
using capacity::MaxBatchResult;
using capacity::MemoryModel;

std::string bytes(double value) {
  return base::format_bytes(std::llround(value));
}

std::string title(const schema::RunConfig& config) {
  return schema::describe(schema::without_batch_size(config)) +
         (config.mode == schema::Mode::train ? "" : ", inference");
}

std::string failed_words(const FoundBatch& found, int64_t above) {
  const std::string message = found.above ? found.above->message : "";
  if (base::is_perhaps_memory(message)) return fmt::format("{} failed: {}", above, message);
  return fmt::format("{} failed for another reason than memory: {}", above, message);
}

// Why no larger one is the answer.
std::string bound_words(const FoundBatch& found, const schema::MaxBatchSettings& plan) {
  if (!found.complete) return "the search is not finished: larger sizes may fit";
  const int64_t above = found.above ? found.above->batch_size : found.largest + 1;
  switch (found.bound) {
    case MaxBatchBound::out_of_memory:
      if (is_believed(found)) {
        return fmt::format("{} probably runs out of memory: {}", above, found.above->message);
      }
      return fmt::format("{} ran out of memory", above);
    case MaxBatchBound::ceiling:
      return fmt::format("{} ran out of memory {} and was not tried again", above,
                         found.above ? found.above->message : "before");
    case MaxBatchBound::failed:
      return failed_words(found, above);
    case MaxBatchBound::at_most:
      return fmt::format("limit not reached: sizes above {} were not allowed",
                         plan.max_batch_size.value_or(found.largest));
    case MaxBatchBound::none:
      break;
  }
  return "";
}

std::string safe_text(const FoundBatch& found, const schema::MaxBatchSettings& plan) {
  const auto line = [](const std::string& number, const std::string& words) {
    return fmt::format("  safe_batch_size  {:>6}  {}\n", number, words);
  };
  if (!found.safe || !found.soak) {
    return line("-", found.complete ? "no size passed the endurance test with the margin free"
                                    : "endurance test not run");
  }
  std::string words = is_all_that_was_asked(found) ? "fits" : free_words(plan, found);
  words +=
      fmt::format("; endurance test: {} in {}", base::counted(found.soak->iterations, "iteration"),
                  base::format_duration(base::Nanoseconds(found.soak->wall_ns)));
  if (found.safe_bytes > 0 && !found.hit_unknown_limit)
    words += fmt::format(" within {}", base::format_bytes(found.safe_bytes));
  if (found.soak->peak_bytes) words += ", peak " + capacity::peak_words(*found.soak);
  return line(fmt::format("{}", *found.safe), words);
}

std::string memory_text(const FoundBatch& found) {
  if (!found.memory) return "";
  const MemoryModel& model = *found.memory;
  std::string text = fmt::format(
      "  memory           intercept {}, slope {} per sample; fit error {} (largest: batch {}, {} "
      "{})\n",
      bytes(model.intercept_bytes), bytes(model.slope_bytes), findings::percent(model.rms_residual),
      model.worst_batch_size, findings::percent(std::abs(model.largest_departure)),
      model.largest_departure < 0 ? "less" : "more");
  if (model.floor_bytes) {
    text += fmt::format("                   up to batch {}, loading the model needs more: {}\n",
                        model.floor_until, base::format_bytes(*model.floor_bytes));
  }
  if (!model.jumps.empty()) {
    text +=
        fmt::format("                   jumps over 10 %: batch {}\n", fmt::join(model.jumps, ", "));
  }
  return text;
}

const FoundBatch* same_without_checkpointing(const MaxBatchResult& result,
                                             const FoundBatch& found) {
  schema::RunConfig plain = found.config;
  plain.checkpointing = false;
  const auto same = std::find_if(result.found.begin(), result.found.end(),
                                 [&](const auto& each) { return each.config == plain; });
  return same == result.found.end() ? nullptr : &*same;
}

std::string checkpointing_text(const MaxBatchResult& result, const FoundBatch& found) {
  if (!found.config.checkpointing || found.largest == 0) return "";
  const auto* const plain = same_without_checkpointing(result, found);
  if (plain == nullptr || plain->largest == 0 || !plain->complete || !found.complete) return "";
  return fmt::format("  checkpointing    {} instead of {}: {:.2f}x the batch size\n", found.largest,
                     plain->largest,
                     static_cast<double>(found.largest) / static_cast<double>(plain->largest));
}

// "192 and 193 lived in 1 of 3 tries": larger than the answer, which has to fit each time.
std::string lived_text(const FoundBatch& found) {
  std::string text;
  for (std::size_t i = 0; i < found.lived_sometimes.size(); ++i) {
    const LivedSometimes& each = found.lived_sometimes[i];
    text += fmt::format("{}{} fit in {} of {} tries", i == 0 ? "" : "; ", each.batch_size,
                        each.lived, each.tries);
  }
  return text.empty() ? "" : fmt::format("  unreliable       {}\n", text);
}

std::string text_of(const MaxBatchResult& result, const FoundBatch& found) {
  std::string text = title(found.config) + "\n";
  if (found.largest == 0) {
    return text + fmt::format("  max_batch_size        0  {}\n", why_none_fits(found, result.plan));
  }
  text += fmt::format("  max_batch_size   {:>6}  fits; {}\n", found.largest,
                      bound_words(found, result.plan));
  text += lived_text(found);
  return text + safe_text(found, result.plan) + memory_text(found) +
         checkpointing_text(result, found);
}

std::string found_text(const MaxBatchResult& result) {
  std::string text = "The largest batch";
  if (result.plan.limit_bytes > 0) {
    text += fmt::format(" within {} ({}{})", base::format_bytes(result.plan.limit_bytes),
                        result.plan.limit_of,
                        result.limit_kind.empty() ? "" : ", enforced by " + result.limit_kind);
  }
  text += "\n";
  for (const FoundBatch& found : result.found) text += "\n" + text_of(result, found);
  return text;
}

std::string peak_of(const schema::Probe& probe) {
  return probe.peak_bytes ? base::format_bytes(*probe.peak_bytes) : "-";
}

std::string tries_words(const MaxBatchResult& result) {
  std::string text = "\nAll sizes tried, in order\n";
  for (const FoundBatch& found : result.found) {
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

}  // namespace

std::string max_batch_text(const MaxBatchResult& result, const document::TextStyle& style) {
  const std::string answer = answer_text(result.answer, style);
  if (style.extent == document::Extent::answer) return answer;
  return answer + "\n" + base::visible(found_text(result));
}

std::string tries_text(const MaxBatchResult& result) {
  return base::visible(tries_words(result));
}

findings::Summary max_batch_summary(const MaxBatchResult& result) {
  findings::Summary summary;
  summary.answer = result.answer;
  const std::string text = found_text(result);
  for (const std::string_view line : base::split(text, '\n')) {
    const std::string words(base::trim(line));
    if (!words.empty()) summary.words.push_back(words);
  }
  summary.warnings = result.warnings;
  return summary;
}

}  // namespace batchscope::report
