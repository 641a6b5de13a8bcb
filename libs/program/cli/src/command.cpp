#include "command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "batchscope/engine/description.hpp"

namespace batchscope::cli {
namespace {

// What stands for the value of a flag in help and completion, where CLI11 knows only
// that it is text. The same flag takes the same in every verb.
const std::map<std::string, std::string>& value_words() {
  static const std::map<std::string, std::string> kWords = {
      {"--accumulation", "NUMBERS"},
      {"--batch-sizes", "SIZES"},
      {"--ceilings", "FILE"},
      {"--charts", "FOLDER"},
      {"--checkpointing", "off|on"},
      {"--commit", "COMMIT"},
      {"--device", "DEVICE"},
      {"--dir", "FOLDER"},
      {"--env", "NAME=VALUE"},
      {"--export", "yaml|env|triton|tei"},
      {"--fail-on", "info|low|medium|high"},
      {"--fail-on-regression", "SHARE"},
      {"--input", "INPUT"},
      {"--instances", "NUMBERS"},
      {"--junit", "FILE"},
      {"--latency-budget", "TIME"},
      {"--level", "SHARE"},
      {"--loader", "SOURCE"},
      {"--loader-workers", "NUMBERS"},
      {"--margin", "SHARE"},
      {"--max-delay", "TIME"},
      {"--memory-limit", "BYTES"},
      {"--mode", "infer|train"},
      {"--model", "MODEL"},
      {"--noise", "SHARE"},
      {"--optimizer", "sgd|adamw"},
      {"--output", "FILE"},
      {"--p99", "TIME"},
      {"--param", "NAME=VALUE"},
      {"--pin-memory", "off|on"},
      {"--practical", "SHARE"},
      {"--precision", "fp32|bf16|fp16"},
      {"--python", "PATH"},
      {"--prefetch", "NUMBERS"},
      {"--prefetch-to-device", "off|on"},
      {"--rate", "RATE"},
      {"--replay", "FILE"},
      {"--run", "FILE"},
      {"--seq-lens", "LENGTHS"},
      {"--start-method", "fork|spawn|forkserver"},
      {"--text-lengths", "LENGTHS"},
      {"--texts", "FILE"},
      {"--threads", "NUMBERS"},
      {"--token-budget", "NUMBERS"},
      {"--tokenizer", "FILE"},
      {"--tokenizer-threads", "NUMBERS"},
      {"--unit", "ns|us|ms|s"},
      {"--wait-for-quiet", "TIME"},
      {"--baseline", "FILE"},
      {"--candidate", "FILE"},
  };
  return kWords;
}

// Of a flag that takes a file in one verb, and something else in another.
constexpr const char* kFileWord = "FILE";

std::string engine_names() {
  std::vector<std::string> names;
  for (const engine::EngineDescription& each : engine::own_engines()) names.push_back(each.name);
  return fmt::format("{}", fmt::join(names, "|"));
}

void name_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (type != "TEXT" && option->get_fnames().empty()) continue;
    const auto word = value_words().find(option->get_name());
    if (word != value_words().end() && type != kFileWord) option->type_name(word->second);
    if (option->get_name() == "--engine") option->type_name(engine_names());
  }
}

}  // namespace

bool Command::parse(const std::vector<std::string>& arguments, int& exit) {
  name_values(app());
  groups(kFlagGroups);
  merge(kMergedFlags);
  return commandline::Command::parse(arguments, exit);
}

base::Log make_log(bool quiet) {
  return base::Log(quiet ? base::LogLevel::quiet : base::LogLevel::normal);
}

}  // namespace batchscope::cli
