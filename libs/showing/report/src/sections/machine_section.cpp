#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "report_sections.hpp"

namespace batchscope::report {
namespace {

using document::Document;
using document::KeyValues;
using findings::percent;
using schema::Header;
using schema::ModelInfo;

class FactList {
 public:
  void add(const std::string& label, const std::string& text) {
    if (!text.empty()) facts_.fields.push_back({label, text});
  }
  KeyValues take() { return std::move(facts_); }

 private:
  KeyValues facts_;
};

std::string processor(const schema::Machine& machine) {
  std::string text = machine.cpu;
  if (machine.physical_cores > 0) text += fmt::format(", {} cores", machine.physical_cores);
  if (machine.logical_cpus > 0) text += fmt::format(", {} logical CPUs", machine.logical_cpus);
  if (machine.l3_bytes > 0) text += ", L3 " + base::format_bytes(machine.l3_bytes);
  if (machine.virtualised) text += ", virtual machine";
  return text;
}

std::string system(const schema::Machine& machine) {
  return machine.os + (machine.kernel.empty() ? "" : ", kernel " + machine.kernel);
}

std::string versions(const Header& header) {
  std::vector<std::string> all = base::mapped(
      header.versions, [](const auto& each) { return each.first + " " + each.second; });
  if (!header.tool_version.empty()) all.insert(all.begin(), "batchscope " + header.tool_version);
  return base::join(all, ", ");
}

std::string model_text(const ModelInfo& model) {
  std::string text = model.name;
  const auto add = [&](const std::string& piece) { text += piece.empty() ? "" : "; " + piece; };
  if (model.path != model.name) add(model.path);
  add(model.description);
  if (model.parameters) add(fmt::format("{} parameters", *model.parameters));
  if (!model.inputs.empty()) add(fmt::format("inputs {}", fmt::join(model.inputs, ", ")));
  if (!model.hash.empty()) add("hash " + model.hash);
  return text;
}

std::string isolation(const schema::OpenEnum<schema::Isolation>& kind) {
  if (kind == schema::Isolation::config) return "a fresh process for each visit";
  if (kind == schema::Isolation::block) return "a process for each block";
  if (kind == schema::Isolation::none) return "one process for everything";
  return fmt::format("isolation {}", kind.text());
}

// How the run was measured; an imported table does not say.
std::string plan_text(const Header& header) {
  if (header.origin == schema::Origin::imported) return "an imported table; the method is unknown";
  const schema::MeasurementPlan& plan = header.plan;
  std::string text = fmt::format("{}; every batch size once per block, in random order (seed {})",
                                 isolation(plan.isolation), header.seed);
  text += fmt::format("; {}{}", base::counted(plan.blocks, "block"),
                      plan.blocks_fixed ? "" : " at first");
  if (plan.iterations)
    text += fmt::format("; {} per visit", base::counted(*plan.iterations, "timed iteration"));
  if (plan.warmup) text += fmt::format("; {}", base::counted(*plan.warmup, "warm-up iteration"));
  text += fmt::format("; timed for at least {} per visit", base::format_seconds(plan.min_visit_s));
  text += fmt::format("; target ±{}", percent(plan.target));
  if (plan.diagnose) {
    text += "; then separate visits test causes and the recommendation";
  }
  if (plan.memory_limit_bytes) {
    text += "; memory limited to " + base::format_bytes(*plan.memory_limit_bytes);
  }
  return text;
}

KeyValues facts_of(const schema::RunFile& run) {
  const Header& header = run.header;
  FactList facts;
  facts.add("host", header.machine.host);
  facts.add("processor", processor(header.machine));
  if (header.machine.memory_bytes > 0) {
    facts.add("memory", base::format_bytes(header.machine.memory_bytes));
  }
  facts.add("GPU", fmt::format("{}", fmt::join(header.machine.gpus, "; ")));
  facts.add("system", system(header.machine));
  facts.add("software", versions(header));
  for (const ModelInfo& model : header.models) facts.add("model", model_text(model));
  facts.add("measured", header.created);
  facts.add("method", plan_text(header));
  if (run.end && run.end->wall_s > 0) facts.add("took", base::format_seconds(run.end->wall_s));
  for (const std::string& note : header.notes) facts.add("note", note);
  return facts.take();
}

constexpr const char* kMethod =
    "A time is the geometric mean over visits of each visit's median iteration. Its CI is over "
    "visits, because iterations of one process are not independent. batchscope compares batch "
    "sizes within blocks, so slow drift of the machine cancels. The tests treat all proven claims "
    "as one family: the error rate holds for the full run.";

}  // namespace

Document machine_section(std::span<const schema::RunFile> runs, const findings::Summary& summary) {
  Document section;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    KeyValues facts = facts_of(runs[i]);
    if (facts.fields.empty()) continue;
    if (runs.size() > 1 && i < summary.inputs.size()) {
      section.emplace_back(document::Heading{1, summary.inputs[i].path});
    }
    section.emplace_back(std::move(facts));
  }
  const bool measured = std::any_of(runs.begin(), runs.end(), [](const schema::RunFile& run) {
    return run.header.origin != schema::Origin::imported;
  });
  if (measured) section.emplace_back(document::Paragraph{{{kMethod, document::Tone::dim}}});
  return section;
}

}  // namespace batchscope::report
