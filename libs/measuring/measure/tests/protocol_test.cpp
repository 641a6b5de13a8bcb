#include "workers/protocol.hpp"

#include <gtest/gtest.h>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::measure {
namespace {

TEST(Protocol, ARequestArrivesAsItWasSent) {
  WorkerRequest sent;
  sent.started_ns = 123'456'789'012;
  sent.visit.run.engine = "torch";
  sent.visit.run.model = "a \"model\"\n";
  sent.visit.run.shape = {4, 128};
  sent.visit.run.precision = schema::Precision::bf16;
  sent.visit.run.mode = schema::Mode::train;
  sent.visit.run.optimizer = "adamw";
  sent.visit.run.device = "cuda:1";
  sent.visit.run.threads = 3;
  sent.visit.run.environment = {{"A", "b=c"}};
  sent.visit.model = {"a \"model\"\n", "/x/y.pt", {}, 0xffff'ffff'ffff'ffff};
  sent.visit.model.inputs.push_back(
      {"ids", {{0, engine::Symbol::batch}, {7}}, engine::DType::int64, std::nullopt, 0, 30521});
  sent.visit.model.inputs.push_back({"mask",
                                     {{0, engine::Symbol::length}},
                                     engine::DType::float32,
                                     1.5,
                                     std::nullopt,
                                     std::nullopt});
  sent.visit.wait_each = false;
  sent.visit.warmup.at_least = 5;
  sent.visit.warmup.fixed = 9;
  sent.visit.timed.over_startup = 1.6;
  sent.visit.timed.at_least_ns = 77;
  sent.visit.held_back_bytes = 5'000'000'000;
  sent.visit.context = {3, 4, 5, 6, 7, 16};
  const auto got = parse_request(to_line(sent));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->started_ns, sent.started_ns);
  EXPECT_EQ(got->visit.run, sent.visit.run);
  EXPECT_EQ(got->visit.model.name, sent.visit.model.name);
  EXPECT_EQ(got->visit.model.path, "/x/y.pt");
  EXPECT_EQ(got->visit.model.seed, sent.visit.model.seed);
  ASSERT_EQ(got->visit.model.inputs.size(), 2u);
  EXPECT_EQ(got->visit.model.inputs[0].dimensions[0].symbol, engine::Symbol::batch);
  EXPECT_EQ(got->visit.model.inputs[0].dimensions[1].size, 7);
  EXPECT_EQ(got->visit.model.inputs[0].high, 30521);
  EXPECT_FALSE(got->visit.model.inputs[0].constant);
  EXPECT_EQ(got->visit.model.inputs[1].constant, 1.5);
  EXPECT_FALSE(got->visit.wait_each);
  EXPECT_EQ(got->visit.warmup.at_least, 5);
  EXPECT_EQ(got->visit.warmup.fixed, 9);
  EXPECT_EQ(got->visit.timed.over_startup, 1.6);
  EXPECT_EQ(got->visit.timed.at_least_ns, 77);
  EXPECT_FALSE(got->visit.timed.fixed);
  EXPECT_EQ(got->visit.held_back_bytes, 5'000'000'000);
  EXPECT_EQ(got->visit.context.elapsed_ns, 6);
  EXPECT_EQ(got->visit.context.instance, 7);
  EXPECT_EQ(got->visit.context.previous_batch_size, 16);
}

TEST(Protocol, ARequestSaysWhichVisitOfTheRunItIs) {
  WorkerRequest sent;
  sent.visit.run.engine = "torch";
  sent.visit.run.model = "m";
  sent.visit.config = 2;
  sent.visit.block = 3;
  sent.visit.order = 4;
  sent.visit.attempt = 1;
  sent.visit.purpose = schema::Purpose::verify;
  const auto got = parse_request(to_line(sent));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->visit.config, 2);
  EXPECT_EQ(got->visit.block, 3);
  EXPECT_EQ(got->visit.order, 4);
  EXPECT_EQ(got->visit.attempt, 1);
  EXPECT_EQ(got->visit.purpose, schema::Purpose::verify);
}

TEST(Protocol, ARequestForAMixOfLengthsHasTheLengths) {
  WorkerRequest sent;
  sent.visit.run.engine = "torch";
  sent.visit.run.model = "m";
  sent.visit.run.shape = {2, std::nullopt, "5-9", {5, 9, 7, 6}};
  const auto got = parse_request(to_line(sent));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->visit.run, sent.visit.run);
}

TEST(Protocol, AskedForInputsItTellsThem) {
  WorkerRequest sent;
  sent.visit.run.engine = "torch";
  sent.visit.run.model = "m";
  EXPECT_FALSE(parse_request(to_line(sent))->asks_inputs);
  sent.asks_inputs = true;
  const auto got = parse_request(to_line(sent));
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->asks_inputs);
  EXPECT_FALSE(got->asks_facts);
  WorkerReply reply;
  reply.inputs.emplace();
  reply.inputs->inputs.push_back({"ids",
                                  {{0, engine::Symbol::batch}, {0, engine::Symbol::length}},
                                  engine::DType::int64,
                                  std::nullopt,
                                  0,
                                  999});
  const auto reported = parse_reply(to_line(reply));
  ASSERT_TRUE(reported);
  ASSERT_TRUE(reported->inputs);
  EXPECT_EQ(reported->inputs->inputs.front().high, 999);
}

TEST(Protocol, ARefusalArrivesAsTheEngineStatedIt) {
  for (const auto kind : {base::ErrorKind::failed, base::ErrorKind::usage, base::ErrorKind::input,
                          base::ErrorKind::out_of_memory, base::ErrorKind::interrupted}) {
    WorkerReply reply;
    reply.refusal = base::Error{kind, "is \"torn\"\nhere", "model.pt", "see --input"};
    const auto got = parse_reply(to_line(reply));
    ASSERT_TRUE(got);
    ASSERT_TRUE(got->refusal);
    EXPECT_EQ(got->refusal->kind, kind);
    EXPECT_EQ(base::to_string(*got->refusal), base::to_string(*reply.refusal));
  }
}

TEST(Protocol, AnAnswerIsOneThingThatWasAskedFor) {
  WorkerRequest request;
  request.visit.config = 2;
  request.visit.purpose = schema::Purpose::verify;
  WorkerReply reply;
  EXPECT_FALSE(answers(reply, request));
  reply.visit.emplace();
  reply.visit->config = 2;
  reply.visit->purpose = schema::Purpose::verify;
  EXPECT_TRUE(answers(reply, request));
  for (int schema::Visit::*place : {&schema::Visit::config, &schema::Visit::block,
                                    &schema::Visit::order, &schema::Visit::attempt}) {
    WorkerReply other = reply;
    (*other.visit).*place -= 3;
    EXPECT_FALSE(answers(other, request));
  }
  reply.fatal = true;
  EXPECT_FALSE(answers(reply, request));
  reply.fatal = false;
  reply.outputs.emplace();
  EXPECT_FALSE(answers(reply, request));
  reply.visit.reset();
  EXPECT_FALSE(answers(reply, request));
  request.visit.against.emplace();
  EXPECT_TRUE(answers(reply, request));
  request.asks_facts = true;
  EXPECT_FALSE(answers(reply, request));
  reply = {};
  reply.inputs.emplace();
  EXPECT_FALSE(answers(reply, request));
  reply = {};
  reply.failure.emplace();
  EXPECT_TRUE(answers(reply, request));
}

TEST(Protocol, FactsOfAModelArrive) {
  WorkerRequest sent;
  sent.visit.run.engine = "torch";
  sent.visit.run.model = "m";
  sent.asks_facts = true;
  EXPECT_TRUE(parse_request(to_line(sent))->asks_facts);
  WorkerReply reply;
  reply.facts = schema::ModelInfo{"m", "m.pt", {"x:Bx4"}, 20, "abc", "a net"};
  const auto got = parse_reply(to_line(reply));
  ASSERT_TRUE(got);
  ASSERT_TRUE(got->facts);
  EXPECT_EQ(got->facts->path, "m.pt");
  EXPECT_EQ(got->facts->parameters, 20);
  EXPECT_EQ(got->facts->description, "a net");
}

TEST(Protocol, AVisitArrivesAsItWasSent) {
  WorkerReply sent;
  sent.wall_ns = 11;
  sent.cpu_ns = 12;
  sent.virtual_time = true;
  sent.visit.emplace();
  sent.visit->warmup_ns = {5, 4};
  sent.visit->samples_ns = {3, 3, 3};
  sent.visit->iterations_per_sample = 6;
  sent.visit->phases.push_back({"forward", 9, 8, 3});
  sent.visit->memory.peak_rss_bytes = 4096;
  sent.visit->usage.minor_faults = 2;
  sent.visit->loss = 0.25;
  sent.visit->clock = schema::ClockKind::steady;
  sent.visit->load_ns = 99;
  const auto got = parse_reply(to_line(sent));
  ASSERT_TRUE(got);
  ASSERT_TRUE(got->visit);
  EXPECT_FALSE(got->failure);
  EXPECT_EQ(got->wall_ns, 11);
  EXPECT_EQ(got->cpu_ns, 12);
  EXPECT_TRUE(got->virtual_time);
  EXPECT_EQ(got->visit->warmup_ns, sent.visit->warmup_ns);
  EXPECT_EQ(got->visit->samples_ns, sent.visit->samples_ns);
  EXPECT_EQ(got->visit->iterations_per_sample, 6);
  ASSERT_EQ(got->visit->phases.size(), 1u);
  EXPECT_EQ(got->visit->phases[0].device_ns, 8);
  EXPECT_EQ(got->visit->memory.peak_rss_bytes, 4096);
  EXPECT_EQ(got->visit->usage.minor_faults, 2);
  EXPECT_EQ(got->visit->loss, 0.25);
  EXPECT_EQ(got->visit->clock, schema::ClockKind::steady);
  EXPECT_EQ(got->visit->load_ns, 99);
  EXPECT_EQ(schema::visit_line(*got->visit), schema::visit_line(*sent.visit));
}

// As it will in the run file.
TEST(Protocol, AVisitCrossesAsItIsInARunFile) {
  WorkerReply sent;
  sent.visit.emplace();
  sent.visit->samples_ns = {3, 4};
  sent.visit->clock = schema::ClockKind::steady;
  std::string record = schema::visit_line(*sent.visit);
  record.erase(1, std::string_view(R"("type":"visit",)").size());
  EXPECT_NE(to_line(sent).find(R"("visit":)" + record), std::string::npos);
}

TEST(Protocol, AVisitThatNoRunFileMayHoldIsAnError) {
  WorkerReply sent;
  sent.visit.emplace();
  EXPECT_FALSE(parse_reply(to_line(sent)));
  sent.visit->samples_ns = {0};
  EXPECT_FALSE(parse_reply(to_line(sent)));
  sent.visit->samples_ns = {1};
  EXPECT_TRUE(parse_reply(to_line(sent)));
}

TEST(Protocol, AFailureArrivesAsItWasSent) {
  WorkerReply sent;
  sent.fatal = true;
  sent.failure.emplace();
  sent.failure->kind = schema::EventKind::error;
  sent.failure->what = "bytes that are no text: \xff\xfe";
  sent.failure->fix = "none";
  const auto got = parse_reply(to_line(sent));
  ASSERT_TRUE(got);
  ASSERT_TRUE(got->failure);
  EXPECT_TRUE(got->fatal);
  EXPECT_EQ(got->failure->kind, schema::EventKind::error);
  EXPECT_EQ(got->failure->fix, "none");
  EXPECT_EQ(got->failure->what.substr(0, 10), "bytes that");
}

TEST(Protocol, ALineCarriesItsNumber) {
  EXPECT_EQ(number_of(kGoOnLine, numbered(kGoOnLine, 12)), 12);
  for (const char* text : {"go-on", "go-on ", "go-on x", "go-on 1x", "timed 3", ""}) {
    EXPECT_FALSE(number_of(kGoOnLine, text)) << text;
  }
}

TEST(Protocol, NonsenseIsAnError) {
  for (const char* line : {"", "{", "[]", "{}", "null", "{\"run\":1}", "timed"}) {
    EXPECT_FALSE(parse_request(line)) << line;
    EXPECT_FALSE(parse_reply(line)) << line;
  }
}

}  // namespace
}  // namespace batchscope::measure
