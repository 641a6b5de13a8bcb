#include "read_lines.hpp"

#include <algorithm>
#include <numeric>

namespace batchscope::schema::former {
namespace {

base::Result<Purpose> parse_purpose(std::string_view text) {
  if (text == to_string(Purpose::measure)) return Purpose::measure;
  return base::Error{base::ErrorKind::input, "a purpose that the benchmark has not", "", ""};
}

void read_machine(const JsonFields& fields, Machine& machine) {
  fields.read("host", machine.host);
  fields.read("cpu", machine.cpu);
  fields.read("physical_cores", machine.physical_cores);
  fields.read("logical_cpus", machine.logical_cpus);
  fields.read("memory_bytes", machine.memory_bytes);
  fields.read("l3_bytes", machine.l3_bytes);
  fields.read("kernel", machine.kernel);
  fields.read("os", machine.os);
  fields.read("virtualised", machine.virtualised);
  fields.read("gpus", machine.gpus);
  fields.read("gpu_memory_bytes", machine.gpu_memory_bytes);
}

ModelInfo read_model(const JsonFields& fields) {
  ModelInfo model;
  fields.require("name", model.name);
  fields.read("engine", model.engine);
  fields.read("path", model.path);
  fields.read("inputs", model.inputs);
  fields.read("parameters", model.parameters);
  fields.read("hash", model.hash);
  fields.read("description", model.description);
  return model;
}

void read_plan(const JsonFields& fields, Plan& plan) {
  fields.read("isolation", plan.isolation);
  fields.read("sync", plan.sync);
  fields.within("blocks", 0, kMostBlocks, plan.blocks);
  fields.read("blocks_fixed", plan.blocks_fixed);
  fields.within("iterations", 1, kLargestNumber, plan.iterations);
  fields.within("warmup", 0, kLargestNumber, plan.warmup);
  fields.at_least("target", 0.0, plan.target);
  fields.at_least("min_iterations", 1, plan.min_iterations);
  fields.within("min_visit_s", 0.0, kMostSeconds, plan.min_visit_s);
  fields.at_least("timed_over_startup", 0.0, plan.timed_over_startup);
  fields.within("budget_s", 0.0, kMostSeconds, plan.budget_s);
  fields.read("budget_fixed", plan.budget_fixed);
  fields.within("timeout_s", 0.0, kMostSeconds, plan.timeout_s);
  fields.read("controls", plan.controls);
  fields.read("diagnose", plan.diagnose);
  fields.read("only", plan.only);
  fields.read("verify_causes", plan.verify_causes);
  fields.read("verify", plan.verify);
  fields.within("diagnose_budget_s", 0.0, kMostSeconds, plan.diagnose_budget_s);
  fields.at_least("memory_limit_bytes", int64_t{1}, plan.memory_limit_bytes);
  fields.read("memory_limit_kind", plan.memory_limit_kind);
  fields.within("latency_budget_s", 0.0, kMostSeconds, plan.latency_budget_s);
  fields.at_least("current_batch_size", int64_t{1}, plan.current_batch_size);
}

Phase read_phase(const JsonFields& fields) {
  Phase phase;
  fields.require("name", phase.name);
  fields.require("host_ns", phase.host_ns);
  fields.within("host_ns", int64_t{0}, kLongestNs, phase.host_ns);
  fields.within("device_ns", int64_t{0}, kLongestNs, phase.device_ns);
  fields.at_least("count", int64_t{0}, phase.count);
  return phase;
}

void read_measures(const JsonFields& fields, Visit& visit) {
  fields.object("memory", [&](const JsonFields& memory) {
    memory.read("peak_rss_bytes", visit.memory.peak_rss_bytes);
    memory.read("peak_allocated_bytes", visit.memory.peak_allocated_bytes);
    memory.read("peak_reserved_bytes", visit.memory.peak_reserved_bytes);
    memory.read("device_allocations", visit.memory.device_allocations);
    memory.read("peak_group_bytes", visit.memory.peak_group_bytes);
    memory.read("peak_iterations_rss_bytes", visit.memory.peak_iterations_rss_bytes);
  });
  fields.object("usage", [&](const JsonFields& usage) {
    usage.read("minor_faults", visit.usage.minor_faults);
    usage.read("major_faults", visit.usage.major_faults);
    usage.read("user_ns", visit.usage.user_ns);
    usage.read("system_ns", visit.usage.system_ns);
    usage.read("voluntary_switches", visit.usage.voluntary_switches);
    usage.read("involuntary_switches", visit.usage.involuntary_switches);
    usage.read("wait_ns", visit.usage.wait_ns);
    usage.read("wait_max_thread_ns", visit.usage.wait_max_thread_ns);
    usage.read("steal_ratio", visit.usage.steal_ratio);
  });
  fields.object("fitness", [&](const JsonFields& fitness) {
    fitness.read("steal_ratio", visit.fitness.steal_ratio);
    fitness.read("others_load", visit.fitness.others_load);
    fitness.read("throttled_ns", visit.fitness.throttled_ns);
    fitness.read("clock_ratio", visit.fitness.clock_ratio);
    fitness.read("other_gpu_processes", visit.fitness.other_gpu_processes);
  });
}

// Shares are taken of the padded tokens, and means of the iterations: none may be 0.
void read_tokens(const JsonFields& fields, Visit& visit) {
  Tokens& tokens = visit.tokens.emplace();
  fields.at_least("real", int64_t{1}, tokens.real);
  fields.at_least("padded", int64_t{1}, tokens.padded);
  fields.at_least("iterations", int64_t{1}, tokens.iterations);
  if (tokens.real > tokens.padded) fields.fail("real", "is more than what is padded");
}

// Counts that are to add up to the times they divide among instances.
void check_counts(const JsonFields& fields, std::string_view name,
                  const std::vector<int64_t>& counts, int64_t least, std::size_t times) {
  const auto most = static_cast<int64_t>(times);
  const bool sound = std::all_of(counts.begin(), counts.end(),
                                 [&](int64_t count) { return count >= least && count <= most; });
  if (!sound || std::accumulate(counts.begin(), counts.end(), int64_t{0}) != most) {
    fields.fail(name, "does not add up to the times");
  }
}

void read_instances(const JsonFields& fields, Visit& visit) {
  if (!fields.has("instance_samples")) return;
  fields.read("instance_samples", visit.instance_samples);
  fields.require("instance_warmups", visit.instance_warmups);
  if (fields.failed()) return;
  if (visit.instance_samples.size() != visit.instance_warmups.size()) {
    return fields.fail("instance_warmups", "is of another number of instances");
  }
  check_counts(fields, "instance_samples", visit.instance_samples, 1, visit.samples_ns.size());
  check_counts(fields, "instance_warmups", visit.instance_warmups, 0, visit.warmup_ns.size());
}

// Times are looked at by their logarithm: none may be 0.
void read_times(const JsonFields& fields, Visit& visit) {
  const auto not_positive = [](int64_t ns) { return ns <= 0; };
  const auto too_long = [](const std::vector<int64_t>& times, double of_each) {
    return std::accumulate(times.begin(), times.end(), 0.0) * of_each > kLongestNs;
  };
  fields.read("warmup_ns", visit.warmup_ns);
  fields.require("samples_ns", visit.samples_ns);
  fields.at_least("iterations_per_sample", int64_t{1}, visit.iterations_per_sample);
  if (fields.failed()) return;
  if (visit.samples_ns.empty()) return fields.fail("samples_ns", "is empty");
  if (std::any_of(visit.samples_ns.begin(), visit.samples_ns.end(), not_positive)) {
    return fields.fail("samples_ns", "holds a time that is not positive");
  }
  if (std::any_of(visit.warmup_ns.begin(), visit.warmup_ns.end(), not_positive)) {
    return fields.fail("warmup_ns", "holds a time that is not positive");
  }
  if (too_long(visit.warmup_ns, 1)) return fields.fail("warmup_ns", "adds up to too long");
  if (too_long(visit.samples_ns, static_cast<double>(visit.iterations_per_sample))) {
    fields.fail("samples_ns", "adds up to too long");
  }
}

}  // namespace

void read_header(const JsonFields& fields, Header& header) {
  fields.require("schema_version", header.schema_version);
  fields.read("tool_version", header.tool_version);
  fields.read("created", header.created);
  fields.read("origin", header.origin);
  fields.object("machine", [&](const JsonFields& inner) { read_machine(inner, header.machine); });
  fields.read("versions", header.versions);
  fields.each_object("models",
                     [&](const JsonFields& inner) { header.models.push_back(read_model(inner)); });
  fields.read("axes", header.axes);
  fields.read("command_line", header.command_line);
  fields.read("seed", header.seed);
  fields.at_least("configurations", int64_t{0}, header.configurations);
  fields.object("plan", [&](const JsonFields& inner) { read_plan(inner, header.plan); });
  fields.read("notes", header.notes);
}

// Of the axes those that the benchmark's configurations have.
void read_config(const JsonFields& fields, int& index, RunConfig& config) {
  fields.require("index", index);
  fields.at_least("index", 0, index);
  fields.require("engine", config.engine);
  fields.require("model", config.model);
  fields.require("batch_size", config.shape.batch_size);
  fields.within("batch_size", int64_t{1}, kLargestSize, config.shape.batch_size);
}

void read_visit(const JsonFields& fields, Visit& visit) {
  fields.require("config", visit.config);
  fields.require("block", visit.block);
  fields.within("block", 0, kLargestNumber, visit.block);
  fields.within("order", 0, kLargestNumber, visit.order);
  fields.within("attempt", 0, kLargestNumber, visit.attempt);
  fields.parsed("purpose", parse_purpose, visit.purpose);
  fields.each_object("phases",
                     [&](const JsonFields& inner) { visit.phases.push_back(read_phase(inner)); });
  read_measures(fields, visit);
  fields.object("tokens", [&](const JsonFields& inner) { read_tokens(inner, visit); });
  fields.read("loss", visit.loss);
  fields.read("losses", visit.losses);
  fields.read("skipped_steps", visit.skipped_steps);
  fields.read("clock", visit.clock);
  fields.within("load_ns", int64_t{0}, kLongestNs, visit.load_ns);
  fields.within("wall_ns", int64_t{0}, kLongestNs, visit.wall_ns);
  fields.read("reported_std_ns", visit.reported_std_ns);
  fields.read("reported_repeats", visit.reported_repeats);
  read_times(fields, visit);
  read_instances(fields, visit);
}

void read_event(const JsonFields& fields, Event& event) {
  fields.require("kind", event.kind);
  fields.read("message", event.message);
  fields.read("fix", event.fix);
  fields.read("config", event.config);
  fields.within("block", 0, kLargestNumber, event.block);
  fields.within("attempt", 0, kLargestNumber, event.attempt);
  fields.within("wall_ns", int64_t{0}, kLongestNs, event.wall_ns);
}

void read_outputs(const JsonFields& fields, OutputDifference& outputs) {
  fields.require("config", outputs.config);
  fields.require("against", outputs.against);
  fields.require("cosine", outputs.cosine);
  fields.require("largest_relative_error", outputs.largest_relative_error);
  fields.require("values", outputs.values);
  fields.at_least("values", int64_t{1}, outputs.values);
}

void read_probe(const JsonFields& fields, Probe& probe) {
  fields.require("config", probe.config);
  fields.require("batch_size", probe.batch_size);
  fields.within("batch_size", int64_t{1}, kLargestSize, probe.batch_size);
  fields.require("purpose", probe.purpose);
  fields.at_least("limit_bytes", int64_t{0}, probe.limit_bytes);
  fields.read("boot_id", probe.boot_id);
  fields.read("oom_kills", probe.oom_kills);
  fields.read("outcome", probe.outcome);
  fields.read("message", probe.message);
  fields.read("peak_bytes", probe.peak_bytes);
  fields.read("peak_of", probe.peak_of);
  fields.read("reserved_bytes", probe.reserved_bytes);
  fields.within("iterations", int64_t{0}, int64_t{kLargestNumber}, probe.iterations);
  fields.within("iteration_ns", int64_t{0}, kLongestNs, probe.iteration_ns);
  fields.within("wall_ns", int64_t{0}, kLongestNs, probe.wall_ns);
}

void read_end(const JsonFields& fields, End& end) {
  fields.require("reason", end.reason);
  fields.within("wall_s", 0.0, kMostSeconds, end.wall_s);
  fields.within("iteration_s", 0.0, kMostSeconds, end.iteration_s);
}

}  // namespace batchscope::schema::former
