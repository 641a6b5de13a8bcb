#pragma once

#include <string>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::schema {

// Values that differ from every default, so that a field that is not carried shows.
inline Header sample_header() {
  Header header;
  header.tool_version = "0.1.0";
  header.created = "2030-01-02T03:04:05Z";
  header.origin = Origin::api;
  header.machine = {"host", "cpu \"x\"", 2,    4,     int64_t{8} << 30,   1 << 20,
                    "6.1",  "os",        true, {"g"}, {int64_t{80} << 30}};
  header.versions = {{"torch", "2.13"}, {"glibc", "2.36"}};
  header.models = {{"distilbert", "", {}, 66'362'880, "abc", "six layers"},
                   {"m", "dir/m.pt", {"x:Bx4"}, std::nullopt, "", "", "torch"}};
  header.axes = {{"batch_size", "1-8*2"}, {"seq_len", "64"}};
  header.command_line = {"batchscope", "profile", "a b\n\t\x01\xC3\xA4"};
  header.seed = 0xFFFF'FFFF'FFFF'FFFF;
  header.configurations = 2;
  header.plan = {Isolation::block,
                 Sync::end,
                 7,
                 true,
                 100,
                 3,
                 0.03,
                 4,
                 0.5,
                 1.1,
                 60.5,
                 true,
                 12.25,
                 Automatic::automatic,
                 true,
                 {"kernels"},
                 Automatic::automatic,
                 Automatic::off,
                 90.0,
                 1000,
                 "cgroup-v2",
                 0.2,
                 LatencyStatistic::p90,
                 4};
  header.notes = {"forced"};
  return header;
}

inline RunConfig sample_config() {
  RunConfig config;
  config.engine = "torch";
  config.model = "distilbert";
  config.shape = {4, 64};
  config.precision = Precision::bf16;
  config.device = "cuda:0";
  config.threads = 2;
  config.instances = 3;
  config.mode = Mode::train;
  config.optimizer = "adamw";
  config.checkpointing = true;
  config.accumulation = 2;
  config.loader = Loader{"data/train", 3, 4, true, "spawn", true};
  config.pipeline = TextPipeline{
      "tokenizer.xml", "texts.txt", 384, 2, Padding("multiple:8"), TextOrder::sorted, 64, true, 512,
      Pooling::cls,    false};
  config.environment = {{"GLIBC_TUNABLES", "glibc.malloc.mmap_max=0"}};
  return config;
}

inline RunConfig sample_mix_config() {
  RunConfig config = sample_config();
  config.shape = {4, std::nullopt, "5-9:lognormal(6,0.5)", {5, 7, 8, 6, 5, 5, 6, 9}};
  return config;
}

inline Diagnosis sample_diagnosis() {
  Diagnosis diagnosis;
  diagnosis.counters = {{"cycles", 123'456'789'012'345}, {"instructions", 2}};
  diagnosis.thread_busy_ns = {4, 3};
  diagnosis.anonymous_bytes = 5;
  diagnosis.huge_page_bytes = 0;
  diagnosis.tracer = "kineto";
  diagnosis.traced_iterations = 6;
  diagnosis.traced_ns = 7;
  diagnosis.operations = {
      {"aten::addmm", OperationKind::op, 8, 9, 10, {}, {}, {}, {}, {}, false},
      {"copy </script>", OperationKind::memcpy, 11, 12, 13, 14, 15, 16, 0.75, 17, true}};
  diagnosis.device_busy_ns = 18;
  diagnosis.multiprocessors = 19;
  diagnosis.trace_file = "run.traces/batch-4.config-0.trace.json.gz";
  diagnosis.trace_bytes = 25;
  diagnosis.logged_iterations = 20;
  diagnosis.primitives = {{"matmul", "brg_matmul:avx512_core_amx", 21, 22, 23, 24}};
  diagnosis.absent = {{"counters", "not permitted"}};
  return diagnosis;
}

inline Visit sample_visit() {
  Visit visit;
  visit.config = 0;
  visit.block = 3;
  visit.order = 2;
  visit.attempt = 1;
  visit.purpose = Purpose::control;
  visit.warmup_ns = {30, 20};
  visit.samples_ns = {10, 11, 123'456'789'012'345};
  visit.iterations_per_sample = 5;
  visit.instance_warmups = {1, 1};
  visit.instance_samples = {1, 2};
  visit.phases = {{"forward", 100, 90, 3}, {"d2h", 5, std::nullopt, 3}};
  visit.memory = {1, 2, 3, 4, 17, 18};
  visit.usage = {5, 6, 7, 8, 9, 10, 11, 12, 0.5};
  visit.fitness = {0.125, 1.5, 11, 0.875, 12};
  visit.tokens = Tokens{25, 26, 2};
  visit.loss = 0.1;
  visit.diagnosis = sample_diagnosis();
  visit.loader = LoaderFacts{31,
                             32,
                             33,
                             34,
                             35,
                             36,
                             37,
                             38,
                             39,
                             40,
                             BatchCopies{41, 42, 43},
                             {{44, 45}},
                             {{46, 47}},
                             0.5,
                             48,
                             {{49, 50, 51, 52}}};
  visit.losses = {0.5, 0.25, 1};
  visit.skipped_steps = 18;
  visit.collections = {12, 3'400'000, 900'000};
  visit.compilation = {5'000'000'000, 2, 1, 3, 2, 700'000'000};
  visit.clock = OpenEnum<ClockKind>("cuda-event");
  visit.load_ns = 13;
  visit.wall_ns = 14;
  visit.reported_std_ns = 15;
  visit.reported_repeats = 16;
  return visit;
}

inline Event sample_event() {
  return {{"hung", {0, 2, 1}, "wait longer"}, EventKind::timeout, 9'000};
}

// A probe as it stands before its process is started, and after it.
inline Probe begun_probe() {
  Probe probe;
  probe.config = 1;
  probe.batch_size = 7;
  probe.purpose = ProbePurpose::soak;
  probe.limit_bytes = 19;
  probe.boot_id = "6f1d";
  probe.oom_kills = 20;
  return probe;
}

inline Probe ended_probe() {
  Probe probe = begun_probe();
  probe.outcome = ProbeOutcome::out_of_memory;
  probe.message = "killed";
  probe.peak_bytes = 21;
  probe.peak_of = "group";
  probe.reserved_bytes = 22;
  probe.iterations = 23;
  probe.iteration_ns = 24;
  probe.wall_ns = 25;
  return probe;
}

inline Node sample_node() {
  Node node;
  node.name = "n1";
  node.machine = sample_header().machine;
  node.boot_id = "6f1d";
  node.allowed_cpus = 3;
  node.gpu_uuids = {"GPU-1"};
  node.versions = {{"driver", "550"}};
  return node;
}

inline Placement sample_placement() {
  return {
      3, 1,   {"GPU-1"}, "0-2", "slurm 1_3", 1'900'000'000'000'000'001, 1'900'000'001'000'000'000,
      5, 0.5, 1.5,       2};
}

inline std::string sample_text() {
  const std::string newline = "\n";
  std::string text = header_line(sample_header()) + newline;
  text += config_line(0, sample_config()) + newline;
  text += config_line(1, sample_mix_config()) + newline;
  text += visit_line(sample_visit()) + newline;
  text += event_line(sample_event()) + newline;
  text += outputs_line({1, 0, 0.9999, 1e-5, 768}) + newline;
  text += visit_line(sample_visit()) + newline;
  text += probe_line(begun_probe()) + newline;
  text += probe_line(ended_probe()) + newline;
  Node other;
  other.name = "n2";
  text += node_line(0, other) + newline;
  text += node_line(4, sample_node()) + newline;
  Placement in_file = sample_placement();
  in_file.node = 4;
  text += place_line(in_file) + newline;
  text += end_line({EndReason::budget, 1.5, 1.25}) + newline;
  return text;
}

}  // namespace batchscope::schema
