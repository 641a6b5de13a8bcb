#include <nlohmann/json.hpp>

#include "batchscope/schema/json.hpp"
#include "batchscope/schema/run_file.hpp"
#include "diagnosis_json.hpp"

namespace batchscope::schema {
namespace {

using Json = nlohmann::ordered_json;

// Text from outside (paths, environments) may hold bytes that are no UTF-8; a run must not end
// for that.
std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void put_text(Json& json, const char* name, const std::string& value) {
  if (!value.empty()) json[name] = value;
}

Json machine_json(const Machine& machine) {
  Json json = {{"host", machine.host},
               {"cpu", machine.cpu},
               {"physical_cores", machine.physical_cores},
               {"logical_cpus", machine.logical_cpus},
               {"memory_bytes", machine.memory_bytes},
               {"l3_bytes", machine.l3_bytes},
               {"kernel", machine.kernel},
               {"os", machine.os},
               {"virtualised", machine.virtualised},
               {"gpus", machine.gpus}};
  if (!machine.gpu_memory_bytes.empty()) json["gpu_memory_bytes"] = machine.gpu_memory_bytes;
  return json;
}

Json model_json(const ModelInfo& model) {
  Json json = {{"name", model.name}};
  put_text(json, "engine", model.engine);
  put_text(json, "path", model.path);
  if (!model.inputs.empty()) json["inputs"] = model.inputs;
  put(json, "parameters", model.parameters);
  put_text(json, "hash", model.hash);
  put_text(json, "description", model.description);
  return json;
}

Json plan_json(const Plan& plan) {
  Json json = {{"isolation", plan.isolation.text()},
               {"sync", plan.sync.text()},
               {"blocks", plan.blocks},
               {"blocks_fixed", plan.blocks_fixed}};
  put(json, "iterations", plan.iterations);
  put(json, "warmup", plan.warmup);
  json["target"] = plan.target;
  json["min_iterations"] = plan.min_iterations;
  json["min_visit_s"] = plan.min_visit_s;
  json["timed_over_startup"] = plan.timed_over_startup;
  json["budget_s"] = plan.budget_s;
  json["budget_fixed"] = plan.budget_fixed;
  json["timeout_s"] = plan.timeout_s;
  json["controls"] = plan.controls.text();
  json["diagnose"] = plan.diagnose;
  if (!plan.only.empty()) json["only"] = plan.only;
  if (plan.diagnose) {
    json["verify_causes"] = plan.verify_causes.text();
    json["verify"] = plan.verify.text();
  }
  put(json, "diagnose_budget_s", plan.diagnose_budget_s);
  put(json, "memory_limit_bytes", plan.memory_limit_bytes);
  put_text(json, "memory_limit_kind", plan.memory_limit_kind);
  put(json, "latency_budget_s", plan.latency_budget_s);
  put(json, "current_batch_size", plan.current_batch_size);
  return json;
}

Json phases_json(const std::vector<Phase>& phases) {
  Json array = Json::array();
  for (const Phase& phase : phases) {
    Json json = {{"name", phase.name}, {"host_ns", phase.host_ns}};
    put(json, "device_ns", phase.device_ns);
    json["count"] = phase.count;
    array.push_back(std::move(json));
  }
  return array;
}

Json memory_json(const Memory& memory) {
  Json json = Json::object();
  put(json, "peak_rss_bytes", memory.peak_rss_bytes);
  put(json, "peak_allocated_bytes", memory.peak_allocated_bytes);
  put(json, "peak_reserved_bytes", memory.peak_reserved_bytes);
  put(json, "device_allocations", memory.device_allocations);
  put(json, "peak_iterations_rss_bytes", memory.peak_iterations_rss_bytes);
  put(json, "peak_group_bytes", memory.peak_group_bytes);
  return json;
}

Json usage_json(const Usage& usage) {
  Json json = Json::object();
  put(json, "minor_faults", usage.minor_faults);
  put(json, "major_faults", usage.major_faults);
  put(json, "user_ns", usage.user_ns);
  put(json, "system_ns", usage.system_ns);
  put(json, "voluntary_switches", usage.voluntary_switches);
  put(json, "involuntary_switches", usage.involuntary_switches);
  put(json, "wait_ns", usage.wait_ns);
  put(json, "wait_max_thread_ns", usage.wait_max_thread_ns);
  put(json, "steal_ratio", usage.steal_ratio);
  return json;
}

Json fitness_json(const Fitness& fitness) {
  Json json = Json::object();
  put(json, "steal_ratio", fitness.steal_ratio);
  put(json, "others_load", fitness.others_load);
  put(json, "throttled_ns", fitness.throttled_ns);
  put(json, "clock_ratio", fitness.clock_ratio);
  put(json, "other_gpu_processes", fitness.other_gpu_processes);
  return json;
}

Json tokens_json(const Tokens& tokens) {
  return {{"real", tokens.real}, {"padded", tokens.padded}, {"iterations", tokens.iterations}};
}

}  // namespace

std::string header_line(const Header& header) {
  Json json = {{"type", "header"}, {"schema_version", header.schema_version}};
  put_text(json, "tool_version", header.tool_version);
  put_text(json, "created", header.created);
  json["origin"] = header.origin.text();
  json["machine"] = machine_json(header.machine);
  json["versions"] = header.versions;
  json["models"] = Json::array();
  for (const ModelInfo& model : header.models) json["models"].push_back(model_json(model));
  json["axes"] = header.axes;
  json["command_line"] = header.command_line;
  json["seed"] = header.seed;
  if (header.configurations > 0) json["configurations"] = header.configurations;
  json["plan"] = plan_json(header.plan);
  json["notes"] = header.notes;
  return line_of(json);
}

std::string config_line(int index, const RunConfig& config) {
  Json json = {{"type", "config"}, {"index", index}};
  json.update(config_json<Json>(config));
  if (!config.shape.lengths.empty()) json["lengths"] = config.shape.lengths;
  return line_of(json);
}

std::string visit_line(const Visit& visit) {
  Json json = {{"type", "visit"},          {"config", visit.config},
               {"block", visit.block},     {"order", visit.order},
               {"attempt", visit.attempt}, {"purpose", to_string(visit.purpose)}};
  put_text(json, "clock", visit.clock);
  json["load_ns"] = visit.load_ns;
  json["wall_ns"] = visit.wall_ns;
  if (!visit.phases.empty()) json["phases"] = phases_json(visit.phases);
  if (Json memory = memory_json(visit.memory); !memory.empty()) json["memory"] = std::move(memory);
  if (Json usage = usage_json(visit.usage); !usage.empty()) json["usage"] = std::move(usage);
  if (Json fit = fitness_json(visit.fitness); !fit.empty()) json["fitness"] = std::move(fit);
  if (visit.tokens) json["tokens"] = tokens_json(*visit.tokens);
  put(json, "loss", visit.loss);
  if (visit.diagnosis) json["diagnosis"] = diagnosis_json(*visit.diagnosis);
  if (!visit.losses.empty()) json["losses"] = visit.losses;
  put(json, "skipped_steps", visit.skipped_steps);
  put(json, "reported_std_ns", visit.reported_std_ns);
  put(json, "reported_repeats", visit.reported_repeats);
  if (visit.iterations_per_sample != 1) {
    json["iterations_per_sample"] = visit.iterations_per_sample;
  }
  if (!visit.instance_samples.empty()) {
    json["instance_warmups"] = visit.instance_warmups;
    json["instance_samples"] = visit.instance_samples;
  }
  json["warmup_ns"] = visit.warmup_ns;
  json["samples_ns"] = visit.samples_ns;
  return line_of(json);
}

std::string event_line(const Event& event) {
  Json json = {{"type", "event"}, {"kind", event.kind.text()}, {"message", event.what}};
  put_text(json, "fix", event.fix);
  put(json, "config", event.where.config);
  put(json, "block", event.where.block);
  json["attempt"] = event.where.attempt;
  if (event.wall_ns > 0) json["wall_ns"] = event.wall_ns;
  return line_of(json);
}

std::string outputs_line(const OutputDifference& outputs) {
  return line_of({{"type", "outputs"},
                  {"config", outputs.config},
                  {"against", outputs.against},
                  {"cosine", outputs.cosine},
                  {"largest_relative_error", outputs.largest_relative_error},
                  {"values", outputs.values}});
}

std::string probe_line(const Probe& probe) {
  Json json = {{"type", "probe"},
               {"config", probe.config},
               {"batch_size", probe.batch_size},
               {"purpose", probe.purpose.text()},
               {"limit_bytes", probe.limit_bytes}};
  put_text(json, "boot_id", probe.boot_id);
  put(json, "oom_kills", probe.oom_kills);
  if (!probe.outcome.empty()) json["outcome"] = probe.outcome.text();
  put_text(json, "message", probe.message);
  put(json, "peak_bytes", probe.peak_bytes);
  put_text(json, "peak_of", probe.peak_of);
  put(json, "reserved_bytes", probe.reserved_bytes);
  if (probe.iterations > 0) json["iterations"] = probe.iterations;
  if (probe.iteration_ns > 0) json["iteration_ns"] = probe.iteration_ns;
  if (probe.wall_ns > 0) json["wall_ns"] = probe.wall_ns;
  return line_of(json);
}

std::string end_line(const End& end) {
  return line_of({{"type", "end"},
                  {"reason", end.reason.text()},
                  {"wall_s", end.wall_s},
                  {"iteration_s", end.iteration_s}});
}

}  // namespace batchscope::schema
