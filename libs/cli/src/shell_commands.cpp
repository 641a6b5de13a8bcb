#include "shell_commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "batchscope/engine/description.hpp"
#include "batchscope/schema/axes.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "subject_flags.hpp"

namespace batchscope::cli {
namespace {

using report::Words;

void add(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

Words words_of(const schema::Argument& argument) {
  const std::string flag = flag_named(argument.name);
  // This one says its value.
  if (argument.name == base::name_in_table(base::Subject::normalize)) return {flag};
  return {flag, argument.value};
}

// What asks for the axes of a table, but for what a command takes by itself: the usual engine, and
// that of a table measured elsewhere, which is none.
void add_axes(Words& words, const schema::RunConfig& setting) {
  const bool usual =
      setting.engine == engine::own_engines().front().name || !schema::states_engine(setting);
  for (const schema::Axis& axis : schema::axes()) {
    if (axis.id == schema::AxisId::engine && usual) continue;
    for (const schema::Argument& each : axis.arguments(setting)) add(words, words_of(each));
  }
}

Words measure(const report::Measurement& wanted) {
  Words words = {"batchscope", "profile", "-m", wanted.model};
  for (const std::string& input : wanted.inputs) add(words, {"--input", input});
  add(words, {"-b", fmt::format("{}", fmt::join(wanted.batch_sizes, ","))});
  add_axes(words, wanted.setting);
  add(words, {"-o", wanted.run});
  if (wanted.blocks) add(words, {"--blocks", fmt::format("{}", *wanted.blocks)});
  return words;
}

// "results/run.jsonl" -> "results/run_why.jsonl": `profile` refuses to overwrite.
std::string beside(const std::filesystem::path& path) {
  std::filesystem::path other = path;
  other.replace_filename(path.stem().string() + "_why" + path.extension().string());
  return other.string();
}

// The command that made the run, with what looks for causes added; nothing of another kind of run.
Words diagnose(const schema::Header& header) {
  Words words = header.command_line;
  if (words.size() < 2 || words[1] != "profile") return {};
  std::erase_if(words, [](const std::string& word) {
    return word == "--overwrite" || word == "--resume" || word == "--force";
  });
  bool named = false;
  for (std::size_t i = 2; i + 1 < words.size(); ++i) {
    if (words[i] != "-o" && words[i] != "--output") continue;
    words[i + 1] = beside(words[i + 1]);
    named = true;
  }
  add(words, {"--diagnose"});
  if (!named) add(words, {"-o", "batch_profile_why.jsonl"});
  return words;
}

Words import_again(const std::string& run) {
  return {"batchscope", "import", "table.csv", "-o", run, "--overwrite"};
}

Words report_of(const std::vector<std::string>& runs) {
  Words words = {"batchscope", "report"};
  add(words, runs);
  add(words, {"-o", "report.html"});
  return words;
}

}  // namespace

report::Commands shell_commands() {
  return {measure, diagnose, import_again, report_of, flag_of};
}

}  // namespace batchscope::cli
