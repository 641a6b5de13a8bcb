#include "batchscope/capacity/max_batch_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/memory_words.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::capacity {
namespace {

using findings::Answer;
using findings::Confidence;

std::string setting_of(int64_t batch_size) {
  return fmt::format("batch {}", batch_size);
}

// How fast the sizes up to that one are, which the search does not tell.
void propose_to_time(const FoundBatch& found, int64_t largest, const schema::Header& header,
                     const findings::Commands& commands, Answer& answer) {
  answer.next = "Measure the speed of the sizes up to this one.";
  findings::Measurement wanted{.setting = schema::without_batch_size(found.config)};
  wanted.model = found.config.model;
  for (const schema::ModelInfo& model : header.models) {
    if (model.name != found.config.model) continue;
    if (!model.path.empty()) wanted.model = model.path;
    wanted.inputs = model.inputs;
  }
  for (int64_t size = 1; size < largest; size *= 2) wanted.batch_sizes.push_back(size);
  wanted.batch_sizes.push_back(largest);
  wanted.run = "batch_profile.jsonl";
  answer.command = findings::shell_command(commands.measure(wanted));
}

// The share of the limit that the safe size leaves free: by its peak, or the margin, where nothing
// but the limit itself was seen. nullopt: the limit that ends it is not known.
std::optional<double> free_share(const schema::MaxBatchSettings& plan, const FoundBatch& found) {
  const auto limit = static_cast<double>(plan.limit_bytes);
  if (!(limit > 0) || found.hit_unknown_limit) return std::nullopt;
  if (!found.soak->peak_bytes) return plan.margin;
  return std::max(0.0, 1 - static_cast<double>(*found.soak->peak_bytes) / limit);
}

// "its peak is 217 MiB of 2.00 GiB, which leaves 89 % free"
std::string room_words(const schema::MaxBatchSettings& plan, const FoundBatch& found) {
  const std::string words = free_words(plan, found);
  const auto peak = found.soak->peak_bytes;
  if (!free_share(plan, found)) return words;
  if (!peak) return "it " + words;
  return fmt::format("its peak is {} of {}, which {}", base::format_bytes(*peak),
                     base::format_bytes(plan.limit_bytes), words);
}

std::string headline_of(const FoundBatch& found) {
  if (is_all_that_was_asked(found)) {
    return fmt::format("Batch {} fits; larger sizes were not tried", *found.safe);
  }
  if (*found.safe == found.largest) {
    return fmt::format("Use at most batch {}, the largest size that fits", *found.safe);
  }
  return fmt::format("Use at most batch {}; batch {} still fits, without the margin of free memory",
                     *found.safe, found.largest);
}

void put_safe(const MaxBatchResult& result, const FoundBatch& found, Answer& answer) {
  const bool known = free_share(result.plan, found).has_value();
  answer.confidence = known ? Confidence::verified : Confidence::shown;
  answer.setting = setting_of(*found.safe);
  answer.config = found.config;
  answer.config->shape.batch_size = *found.safe;
  answer.headline = headline_of(found);
  answer.sure = fmt::format("{}; it ran {}", room_words(result.plan, found),
                            base::counted(found.soak->iterations, "iteration"));
}

void put_largest(const FoundBatch& found, Answer& answer) {
  answer.confidence = found.complete ? Confidence::shown : Confidence::suspected;
  answer.setting = setting_of(found.largest);
  answer.config = found.config;
  answer.config->shape.batch_size = found.largest;
  answer.headline = found.complete
                        ? fmt::format("Batch {} is the largest size that fits", found.largest)
                        : fmt::format("Largest batch confirmed so far: {}", found.largest);
  answer.sure = found.complete ? "it ran; no size passed the endurance test with the margin free"
                               : "the search is not finished";
}

// What leads all that is told of a search for the largest batch: of its first configuration.
Answer max_batch_answer(const MaxBatchResult& result, const schema::Header& header,
                        const findings::Commands& commands, const std::string& path) {
  Answer answer;
  answer.kind = findings::AnswerKind::largest;
  if (result.found.empty()) {
    answer.headline = "No tries yet";
  } else if (const FoundBatch& found = result.found.front(); found.largest == 0) {
    answer.confidence = found.complete ? Confidence::shown : Confidence::cannot_tell;
    answer.headline = "No batch size fits";
    answer.sure = why_none_fits(found, result.plan);
  } else {
    if (found.safe && found.soak) {
      put_safe(result, found, answer);
    } else {
      put_largest(found, answer);
    }
    if (found.complete) {
      propose_to_time(found, found.safe.value_or(found.largest), header, commands, answer);
    } else {
      answer.next = "Continue the search.";
      answer.command = findings::shell_command(commands.resume({header, path}));
    }
  }
  put_lines(answer);
  return answer;
}

}  // namespace

bool is_all_that_was_asked(const FoundBatch& found) {
  return found.bound == MaxBatchBound::at_most && found.safe == found.largest;
}

std::string free_words(const schema::MaxBatchSettings& plan, const FoundBatch& found) {
  const auto share = free_share(plan, found);
  return share ? fmt::format("leaves {} free", findings::percent(*share))
               : std::string("the free memory is unknown");
}

bool is_believed(const FoundBatch& found) {
  return found.above && found.above->outcome == schema::ProbeOutcome::believed_out_of_memory;
}

std::string why_none_fits(const FoundBatch& found, const schema::MaxBatchSettings& plan) {
  const std::string limit = base::format_bytes(plan.limit_bytes);
  if (!found.complete) return "the search is not finished: no size fits so far";
  if (found.bound == MaxBatchBound::ceiling) {
    return fmt::format("batch 1 ran out of memory {} and was not tried again",
                       found.above ? found.above->message : "before");
  }
  if (found.bound == MaxBatchBound::failed) {
    return fmt::format("batch 1 failed: {}", found.above ? found.above->message : "");
  }
  if (is_believed(found)) {
    return fmt::format("batch 1 probably runs out of memory: {}", found.above->message);
  }
  std::string text = fmt::format("not even batch 1 fits into {}", limit);
  if (!found.need) return text;
  if (found.need->outcome == schema::ProbeOutcome::fits && found.need->peak_bytes) {
    const int64_t more = *found.need->peak_bytes - plan.limit_bytes;
    text += fmt::format(": it used {} when more was available",
                        base::format_bytes(*found.need->peak_bytes));
    if (more > 0) text += fmt::format(", {} above the limit", base::format_bytes(more));
  } else if (found.need->outcome == schema::ProbeOutcome::out_of_memory) {
    text += fmt::format(", nor into {}", base::format_bytes(plan.machine_bytes));
  }
  return text;
}

MaxBatchResult max_batch_result(const schema::RunFile& run, const schema::MaxBatchSettings& plan,
                                const findings::Commands& commands, const std::string& path) {
  MaxBatchResult result;
  result.plan = plan;
  if (plan.limit_held) result.limit_kind = run.header.plan.memory_limit_kind;
  result.end_reason = run.end ? run.end->reason.text() : "unfinished";
  result.found = found_batches(run, plan);
  result.warnings = run.header.notes;
  if (run.end && run.end->reason == schema::EndReason::budget) {
    result.warnings.push_back(
        "stopped: the budget ended the search early; continue with "
        "--on-existing resume and a longer --budget");
  }
  result.answer = max_batch_answer(result, run.header, commands, path);
  return result;
}

base::Result<MaxBatchResult> recorded_max_batch(const schema::RunFile& run,
                                                const findings::Commands& commands,
                                                const std::string& path) {
  const auto plan = read_max_batch_plan(run.header);
  if (!plan) return plan.error();
  return max_batch_result(run, *plan, commands, path);
}

}  // namespace batchscope::capacity
