#include "protocol.hpp"

#include <fmt/format.h>

#include <array>
#include <tuple>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/engine/tables.hpp"
#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/json_line.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::schema {

template <>
const Table& table_of<measure::WarmupRule>() {
  using measure::WarmupRule;
  static constexpr std::array kFields = {
      field<&WarmupRule::at_least>("at_least", {.required = true}),
      field<&WarmupRule::at_most>("at_most", {.required = true}),
      field<&WarmupRule::at_most_ns>("at_most_ns", {.required = true}),
      field<&WarmupRule::long_ns>("long_ns", {.required = true}),
      field<&WarmupRule::agreement>("agreement", {.required = true}),
      field<&WarmupRule::fixed>("fixed")};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<measure::TimedRule>() {
  using measure::TimedRule;
  static constexpr std::array kFields = {
      field<&TimedRule::at_least>("at_least", {.required = true}),
      field<&TimedRule::at_least_ns>("at_least_ns", {.required = true}),
      field<&TimedRule::over_startup>("over_startup", {.required = true}),
      field<&TimedRule::amortised_most_ns>("amortised_most_ns", {.required = true}),
      field<&TimedRule::enough>("enough", {.required = true}),
      field<&TimedRule::fixed>("fixed")};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<measure::Against>() {
  using measure::Against;
  static constexpr std::array kFields = {field<&Against::run>("run", {.required = true}),
                                         field<&Against::model>("model", {.required = true})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<measure::VisitRequest>() {
  using measure::VisitRequest;
  static constexpr std::array kFields = {
      field<&VisitRequest::config>("config", {.required = true}),
      field<&VisitRequest::block>("block", {.required = true}),
      field<&VisitRequest::order>("order", {.required = true}),
      field<&VisitRequest::attempt>("attempt", {.required = true}),
      field<&VisitRequest::purpose>("purpose", {.required = true}),
      field<&VisitRequest::run>("run", {.required = true}),
      field<&VisitRequest::model>("model", {.required = true}),
      field<&VisitRequest::wait_each>("wait_each", {.required = true}),
      field<&VisitRequest::traced>("traced", {.required = true}),
      field<&VisitRequest::trace_file>("trace_file", {.omit = Omit::empty}),
      field<&VisitRequest::warmup>("warmup", {.required = true}),
      field<&VisitRequest::timed>("timed", {.required = true}),
      field<&VisitRequest::held_back_bytes>("held_back_bytes", {.required = true}),
      field<&VisitRequest::context>("context", {.required = true}),
      field<&VisitRequest::against>("against")};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<measure::ReportedInputs>() {
  using measure::ReportedInputs;
  static constexpr std::array kFields = {
      field<&ReportedInputs::inputs>("inputs", {.required = true})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<measure::WorkerRequest>() {
  using measure::WorkerRequest;
  static constexpr std::array kFields = {
      field<&WorkerRequest::visit>("visit", {.required = true}),
      field<&WorkerRequest::secret>("secret", {.required = true}),
      field<&WorkerRequest::started_ns>("started_ns", {.required = true}),
      field<&WorkerRequest::asks_facts>("asks_facts", {.omit = Omit::empty}),
      field<&WorkerRequest::asks_inputs>("asks_inputs", {.omit = Omit::empty})};
  static constexpr Table kTable{kFields};
  return kTable;
}

// The record as it stands in a run file, without its type, which the name of the field says.
template <>
const Table& table_of<measure::WorkerReply>() {
  using measure::WorkerReply;
  static constexpr std::array kFields = {
      field<&WorkerReply::fatal>("fatal", {.required = true}),
      field<&WorkerReply::wall_ns>("wall_ns", {.required = true}),
      field<&WorkerReply::virtual_time>("virtual_time", {.required = true}),
      field<&WorkerReply::cpu_ns>("cpu_ns", {.required = true}),
      field<&WorkerReply::visit>("visit"),
      field<&WorkerReply::outputs>("outputs"),
      field<&WorkerReply::facts>("facts"),
      field<&WorkerReply::inputs>("inputs"),
      field<&WorkerReply::refusal>("refusal"),
      field<&WorkerReply::failure>("failure")};
  static constexpr Table kTable{kFields};
  return kTable;
}

}  // namespace batchscope::schema

namespace batchscope::measure {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

Error not_understood(std::string_view line) {
  return {ErrorKind::failed, "cannot parse a message", "worker",
          std::string("starts with: ") + std::string(line.substr(0, 60))};
}

template <class Message>
Result<Message> parse(std::string_view line) {
  Message message;
  schema::JsonLine json;
  std::string problem;
  const bool is_read = json.take(line) && json.read(message, problem);
  if (!is_read || !problem.empty()) return not_understood(line);
  return message;
}

}  // namespace

std::string to_line(const WorkerRequest& request) {
  return schema::json_line("", request);
}

std::string to_line(const WorkerReply& reply) {
  return schema::json_line("", reply);
}

bool answers(const WorkerReply& reply, const WorkerRequest& request) {
  const bool reported = reply.facts || reply.inputs;
  const int things = int{reply.visit.has_value()} + int{reply.outputs.has_value()} +
                     int{reply.facts.has_value()} + int{reply.inputs.has_value()} +
                     int{reply.refusal.has_value()} + int{reply.failure.has_value()};
  if (things != 1 || (reply.fatal && !reply.failure)) return false;
  if (reply.failure) return true;
  if (request.asks_facts || request.asks_inputs) {
    return reply.refusal || (reported && request.asks_facts == reply.facts.has_value());
  }
  const VisitRequest& asked = request.visit;
  if (asked.against) return reply.outputs.has_value();
  const auto place = [](const auto& of) {
    return std::tuple(of.config, of.block, of.order, of.attempt, of.purpose);
  };
  return reply.visit && place(*reply.visit) == place(asked);
}

std::string numbered(std::string_view line, int64_t iterations) {
  return fmt::format("{} {}", line, iterations);
}

std::optional<int64_t> number_of(std::string_view line, std::string_view text) {
  const std::string start = std::string(line) + " ";
  if (!text.starts_with(start) || text.size() == start.size()) return std::nullopt;
  text.remove_prefix(start.size());
  return base::parse_number<int64_t>(text);
}

Result<WorkerRequest> parse_request(std::string_view line) {
  return parse<WorkerRequest>(line);
}

Result<WorkerReply> parse_reply(std::string_view line) {
  return parse<WorkerReply>(line);
}

}  // namespace batchscope::measure
