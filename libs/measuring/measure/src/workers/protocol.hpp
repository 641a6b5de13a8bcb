#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/measure/executor.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::measure {

// What parent and worker say to each other, one JSON line each. A worker's lines have the
// secret of the request (base::marked): a model that writes into descriptors that are not its own
// is recognised, whatever it writes, and costs its visit. The parent sends a request; the worker
// answers with a reply, before which it may send the line kTimedLine and wait for an answer to it.
// One of several instances also sends kReadyLine when it is warm, and goes on from either line only
// when all have sent it. Both come from the same binary, so the lines need no version.
inline constexpr std::string_view kReadyLine = "ready";
inline constexpr std::string_view kTimedLine = "timed";
inline constexpr std::string_view kGoOnLine = "go-on";

// These lines with a number of iterations: how many one instance wants, or how many are agreed on.
std::string numbered(std::string_view line, int64_t iterations);
// The number, when `text` is such a line.
std::optional<int64_t> number_of(std::string_view line, std::string_view text);

struct WorkerRequest {
  VisitRequest visit;
  int64_t started_ns = 0;    // on the steady clock: when the parent began the visit
  bool asks_facts = false;   // what its engine says of the model, instead of running it
  bool asks_inputs = false;  // the same: what the model's file is to be fed
  std::string secret{};      // new for each request
};

// What the file of a model is to be fed.
struct ReportedInputs {
  std::vector<engine::InputSpec> inputs;
};

// Its record crosses as it stands in a run file, and is read once. The parent adds what it alone
// knows (how long the whole visit took, how fit the machine was, the memory of the group) and joins
// several instances before the sink writes it.
struct WorkerReply {
  std::optional<schema::Visit> visit;               // one of these
  std::optional<schema::OutputDifference> outputs;  // where the request is to compare
  std::optional<schema::ModelInfo> facts;           // where it asks for facts
  std::optional<ReportedInputs> inputs;             // where it asks for inputs
  std::optional<base::Error> refusal;               // of either, as the engine said it
  std::optional<schema::Event> failure;             //
  bool fatal = false;   // the failure would hit every visit (no such engine)
  int64_t wall_ns = 0;  // on the engine's clock
  bool virtual_time = false;
  int64_t cpu_ns = 0;  // used by the worker since it started
};

// Whether the reply is one thing, and what the request is about.
bool answers(const WorkerReply& reply, const WorkerRequest& request);

std::string to_line(const WorkerRequest& request);
std::string to_line(const WorkerReply& reply);
// Errors: failed (not such a line).
base::Result<WorkerRequest> parse_request(std::string_view line);
base::Result<WorkerReply> parse_reply(std::string_view line);

}  // namespace batchscope::measure
