#include "max_batch_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/units.hpp"

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
  answer.next = "Measure how fast the sizes up to it are.";
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

void put_safe(const MaxBatchResult& result, const FoundBatch& found, Answer& answer) {
  answer.confidence = Confidence::verified;
  answer.setting = setting_of(*found.safe);
  answer.config = found.config;
  answer.config->shape.batch_size = *found.safe;
  answer.headline =
      fmt::format("Use at most batch {}; the largest that fits is {}", *found.safe, found.largest);
  answer.sure = fmt::format("it leaves {} of the memory free and ran {} iterations",
                            base::format_level(result.plan.margin), found.soak->iterations);
}

void put_largest(const FoundBatch& found, Answer& answer) {
  answer.confidence = found.complete ? Confidence::shown : Confidence::suspected;
  answer.setting = setting_of(found.largest);
  answer.config = found.config;
  answer.config->shape.batch_size = found.largest;
  answer.headline = fmt::format("Batch {} is the largest that {}", found.largest,
                                found.complete ? "fits" : "is known to fit so far");
  answer.sure = found.complete ? "it was tried; no size ran long enough with memory to spare"
                               : "the search is not over";
}

}  // namespace

Answer max_batch_answer(const MaxBatchResult& result, const schema::Header& header,
                        const findings::Commands& commands) {
  Answer answer;
  answer.kind = findings::AnswerKind::largest;
  if (result.found.empty()) {
    answer.headline = "Nothing was tried";
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
      answer.command = findings::shell_command(commands.resume({header}));
    }
  }
  put_lines(answer);
  return answer;
}

}  // namespace batchscope::capacity
