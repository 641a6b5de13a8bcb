#include "batchscope/tune/export.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "batchscope/base/strings.hpp"
#include "batchscope/schema/not_stated.hpp"

namespace batchscope::tune {
namespace {

using testing::HasSubstr;
using testing::Not;

Deployment deployment() {
  Deployment made;
  made.config.engine = "torch";
  made.config.model = "bert";
  made.config.shape = {12, 128};
  made.config.threads = 2;
  made.config.instances = 3;
  made.good_sizes = {{1, 50}, {4, 80}, {6, 75}, {8, 91}, {10, 90}, {12, 100}, {16, 110}};
  made.rate = 100;
  made.latency_s = 0.05;
  return made;
}

Deployment deployment_on(const std::string& device) {
  Deployment made = deployment();
  made.config.device = device;
  return made;
}

// "name<separator>value" lines, without comments.
std::map<std::string, std::string> lines_of(const std::string& text, char separator) {
  std::map<std::string, std::string> lines;
  for (const std::string_view line : base::split(text, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t at = line.find(separator);
    EXPECT_NE(at, std::string_view::npos) << line;
    lines[std::string(line.substr(0, at))] = std::string(base::trim(line.substr(at + 1)));
  }
  return lines;
}

// "--flag value" pairs of a command.
std::map<std::string, std::string> flags_of(const std::string& text) {
  std::map<std::string, std::string> flags;
  const std::string command = text.substr(text.rfind("text-embeddings-router"));
  const auto words = base::split(base::trim(command), ' ');
  for (std::size_t i = 1; i + 1 < words.size(); i += 2) flags[std::string(words[i])] = words[i + 1];
  return flags;
}

TEST(ExportFormat, IsOneOfFour) {
  for (const char* const name : {"yaml", "env", "triton", "tei"}) {
    EXPECT_TRUE(parse_export_format(name));
    for (const char* const other : {"kserve", "torchserve"}) {
      EXPECT_THAT(parse_export_format(other).error().fix, HasSubstr(name));
    }
  }
}

TEST(Export, YamlHoldsTheSetting) {
  const auto lines = lines_of(export_text(ExportFormat::yaml, deployment()), ':');
  EXPECT_EQ(lines.at("batch_size"), "12");
  EXPECT_EQ(lines.at("seq_len"), "128");
  EXPECT_EQ(lines.at("threads"), "2");
  EXPECT_EQ(lines.at("instances"), "3");
  EXPECT_EQ(lines.at("good_sizes"), "[1, 4, 6, 8, 10, 12, 16]");
  EXPECT_EQ(lines.at("verified"), "false");
}

TEST(Export, SaysWhoseFiguresItHas) {
  Deployment made = deployment();
  EXPECT_THAT(export_text(ExportFormat::env, made),
              HasSubstr("from the search alone, not verified"));
  EXPECT_EQ(lines_of(export_text(ExportFormat::yaml, made), ':').at("fresh_visits"), "0");
  made.fresh_visits = 12;
  EXPECT_THAT(export_text(ExportFormat::env, made), Not(HasSubstr("search alone")));
  EXPECT_THAT(export_text(ExportFormat::env, made), HasSubstr("per batch, not verified\n"));
  made.verified = true;
  EXPECT_THAT(export_text(ExportFormat::env, made), HasSubstr("verified in separate visits"));
}

TEST(Export, EnvHasNothingBesideNamesAndValues) {
  const auto lines = lines_of(export_text(ExportFormat::env, deployment()), '=');
  EXPECT_EQ(lines.at("BATCH_SIZE"), "12");
  EXPECT_EQ(lines.at("OMP_NUM_THREADS"), "2");
  EXPECT_EQ(lines.at("INSTANCES"), "3");
}

Deployment training() {
  Deployment made = deployment();
  made.config.mode = schema::Mode::train;
  made.config.optimizer = "adamw";
  made.config.accumulation = 2;
  made.config.checkpointing = true;
  made.config.instances = 1;
  return made;
}

TEST(Export, YamlHoldsHowAStepIsMade) {
  const std::string text = export_text(ExportFormat::yaml, training());
  EXPECT_THAT(text, HasSubstr("50 ms per step, "));
  const auto lines = lines_of(text, ':');
  EXPECT_EQ(lines.at("mode"), "train");
  EXPECT_EQ(lines.at("accumulation"), "2");
  EXPECT_EQ(lines.at("effective_batch"), "24");
  EXPECT_EQ(lines.at("checkpointing"), "true");
  EXPECT_EQ(lines.at("optimizer"), "\"adamw\"");
  EXPECT_EQ(lines_of(export_text(ExportFormat::yaml, deployment()), ':').count("accumulation"), 0);
}

TEST(Export, EnvHoldsHowAStepIsMade) {
  const auto lines = lines_of(export_text(ExportFormat::env, training()), '=');
  EXPECT_EQ(lines.at("MODE"), "train");
  EXPECT_EQ(lines.at("ACCUMULATION"), "2");
  EXPECT_EQ(lines.at("EFFECTIVE_BATCH"), "24");
  EXPECT_EQ(lines.at("CHECKPOINTING"), "true");
  EXPECT_EQ(lines.at("OPTIMIZER"), "adamw");
}

TEST(Export, ServersDoNotTrain) {
  for (const ExportFormat format : {ExportFormat::triton, ExportFormat::tei}) {
    EXPECT_FALSE(check_export(format, training().config));
    EXPECT_TRUE(check_export(format, deployment().config));
  }
  EXPECT_TRUE(check_export(ExportFormat::yaml, training().config));
  EXPECT_TRUE(check_export(ExportFormat::env, training().config));
}

TEST(Export, AServerGetsOnlyWhatItRuns) {
  schema::RunConfig image = deployment().config;
  image.shape.seq_len.reset();
  image.model = "resnet50";
  const auto refused = check_export(ExportFormat::tei, image);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what,
              HasSubstr("serves text encoders, but resnet50 accepts no texts"));
  EXPECT_TRUE(check_export(ExportFormat::triton, image));
  schema::RunConfig other = deployment().config;
  other.engine = "openvino";
  EXPECT_TRUE(check_export(ExportFormat::triton, other));
}

TEST(Export, WhatATableDoesNotStateIsMarked) {
  Deployment made = deployment();
  made.config.engine = "imported";
  made.config.shape.seq_len.reset();
  made.config.precision = schema::kPrecisionNotStated;
  made.config.device.clear();
  made.config.threads = 0;
  EXPECT_TRUE(check_export(ExportFormat::tei, made.config));
  const std::string tei = export_text(ExportFormat::tei, made);
  EXPECT_THAT(tei, HasSubstr("# the measured engine is not stated"));
  EXPECT_THAT(tei, HasSubstr("# the run file does not state whether the model is a text encoder"));
  EXPECT_THAT(tei, Not(HasSubstr("--dtype")));
  EXPECT_THAT(tei, Not(HasSubstr("--tokenization-workers")));
  for (const ExportFormat format : {ExportFormat::yaml, ExportFormat::env}) {
    const std::string text = export_text(format, made);
    EXPECT_THAT(text, HasSubstr("# precision, device and threads not stated"));
    EXPECT_THAT(text, Not(HasSubstr("unknown")));
  }
}

TEST(Export, TeiIsMarkedAsAnotherEngine) {
  EXPECT_THAT(export_text(ExportFormat::tei, deployment()),
              HasSubstr("# measured with torch; this server runs its own engine"));
}

TEST(Export, EachOfSeveralServersHasItsPort) {
  const std::string text = export_text(ExportFormat::tei, deployment());
  for (const char* const port : {" --port 3000 ", " --port 3001 ", " --port 3002 "}) {
    EXPECT_THAT(text, HasSubstr(port));
  }
  Deployment alone = deployment();
  alone.config.instances = 1;
  EXPECT_THAT(export_text(ExportFormat::tei, alone), Not(HasSubstr("--port")));
}

TEST(Export, TritonNamesTheModelAndItsInputs) {
  Deployment made = deployment();
  made.config.model = "sentence-transformers/bert v2";
  made.inputs = {"input_ids:BxS:int64=0-999", "mask:BxS:bool=1", "x:Bx3x224x224", "y:B:float16"};
  const std::string text = export_text(ExportFormat::triton, made);
  EXPECT_THAT(text, HasSubstr("\nname: \"sentence-transformers_bert_v2\"\n"));
  EXPECT_THAT(text,
              HasSubstr("name: \"input_ids\"\n    data_type: TYPE_INT64\n    dims: [ -1 ]\n"));
  EXPECT_THAT(text, HasSubstr("name: \"mask\"\n    data_type: TYPE_BOOL\n    dims: [ -1 ]\n"));
  EXPECT_THAT(text, HasSubstr("data_type: TYPE_FP32\n    dims: [ 3, 224, 224 ]\n"));
  EXPECT_THAT(text, HasSubstr("TYPE_FP16\n    dims: [ 1 ]\n    reshape { shape: [ ] }\n"));
  EXPECT_THAT(text, HasSubstr("add its output section"));
  EXPECT_THAT(export_text(ExportFormat::triton, deployment()),
              HasSubstr("add its input and output sections"));
}

TEST(Export, TritonPrefersGoodSizesUpToThePickThatAreWorthIt) {
  const std::string text = export_text(ExportFormat::triton, deployment());
  EXPECT_THAT(text, HasSubstr("max_batch_size: 12\n"));
  EXPECT_THAT(text, HasSubstr("preferred_batch_size: [ 4, 8, 10, 12 ]"));
  EXPECT_THAT(text, HasSubstr("count: 3\n    kind: KIND_CPU"));
  EXPECT_THAT(text, Not(HasSubstr("max_queue_delay")));
  // The rates of sizes are the search's, and fresh visits show less.
  Deployment fresh = deployment();
  fresh.rate = 80;
  EXPECT_THAT(export_text(ExportFormat::triton, fresh),
              HasSubstr("preferred_batch_size: [ 4, 8, 10, 12 ]"));
}

TEST(Export, TheQueueMayTakeWhatTheBudgetLeaves) {
  Deployment made = deployment();
  EXPECT_EQ(queue_delay_us(made), 0);
  made.latency_budget_s = 0.12;  // its own batch and the one before it take 100 ms
  EXPECT_EQ(queue_delay_us(made), 20'000);
  EXPECT_THAT(export_text(ExportFormat::triton, made),
              HasSubstr("max_queue_delay_microseconds: 20000"));
  made.latency_budget_s = 0.08;
  EXPECT_EQ(queue_delay_us(made), 0);
}

TEST(Export, TritonNamesTheGpu) {
  const std::string text = export_text(ExportFormat::triton, deployment_on("cuda:1"));
  EXPECT_THAT(text, HasSubstr("kind: KIND_GPU\n    gpus: [ 1 ]"));
  EXPECT_THAT(text, Not(HasSubstr("INTRA_OP_THREAD_COUNT")));
}

TEST(Export, OfAnotherAcceleratorSaysThatTheServerHasToBeReportedOfIt) {
  const Deployment made = deployment_on("xpu:0");
  const std::string triton = export_text(ExportFormat::triton, made);
  EXPECT_THAT(triton, HasSubstr("kind: KIND_MODEL\n  }"));
  EXPECT_THAT(triton, Not(HasSubstr("INTRA_OP_THREAD_COUNT")));
  const std::string tei = export_text(ExportFormat::tei, made);
  EXPECT_THAT(tei, Not(HasSubstr("CUDA_VISIBLE_DEVICES")));
  for (const std::string& text : {triton, tei}) {
    EXPECT_THAT(text, HasSubstr("\n# measured on \"xpu:0\": select this device in the server"));
  }
}

TEST(Export, OnTheCpuOrWhereNoDeviceIsStatedNothingIsStatedOfAccelerators) {
  for (const char* const device : {"cpu", ""}) {
    const Deployment made = deployment_on(device);
    const std::string text = export_text(ExportFormat::triton, made);
    EXPECT_THAT(text, HasSubstr("kind: KIND_CPU"));
    EXPECT_THAT(text, Not(HasSubstr("measured on")));
  }
}

TEST(Export, TeiBoundsTokensNotSamples) {
  const auto flags = flags_of(export_text(ExportFormat::tei, deployment()));
  EXPECT_EQ(flags.at("--max-batch-tokens"), "1536");
  EXPECT_EQ(flags.at("--max-batch-requests"), "12");
  EXPECT_EQ(flags.at("--max-client-batch-size"), "32");
  EXPECT_EQ(flags.count("--max-concurrent-requests"), 0) << "a burst would be refused";
  EXPECT_EQ(flags.at("--tokenization-workers"), "2");
  EXPECT_EQ(flags.at("--dtype"), "float32");
}

TEST(Export, TeiCutsOffWhatFitsIntoNoBatch) {
  const std::string text = export_text(ExportFormat::tei, deployment());
  EXPECT_THAT(text, HasSubstr("# texts longer than 1536 tokens"));
  EXPECT_THAT(text, testing::EndsWith(" --auto-truncate\n"));
}

TEST(Export, TeiHasRoomForTheLongestOfAMix) {
  Deployment made = deployment();
  made.config.shape.seq_len.reset();
  made.config.shape.length_mix = "16-64:uniform";
  made.config.shape.lengths = {16, 64, 32};
  EXPECT_EQ(flags_of(export_text(ExportFormat::tei, made)).at("--max-batch-tokens"), "768");
}

TEST(Export, OnlyTheGpuThatWasMeasuredIsUsed) {
  const Deployment made = deployment_on("cuda:1");
  EXPECT_THAT(export_text(ExportFormat::tei, made),
              HasSubstr("\nCUDA_VISIBLE_DEVICES=1 text-embeddings-router"));
}

TEST(Export, WhatElseWasChosenIsInBothFiles) {
  Deployment made = training();
  made.config.loader = schema::Loader{"files", 4, 3};
  made.config.pipeline = schema::TextPipeline{};
  made.config.pipeline->tokenizer_threads = 2;
  made.config.pipeline->order = schema::TextOrder::sorted;
  made.config.environment = {{"MALLOC_ARENA_MAX", "1"}};
  const auto yaml = lines_of(export_text(ExportFormat::yaml, made), ':');
  EXPECT_EQ(yaml.at("loader_workers"), "4");
  EXPECT_EQ(yaml.at("loader_prefetch"), "3");
  EXPECT_EQ(yaml.at("tokenizer_threads"), "2");
  EXPECT_EQ(yaml.at("order"), "\"sorted\"");
  EXPECT_EQ(yaml.at("  MALLOC_ARENA_MAX"), "\"1\"");
  const auto env = lines_of(export_text(ExportFormat::env, made), '=');
  EXPECT_EQ(env.at("SEQ_LEN"), "128");
  EXPECT_EQ(env.at("LOADER_WORKERS"), "4");
  EXPECT_EQ(env.at("LOADER_PREFETCH"), "3");
  EXPECT_EQ(env.at("TOKENIZER_THREADS"), "2");
  EXPECT_EQ(env.at("ORDER"), "sorted");
}

TEST(Export, ServersAreReportedOfTheEnvironment) {
  Deployment made = deployment();
  made.config.environment = {{"LD_PRELOAD", "my malloc.so"}, {"MALLOC_ARENA_MAX", "1"}};
  EXPECT_THAT(export_text(ExportFormat::tei, made),
              HasSubstr("LD_PRELOAD=\"my malloc.so\" MALLOC_ARENA_MAX=\"1\" "
                        "text-embeddings-router"));
  EXPECT_THAT(export_text(ExportFormat::triton, made),
              HasSubstr("# set in the environment of the server: \"LD_PRELOAD=my malloc.so, "
                        "MALLOC_ARENA_MAX=1\"\n"));
}

// A replayed table says what it likes.
TEST(Export, AVariableIsOneLineAndNoCommand) {
  Deployment made = deployment();
  made.config.device = "cpu\nLD_PRELOAD=/tmp/evil.so";
  made.config.environment = {{"A B", "1"},       {"OK", "it's $(id)"}, {"=x", "1"},
                             {"PLAIN", "a/b,1"}, {"TWO", "1\n2"},      {"9", "1"}};
  const std::string text = export_text(ExportFormat::env, made);
  EXPECT_THAT(text, HasSubstr("\n# omitted: DEVICE (its value is not one line)\n"));
  EXPECT_THAT(text, HasSubstr("\nOK='it'\\''s $(id)'\n"));
  EXPECT_THAT(text, HasSubstr("\nPLAIN=a/b,1\n"));
  EXPECT_THAT(text, HasSubstr("\n# omitted: TWO (its value is not one line)\n"));
  EXPECT_THAT(text, Not(HasSubstr("evil")));
  EXPECT_THAT(text, Not(HasSubstr("A B")));
  EXPECT_THAT(text, Not(HasSubstr("\n=")));
  EXPECT_THAT(text, Not(HasSubstr("\n9=")));
}

TEST(Export, TeiHasNoWordForBf16) {
  Deployment made = deployment();
  made.config.precision = schema::Precision::bf16;
  const std::string text = export_text(ExportFormat::tei, made);
  EXPECT_THAT(text, HasSubstr("# measured in bf16"));
  EXPECT_THAT(text, Not(HasSubstr(" --dtype float")));
}

TEST(Export, NamesCannotLeaveTheirQuotes) {
  Deployment made = deployment();
  made.config.model = "a\"; rm -rf $HOME `x`\nmax_batch_size: 1";
  EXPECT_THAT(export_text(ExportFormat::tei, made), HasSubstr("\"a\\\"; rm -rf \\$HOME \\`x\\`"));
  const std::string yaml = export_text(ExportFormat::yaml, made);
  EXPECT_THAT(yaml, HasSubstr("model: \"a\\\"; rm"));
  EXPECT_THAT(yaml, Not(HasSubstr("\nmax_batch_size")));
}

}  // namespace
}  // namespace batchscope::tune
