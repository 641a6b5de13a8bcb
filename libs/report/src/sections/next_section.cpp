#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "batchscope/schema/axes.hpp"
#include "content.hpp"
#include "document/numbers.hpp"
#include "document/shell_words.hpp"

namespace batchscope::report {
namespace {

// A name of its own for each command: `profile` refuses to overwrite.
std::string output_name(const findings::Summary& summary, std::size_t command) {
  const std::string number = command == 0 ? "" : std::to_string(command + 1);
  std::filesystem::path path("results/run.jsonl");
  if (!summary.inputs.empty()) path = summary.inputs.front().path;
  return path.replace_extension().string() + "_controls" + number + ".jsonl";
}

// What names the model to `profile`: a file by its path and its inputs.
std::string model_flags(const schema::RunConfig& key, const findings::Summary& summary) {
  for (const findings::InputRun& input : summary.inputs) {
    for (const schema::ModelInfo& model : input.models) {
      // An engine has its own file of a model; files of earlier versions do not say which.
      if (model.name != key.model) continue;
      if (!model.engine.empty() && model.engine != key.engine) continue;
      std::string flags = "-m " + shell_word(model.path.empty() ? model.name : model.path);
      for (const std::string& each : model.inputs) flags += " --input " + shell_word(each);
      return flags;
    }
  }
  return "-m " + shell_word(key.model);
}

// What asks for the axes of a table, but for what a command takes by itself: the usual engine, and
// that of a table measured elsewhere, which is none.
std::string axis_flags(const schema::RunConfig& key) {
  std::string flags;
  for (const schema::Axis& axis : schema::axes()) {
    const bool usual = key.engine == "torch" || key.engine == "imported";
    if (axis.id == schema::AxisId::engine && usual) continue;
    for (const schema::Argument& argument : axis.arguments(key)) {
      flags += fmt::format(" {}", argument.flag);
      if (!argument.value.empty()) flags += " " + shell_word(argument.value);
    }
  }
  return flags;
}

// The group's sizes and those wanted together: contrasts are paired within one run.
std::string profile_command(const findings::Group& group, const findings::Summary& summary,
                            const std::vector<int64_t>& wanted, const std::string& output) {
  std::set<int64_t> sizes(wanted.begin(), wanted.end());
  for (const findings::ConfigRow& row : group.rows) sizes.insert(row.config.shape.batch_size);
  const std::string command = fmt::format("batchscope profile {} -b {}",
                                          model_flags(group.key, summary), fmt::join(sizes, ","));
  return command + axis_flags(group.key) + " -o " + shell_word(output);
}

bool lacks_repeats(const findings::Group& group) {
  return std::none_of(group.rows.begin(), group.rows.end(),
                      [](const findings::ConfigRow& row) { return row.n > 1; });
}

// What would turn the suspicions about a table measured elsewhere into answers: the same here, with
// repeats, or repeats from the tool that made it.
Document repeats_of_a_table(const findings::Group& group, const findings::Summary& summary,
                            std::size_t command) {
  const std::string more = group.suggested_controls.empty()
                               ? ""
                               : fmt::format(", with batch size{} {} too",
                                             group.suggested_controls.size() > 1 ? "s" : "",
                                             enumerated(group.suggested_controls));
  const std::string run = summary.inputs.empty() ? "run.jsonl" : summary.inputs.front().path;
  const std::string here = fmt::format(
      "Without repeats nothing can be proven. To settle what is open, measure {} on this machine{} "
      "(name the model's file after -m where it is not built in):",
      group.key.model, more);
  const char* elsewhere =
      "Or measure again with the tool that made the table, add the rows (rows of the same batch "
      "size are its repeats), and import the longer table:";
  return {Paragraph{{{here, Tone::plain}}},
          Code{profile_command(group, summary, group.suggested_controls,
                               output_name(summary, command))},
          Paragraph{{{elsewhere, Tone::plain}}},
          Code{"batchscope import table.csv -o " + shell_word(run) + " --overwrite"}};
}

void append(Document& document, Document blocks) {
  std::move(blocks.begin(), blocks.end(), std::back_inserter(document));
}

const findings::Group* group_of(const schema::RunConfig& config, const findings::Summary& summary) {
  const schema::RunConfig key = schema::without_batch_size(config);
  for (const findings::Group& group : summary.groups) {
    if (group.key == key) return &group;
  }
  return nullptr;
}

// What would settle a recommendation that is open, or carry on where throughput still grows.
Document after_pick(const findings::Recommendation& pick, const findings::Summary& summary,
                    std::size_t& commands) {
  const schema::RunConfig& best = pick.looks_best.value_or(pick.config);
  const findings::Group* const group = group_of(best, summary);
  // One command measures one table; of two settings only the user's own command does.
  const bool foreign = group == nullptr || group != group_of(pick.config, summary) ||
                       best.engine == "imported" || best.engine == "callable";
  Document section;
  const auto add = [&](const std::string& words, const std::string& flags) {
    section.emplace_back(Paragraph{{{words, Tone::plain}}});
    if (foreign) return;
    const std::string output = output_name(summary, commands++);
    section.emplace_back(Code{profile_command(*group, summary, pick.larger_sizes, output) + flags});
  };
  if (pick.undecided && pick.blocks_needed) {
    const int blocks = *pick.blocks_needed;
    add(fmt::format("About {} blocks would tell whether batch {} is better than batch {}.", blocks,
                    best.shape.batch_size, pick.config.shape.batch_size),
        fmt::format(" --blocks {}", blocks));
  }
  if (!pick.larger_sizes.empty()) {
    add(fmt::format("Throughput still grows: batch size{} {} may be better.",
                    pick.larger_sizes.size() > 1 ? "s" : "", enumerated(pick.larger_sizes)),
        "");
  }
  return section;
}

}  // namespace

Document next_section(const findings::Summary& summary) {
  Document section;
  std::size_t commands = 0;
  for (const findings::Group& group : summary.groups) {
    const bool imported = group.key.engine == "imported";
    if (imported && lacks_repeats(group)) {
      append(section, repeats_of_a_table(group, summary, commands++));
      continue;
    }
    if (group.suggested_controls.empty()) continue;
    const bool several = group.suggested_controls.size() > 1;
    const std::string sizes =
        fmt::format("Batch size{} {}", several ? "s" : "", enumerated(group.suggested_controls));
    section.emplace_back(Paragraph{
        {{fmt::format("{} would settle what is open for {}.", sizes, group.label), Tone::plain}}});
    // Numbers measured elsewhere, or by a program that measured itself: only the user knows how to
    // measure more of them.
    if (imported || group.key.engine == "callable") continue;
    section.emplace_back(Code{profile_command(group, summary, group.suggested_controls,
                                              output_name(summary, commands++))});
  }
  for (const findings::Recommendation& pick : summary.recommendations) {
    append(section, after_pick(pick, summary, commands));
  }
  if (section.empty()) return {};
  section.insert(section.begin(), Heading{1, "What to measure next"});
  return section;
}

}  // namespace batchscope::report
