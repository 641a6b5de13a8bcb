#include "batchscope/privacy/redact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "batchscope/base/algorithms.hpp"
#include "private_text.hpp"

namespace batchscope::privacy {
namespace {

using schema::Header;
using schema::RunConfig;
using schema::RunFile;

constexpr const char* kHidden = "(left out)";

// Variables whose values tune a library that the figures depend on, and tell nothing else.
constexpr std::array<std::string_view, 14> kTuning = {
    "GLIBC_TUNABLES", "MALLOC_", "OMP_",   "KMP_",     "MKL_",  "ONEDNN_", "DNNL_",
    "GOMP_",          "ATEN_",   "TORCH_", "PYTORCH_", "CUDA_", "CUBLAS_", "NVIDIA_"};

bool is_tuning(std::string_view variable) {
  return std::any_of(kTuning.begin(), kTuning.end(),
                     [&](std::string_view known) { return variable.starts_with(known); });
}

// A word that this version does not know may be anything.
template <class T, class Visit>
void unknown_text(schema::OpenEnum<T>& word, const Visit& visit) {
  if (word.value() != T::other) return;
  std::string text(word.text());
  visit(text);
  word = schema::OpenEnum<T>(text);
}

// Names of operators can hold paths of the sources they come from.
template <class Visit>
void each_text(schema::Diagnosis& diagnosis, const Visit& visit) {
  visit(diagnosis.tracer);
  for (schema::Operation& operation : diagnosis.operations) {
    visit(operation.name);
    unknown_text(operation.kind, visit);
  }
  for (schema::Primitive& primitive : diagnosis.primitives) {
    visit(primitive.kind);
    visit(primitive.implementation);
  }
  for (auto& [what, why] : diagnosis.absent) visit(why);
}

// Calls `visit` with every text of the run that somebody may have typed or a machine may have
// named, except what redact() treats apart.
template <class Visit>
void each_text(RunFile& run, const Visit& visit) {
  Header& header = run.header;
  for (std::string* text : {&header.tool_version, &header.machine.cpu, &header.machine.kernel,
                            &header.machine.os, &header.plan.memory_limit_kind}) {
    visit(*text);
  }
  for (std::string& gpu : header.machine.gpus) visit(gpu);
  for (auto& [name, version] : header.versions) visit(version);
  for (auto& [name, typed] : header.axes) visit(typed);
  if (header.tune) unknown_text(header.tune->objective, visit);
  if (header.tune) unknown_text(header.tune->latency_of, visit);
  if (header.max_batch) visit(header.max_batch->limit_of);
  for (std::string& note : header.notes) visit(note);
  for (schema::ModelInfo& model : header.models) {
    visit(model.description);
    for (std::string& input : model.inputs) visit(input);
  }
  for (RunConfig& config : run.configs) {
    visit(config.engine);
    visit(config.device);
    visit(config.shape.length_mix);
    for (auto& [variable, value] : config.environment) visit(value);
  }
  for (schema::Visit& each : run.visits) {
    for (schema::Phase& phase : each.phases) visit(phase.name);
    if (each.diagnosis) each_text(*each.diagnosis, visit);
  }
  for (schema::Event& event : run.events) {
    visit(event.what);
    visit(event.fix);
  }
  for (schema::Probe& probe : run.probes) visit(probe.message);
  for (schema::Node& node : run.nodes) {
    for (std::string* text : {&node.machine.cpu, &node.machine.kernel, &node.machine.os}) {
      visit(*text);
    }
    for (std::string& gpu : node.machine.gpus) visit(gpu);
    for (auto& [name, version] : node.versions) visit(version);
  }
  for (std::string& skipped : run.report.skipped) visit(skipped);
  if (run.end) unknown_text(run.end->reason, visit);
}

void learn_users(PrivateText& known, const std::string& text) {
  for (const std::string& user : users_in(text)) known.add_word(user, "user");
}

void learn_host(PrivateText& known, const std::string& host) {
  known.add_word(host, "host");
  known.add_word(host.substr(0, host.find('.')), "host");
}

void learn_words(PrivateText& known, RunFile& run) {
  learn_host(known, run.header.machine.host);
  for (const schema::Node& node : run.nodes) {
    learn_host(known, node.machine.host);
    learn_host(known, node.name);
  }
  each_text(run, [&](std::string& text) { learn_users(known, text); });
  for (const std::string& word : run.header.command_line) learn_users(known, word);
  for (const schema::ModelInfo& model : run.header.models) {
    learn_users(known, model.path);
    learn_users(known, model.name);
  }
  for (const RunConfig& config : run.configs) learn_users(known, config.model);
}

// Models keep names that tell them apart: two files of one name in different folders are two.
void change_models(PrivateText& known, RunFile& run) {
  for (schema::ModelInfo& model : run.header.models) {
    model.path = known.add_path(model.path, "file");
    model.name = known.cleaned(known.add_path(model.name, "model"));
  }
  for (RunConfig& config : run.configs) {
    config.model = known.cleaned(known.add_path(config.model, "model"));
  }
}

// A mix of lengths that was read from a file is called by its path.
void change_mixes(PrivateText& known, RunFile& run) {
  constexpr std::string_view kFile = "file:";
  for (RunConfig& config : run.configs) {
    std::string& mix = config.shape.length_mix;
    if (!mix.starts_with(kFile)) continue;
    mix = std::string(kFile) + known.cleaned(known.add_path(mix.substr(kFile.size()), "lengths"));
  }
}

void change_pipelines(PrivateText& known, RunFile& run) {
  for (RunConfig& config : run.configs) {
    if (config.loader && !config.loader->source.starts_with("synthetic:")) {
      std::string& source = config.loader->source;
      const std::string kind = is_in_python(*config.loader) ? "python:" : "";
      source = kind + known.cleaned(known.add_path(source.substr(kind.size()), "samples"));
    }
    if (!config.pipeline) continue;
    schema::TextPipeline& pipeline = *config.pipeline;
    pipeline.tokenizer = known.cleaned(known.add_path(pipeline.tokenizer, "tokenizer"));
    if (pipeline.texts.empty()) continue;
    pipeline.texts = known.cleaned(known.add_path(pipeline.texts, "texts"));
  }
}

// Values of variables that are left out, numbered, so that environments that were compared stay
// apart; the same in every run.
class HiddenValues {
 public:
  std::string instead_of(const std::string& variable, const std::string& value) {
    std::vector<std::string>& values = values_[variable];
    base::add_if_new(values, value);
    const auto number = std::find(values.begin(), values.end(), value) - values.begin() + 1;
    return number == 1 ? kHidden : fmt::format("(left out, {})", number);
  }

 private:
  std::map<std::string, std::vector<std::string>> values_;
};

// Where the variable was typed, too: in the command line, or among what was typed for the axis.
void hide_typed(const std::string& variable, Header& header) {
  const std::string assignment = variable + "=";
  for (std::string& word : header.command_line) {
    const std::size_t place = word.find(assignment);
    const bool begins = place == 0 || (place != std::string::npos && word[place - 1] == '=');
    if (begins) word = word.substr(0, place + assignment.size()) + kHidden;
  }
  const auto typed = header.axes.find("environment");
  if (typed != header.axes.end() && typed->second.find(assignment) != std::string::npos) {
    typed->second = kHidden;
  }
}

// Called by the run file, which may be called by somebody. What is in a trace stays beside the run
// file that it belongs to: the redacted one is somewhere else.
void change_traces(PrivateText& known, RunFile& run) {
  for (schema::Visit& visit : run.visits) {
    if (!visit.diagnosis || visit.diagnosis->trace_file.empty()) continue;
    std::string& file = visit.diagnosis->trace_file;
    file = known.cleaned(known.add_path(file, "trace"));
  }
}

// A library that is loaded before others is told by its file.
void change_environments(PrivateText& known, HiddenValues& hidden, RunFile& run) {
  for (RunConfig& config : run.configs) {
    for (auto& [variable, value] : config.environment) {
      if (variable == "LD_PRELOAD") {
        value = known.cleaned(known.add_path(value, "library"));
      } else if (!is_tuning(variable)) {
        hide_typed(variable, run.header);
        value = hidden.instead_of(variable, value);
      }
    }
  }
}

// Nodes and GPUs keep names that tell them apart, the same ones in every run.
class NewNames {
 public:
  explicit NewNames(std::string_view kind) : kind_(kind) {}
  void change(std::string& name) {
    const auto number = numbers_.emplace(name, numbers_.size() + 1).first->second;
    name = fmt::format("{}-{}", kind_, number);
  }

 private:
  std::string_view kind_;
  std::map<std::string, std::size_t> numbers_;
};

void change_nodes(NewNames& nodes, NewNames& gpus, RunFile& run) {
  for (schema::Node& node : run.nodes) {
    nodes.change(node.name);
    node.machine.host.clear();
    node.boot_id.clear();
    for (std::string& uuid : node.gpu_uuids) gpus.change(uuid);
  }
  for (schema::Placement& placement : run.placements) {
    placement.job.clear();
    for (std::string& device : placement.devices) {
      if (device != "cpu") gpus.change(device);
    }
  }
}

void change(const PrivateText& known, RunFile& run) {
  run.header.machine.host.clear();
  each_text(run, [&](std::string& text) { text = known.cleaned(text); });
  for (std::string& word : run.header.command_line) word = known.cleaned_argument(word);
}

}  // namespace

void redact(std::vector<RunFile>& runs, std::vector<std::string>& names,
            const std::vector<std::string>& private_names) {
  PrivateText known;
  for (const std::string& name : private_names) known.add_word(name, "user");
  for (RunFile& run : runs) learn_words(known, run);
  for (const std::string& name : names) learn_users(known, name);
  for (std::string& name : names) name = known.add_path(name, "run");
  for (RunFile& run : runs) change_models(known, run);
  for (RunFile& run : runs) change_mixes(known, run);
  for (RunFile& run : runs) change_pipelines(known, run);
  for (RunFile& run : runs) change_traces(known, run);
  HiddenValues hidden;
  for (RunFile& run : runs) change_environments(known, hidden, run);
  NewNames nodes("node"), gpus("GPU");
  for (RunFile& run : runs) change_nodes(nodes, gpus, run);
  for (RunFile& run : runs) change(known, run);
}

}  // namespace batchscope::privacy
