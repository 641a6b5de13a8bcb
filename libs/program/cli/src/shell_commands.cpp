#include "shell_commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "batchscope/engine/description.hpp"
#include "batchscope/schema/axes.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::cli {
namespace {

using findings::CommandLine;

void add(CommandLine& words, const CommandLine& more) {
  words.insert(words.end(), more.begin(), more.end());
}

CommandLine words_of(const schema::Argument& argument) {
  if (argument.value.empty()) return {argument.flag};
  return {argument.flag, argument.value};
}

// What asks for the axes of a table, but for what a command takes by itself: the usual engine, and
// that of a table measured elsewhere, which is none.
void add_axes(CommandLine& words, const schema::RunConfig& setting) {
  const bool usual =
      setting.engine == engine::own_engines().front().name || !schema::states_engine(setting);
  for (const schema::Axis& axis : schema::axes()) {
    if (axis.id == schema::AxisId::engine && usual) continue;
    for (const schema::Argument& each : axis.arguments(setting)) add(words, words_of(each));
  }
}

CommandLine measure(const findings::Measurement& wanted) {
  CommandLine words = {"batchscope", "profile", "-m", wanted.model};
  for (const std::string& input : wanted.inputs) add(words, {"--input", input});
  add(words, {"-b", fmt::format("{}", fmt::join(wanted.batch_sizes, ","))});
  add_axes(words, wanted.setting);
  add(words, {"-o", wanted.run});
  if (wanted.blocks) add(words, {"--blocks", fmt::format("{}", *wanted.blocks)});
  return words;
}

// "results/run.jsonl" -> "results/run_why.jsonl": nothing that exists is overwritten.
std::string beside(const std::filesystem::path& path, const char* what) {
  std::filesystem::path other = path;
  other.replace_filename(path.stem().string() + "_" + what + path.extension().string());
  return other.string();
}

bool is_of(const CommandLine& words, const char* verb) {
  return words.size() > 1 && words[1] == verb;
}

// Takes the flag with its values out, however they were typed; whether it was there.
std::vector<std::string> take_out(CommandLine& words, const std::vector<std::string>& names) {
  std::vector<std::string> values;
  for (std::size_t i = 2; i < words.size();) {
    const std::size_t equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      ++i;
      continue;
    }
    if (equals != std::string::npos) values.push_back(words[i].substr(equals + 1));
    std::size_t end = i + 1;
    while (equals == std::string::npos && end < words.size() && !words[end].starts_with("-")) {
      values.push_back(words[end++]);
    }
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i),
                words.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return values;
}

// What a run writes to where -o is not typed.
const char* usual_file(bool tunes) {
  return tunes ? "tune.jsonl" : "batch_profile.jsonl";
}

bool is_short_flag(const std::string& word) {
  return word.size() > 2 && word[0] == '-' &&
         std::isalpha(static_cast<unsigned char>(word[1])) != 0;
}

// "-b1,2" -> "-b", "1,2", and "-qb1,2" -> "-q", "-b", "1,2": of the short flags of `profile` and
// `tune`, only -q takes no value.
CommandLine set_apart(const CommandLine& typed) {
  CommandLine words;
  for (std::string word : typed) {
    while (is_short_flag(word)) {
      words.push_back(word.substr(0, 2));
      word = (words.back() == "-q" ? "-" : "") + word.substr(2);
    }
    words.push_back(word);
  }
  return words;
}

// The command that made the run, into a file beside its own.
CommandLine again_beside(const schema::Header& header, const char* what, const char* usual) {
  CommandLine words = set_apart(header.command_line);
  std::erase_if(words, [](const std::string& word) {
    return word == "--overwrite" || word == "--resume" || word == "--force";
  });
  take_out(words, {"--on-existing"});
  const CommandLine files = take_out(words, {"-o", "--output"});
  words.insert(words.end(), {"-o", beside(files.empty() ? usual : files.front(), what)});
  return words;
}

CommandLine again(const findings::Again& wanted) {
  const CommandLine& typed = wanted.header.command_line;
  const bool tunes = is_of(typed, "tune");
  if (!tunes && !is_of(typed, "profile")) return {};
  CommandLine words = again_beside(wanted.header, "more", usual_file(tunes));
  if (!wanted.batch_sizes.empty()) {
    take_out(words, {"-b", "--batch-sizes"});
    add(words, {"-b", fmt::format("{}", fmt::join(wanted.batch_sizes, ","))});
  }
  if (wanted.blocks) {
    const std::string flag = tunes ? "--verify-blocks" : "--blocks";
    take_out(words, {flag});
    add(words, {flag, fmt::format("{}", *wanted.blocks)});
  }
  if (wanted.visit_s) {
    take_out(words, {"--min-visit-time", "--iterations"});
    add(words, {"--min-visit-time", fmt::format("{}s", *wanted.visit_s)});
  }
  if (wanted.budget_s) {
    take_out(words, {"--budget"});
    add(words, {"--budget", fmt::format("{}s", *wanted.budget_s)});
  }
  if (wanted.waits_for_quiet) {
    take_out(words, {"--wait-for-quiet"});
    add(words, {"--wait-for-quiet", "60s"});
  }
  return words;
}

// Where its own command line has the file of a run; `usual` where it says nothing.
std::string file_of(const CommandLine& typed, const std::string& usual) {
  CommandLine words = set_apart(typed);
  const CommandLine files = take_out(words, {"-o", "--output"});
  return files.empty() ? usual : files.front();
}

CommandLine resume(const findings::Resumed& wanted) {
  const CommandLine& typed = wanted.header.command_line;
  const bool tunes = is_of(typed, "tune");
  if (!tunes && !is_of(typed, "profile")) return {};
  CommandLine resumed = {"batchscope", typed[1]};
  const bool sized = std::find(typed.begin(), typed.end(), "--max-batch-only") != typed.end();
  if (sized) resumed.emplace_back("--max-batch-only");
  const std::string usual = sized ? "max-batch.jsonl" : usual_file(tunes);
  add(resumed,
      {"--on-existing", "resume", "-o", wanted.run.empty() ? file_of(typed, usual) : wanted.run});
  return resumed;
}

CommandLine check_machine() {
  return {"batchscope", "doctor"};
}

// The command that made the run, with what looks for causes added; nothing of another kind of run.
CommandLine diagnose(const schema::Header& header) {
  if (!is_of(header.command_line, "profile")) return {};
  CommandLine words = again_beside(header, "why", usual_file(false));
  take_out(words, {"--diagnose"});
  add(words, {"--diagnose"});
  return words;
}

CommandLine import_again(const std::string& run) {
  return {"batchscope", "import", "table.csv", "-o", run, "--overwrite"};
}

CommandLine report_of(const std::vector<std::string>& runs) {
  CommandLine words = {"batchscope", "report"};
  add(words, runs);
  add(words, {"-o", "report.html"});
  return words;
}

}  // namespace

findings::Commands shell_commands() {
  return {measure, again, diagnose, resume, import_again, report_of, check_machine};
}

}  // namespace batchscope::cli
