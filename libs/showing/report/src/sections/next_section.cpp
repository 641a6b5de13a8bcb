#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "batchscope/base/counted.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "content.hpp"
#include "document/shell_words.hpp"

namespace batchscope::report {
namespace {

using document::Document;
using findings::CommandLine;
using findings::Commands;
using findings::enumerated;
using Sizes = std::vector<int64_t>;

// nullptr: no run says which file it was, or what it has built in.
const schema::ModelInfo* model_of(const schema::RunConfig& key, const findings::Summary& summary) {
  for (const findings::InputRun& input : summary.inputs) {
    for (const schema::ModelInfo& model : input.models) {
      // An engine has its own file of a model; files of earlier versions do not say which.
      const bool of_engine = model.engine.empty() || model.engine == key.engine;
      if (model.name == key.model && of_engine) return &model;
    }
  }
  return nullptr;
}

bool lacks_repeats(const findings::Group& group) {
  return std::none_of(group.rows.begin(), group.rows.end(),
                      [](const findings::ConfigRow& row) { return row.n > 1; });
}

const findings::Group* group_of(const schema::RunConfig& config, const findings::Summary& summary) {
  const schema::RunConfig key = schema::without_batch_size(config);
  const auto found = std::find_if(summary.groups.begin(), summary.groups.end(),
                                  [&](const findings::Group& group) { return group.key == key; });
  return found == summary.groups.end() ? nullptr : &*found;
}

std::string size_words(const char* size, const Sizes& sizes) {
  return fmt::format("{}{} {}", size, sizes.size() > 1 ? "s" : "", enumerated(sizes));
}

class NextSteps {
 public:
  NextSteps(const findings::Summary& summary, const Commands& commands)
      : summary_(summary), commands_(commands) {}

  void settle(const findings::Group& group) {
    if (!schema::states_engine(group.key) && lacks_repeats(group)) return repeat(group);
    const Sizes& controls = group.suggested_controls;
    if (controls.empty()) return;
    say(size_words("Batch size", controls) + " should settle the question for " + group.label +
        ".");
    if (!schema::is_measured_elsewhere(group.key)) show(measuring(group, controls));
  }

  // What would settle a recommendation that is open, or carry on where throughput still grows.
  void follow(const findings::Recommendation& pick) {
    const schema::RunConfig& best = pick.unconfirmed_best.value_or(pick.config);
    // Where the answer says how to go on, that is told there.
    if (pick.undecided && pick.blocks_needed && summary_.answer.next.empty()) {
      // None of them is to be named.
      say(fmt::format("About {} should settle which is best.",
                      base::counted(*pick.blocks_needed, "block")));
      measure_more(pick, best, pick.blocks_needed);
    }
    if (pick.larger_sizes.empty()) return;
    say("Throughput still grows: " + size_words("batch size", pick.larger_sizes) +
        " may be better.");
    measure_more(pick, best);
  }

  Document take() { return std::move(section_); }

 private:
  void say(const std::string& words) {
    section_.emplace_back(document::Paragraph{{{words, document::Tone::plain}}});
  }

  void show(const CommandLine& command) {
    if (!command.empty()) section_.emplace_back(document::Code{shell_command(command)});
  }

  void propose(const std::string& words, const CommandLine& command) {
    say(words + (command.empty() ? "." : ":"));
    show(command);
  }

  // What would turn the suspicions about a table measured elsewhere into answers: the same here,
  // with repeats, or repeats from the tool that made it.
  void repeat(const findings::Group& group) {
    const Sizes& controls = group.suggested_controls;
    const CommandLine here = measuring(group, controls);
    const std::string more =
        controls.empty() ? "" : ", with " + size_words("batch size", controls) + " too";
    const std::string which =
        here.empty() ? "" : " (put the model's file after -m if it is not built in)";
    propose(fmt::format("Without repeats there is no proof. Measure {} on this machine{}{}",
                        group.key.model, more, which),
            here);
    propose(
        "Or measure again with the tool that made the table, add the rows as repeats, and import "
        "the longer table",
        commands_.import_again(summary_.inputs.empty() ? "run.jsonl"
                                                       : summary_.inputs.front().path));
  }

  // One command measures one table; of two settings only the user's own command does.
  void measure_more(const findings::Recommendation& pick, const schema::RunConfig& best,
                    std::optional<int> blocks = {}) {
    if (schema::is_measured_elsewhere(best)) return;
    const findings::Group* const group = group_of(best, summary_);
    if (group == nullptr || group != group_of(pick.config, summary_)) return;
    show(measuring(*group, pick.larger_sizes, blocks));
  }

  // The group's sizes and those wanted together: contrasts are paired within one run.
  CommandLine measuring(const findings::Group& group, const Sizes& wanted,
                        std::optional<int> blocks = {}) {
    std::set<int64_t> sizes(wanted.begin(), wanted.end());
    for (const findings::ConfigRow& row : group.rows) sizes.insert(row.config.shape.batch_size);
    const schema::ModelInfo* const model = model_of(group.key, summary_);
    return commands_.measure(
        {.setting = group.key,
         .model = model == nullptr || model->path.empty() ? group.key.model : model->path,
         .inputs = model == nullptr ? std::vector<std::string>{} : model->inputs,
         .batch_sizes = {sizes.begin(), sizes.end()},
         .run = next_run(),
         .blocks = blocks});
  }

  // A name of its own for each run: none is overwritten.
  std::string next_run() {
    const std::string number = runs_++ == 0 ? "" : std::to_string(runs_);
    std::filesystem::path path("results/run.jsonl");
    if (!summary_.inputs.empty()) path = summary_.inputs.front().path;
    return path.replace_extension().string() + "_controls" + number + ".jsonl";
  }

  const findings::Summary& summary_;
  const Commands& commands_;
  Document section_;
  int runs_ = 0;
};

}  // namespace

Document next_section(const findings::Summary& summary, const Commands& commands) {
  NextSteps steps(summary, commands);
  for (const findings::Group& group : summary.groups) steps.settle(group);
  for (const findings::Recommendation& pick : summary.recommendations) steps.follow(pick);
  Document section = steps.take();
  if (!section.empty())
    section.insert(section.begin(), document::Heading{1, "What to measure next"});
  return section;
}

}  // namespace batchscope::report
