#include "batchscope/base/subject.hpp"

#include <array>
#include <cstddef>

namespace batchscope::base {
namespace {

constexpr std::string_view kMark = "\u2063";

// In the order of the enumeration.
constexpr std::array<std::string_view, 67> kNames{
    "",
    "accumulation",
    "arrivals",
    "batch_sizes",
    "blocks",
    "budget",
    "calibrate",
    "ceilings",
    "charts",
    "checkpointing",
    "controls",
    "current_batch_size",
    "device",
    "diagnose",
    "diagnose_budget",
    "dry_run",
    "effective_batch",
    "engine",
    "export",
    "force",
    "forget_ceilings",
    "format",
    "input",
    "instances",
    "isolation",
    "iterations",
    "latency_budget",
    "latency_quantile",
    "lengths",
    "loader",
    "loader_workers",
    "max_batch_only",
    "max_batch_size",
    "measured_instances",
    "memory_limit",
    "min_visit_time",
    "mode",
    "model",
    "models",
    "optimizer",
    "order",
    "overwrite",
    "p99",
    "padding",
    "pipeline",
    "pooling",
    "precision",
    "prefetch",
    "prefetch_to_device",
    "rate",
    "replay",
    "requests",
    "resume",
    "seed",
    "seq_lens",
    "steps",
    "sync",
    "target",
    "text_lengths",
    "texts",
    "threads",
    "timeout",
    "tokenizer",
    "tokenizer_threads",
    "unit",
    "verify_blocks",
    "verify_causes",
};

static_assert(kNames.size() == static_cast<std::size_t>(Subject::verify_causes) + 1);

// none for what is no name.
Subject subject_of(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Subject>(i);
  }
  return Subject::none;
}

}  // namespace

std::string name_of(Subject subject) {
  return std::string(kNames[static_cast<std::size_t>(subject)]);
}

std::string mention(Subject subject) {
  return std::string(kMark).append(name_of(subject)).append(kMark);
}

std::string spell(std::string_view text, Spelling spelling) {
  std::string spelt;
  for (std::size_t at = text.find(kMark); at != text.npos; at = text.find(kMark)) {
    const std::string_view rest = text.substr(at + kMark.size());
    const std::string_view name = rest.substr(0, rest.find(kMark));
    const Subject subject = name.size() < rest.size() ? subject_of(name) : Subject::none;
    spelt += text.substr(0, at);
    if (subject == Subject::none) {
      spelt += kMark;
      text = rest;
    } else {
      spelt += spelling(subject);
      text = rest.substr(name.size() + kMark.size());
    }
  }
  return spelt.append(text);
}

}  // namespace batchscope::base
