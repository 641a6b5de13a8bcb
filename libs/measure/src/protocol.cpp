#include "protocol.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::measure {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using nlohmann::json;

template <class T>
void put(json& object, const char* name, const std::optional<T>& value) {
  if (value) object[name] = *value;
}

template <class T>
void get(const json& object, const char* name, std::optional<T>& value) {
  if (const auto found = object.find(name); found != object.end()) value = found->get<T>();
}

json to_json(const engine::InputSpec& input) {
  json dimensions = json::array();
  for (const engine::Dimension& dimension : input.dimensions) {
    if (dimension.symbol == engine::Symbol::none) {
      dimensions.push_back(dimension.size);
    } else {
      dimensions.push_back(to_string(dimension.symbol));
    }
  }
  json object{{"name", input.name}, {"dimensions", dimensions}, {"dtype", to_string(input.dtype)}};
  put(object, "constant", input.constant);
  put(object, "low", input.low);
  put(object, "high", input.high);
  return object;
}

engine::Symbol symbol_from(std::string_view text) {
  return text == to_string(engine::Symbol::length) ? engine::Symbol::length : engine::Symbol::batch;
}

engine::InputSpec input_from(const json& object) {
  engine::InputSpec input;
  input.name = object.at("name");
  input.dtype = engine::parse_dtype(object.at("dtype").get<std::string>()).value();
  for (const json& dimension : object.at("dimensions")) {
    if (dimension.is_string()) {
      input.dimensions.push_back({0, symbol_from(dimension.get<std::string>())});
    } else {
      input.dimensions.push_back({dimension.get<int64_t>()});
    }
  }
  get(object, "constant", input.constant);
  get(object, "low", input.low);
  get(object, "high", input.high);
  return input;
}

json to_json(const engine::ModelSpec& model) {
  json inputs = json::array();
  for (const engine::InputSpec& input : model.inputs) inputs.push_back(to_json(input));
  return {{"name", model.name}, {"path", model.path}, {"inputs", inputs}, {"seed", model.seed}};
}

engine::ModelSpec model_from(const json& object) {
  engine::ModelSpec model;
  model.name = object.at("name");
  model.path = object.at("path");
  model.seed = object.at("seed");
  for (const json& input : object.at("inputs")) model.inputs.push_back(input_from(input));
  return model;
}

json to_json(const WarmupRule& rule) {
  json object{{"at_least", rule.at_least},
              {"at_most", rule.at_most},
              {"at_most_ns", rule.at_most_ns},
              {"long_ns", rule.long_ns},
              {"agreement", rule.agreement}};
  put(object, "fixed", rule.fixed);
  return object;
}

WarmupRule warmup_from(const json& object) {
  WarmupRule rule;
  rule.at_least = object.at("at_least");
  rule.at_most = object.at("at_most");
  rule.at_most_ns = object.at("at_most_ns");
  rule.long_ns = object.at("long_ns");
  rule.agreement = object.at("agreement");
  get(object, "fixed", rule.fixed);
  return rule;
}

json to_json(const TimedRule& rule) {
  json object{{"at_least", rule.at_least},
              {"at_least_ns", rule.at_least_ns},
              {"over_startup", rule.over_startup},
              {"amortised_most_ns", rule.amortised_most_ns},
              {"enough", rule.enough}};
  put(object, "fixed", rule.fixed);
  return object;
}

TimedRule timed_from(const json& object) {
  TimedRule rule;
  rule.at_least = object.at("at_least");
  rule.at_least_ns = object.at("at_least_ns");
  rule.over_startup = object.at("over_startup");
  rule.amortised_most_ns = object.at("amortised_most_ns");
  rule.enough = object.at("enough");
  get(object, "fixed", rule.fixed);
  return rule;
}

json to_json(const engine::VisitContext& context) {
  return {{"seed", context.seed},         {"process", context.process},
          {"number", context.number},     {"elapsed_ns", context.elapsed_ns},
          {"instance", context.instance}, {"previous_batch_size", context.previous_batch_size}};
}

engine::VisitContext context_from(const json& object) {
  engine::VisitContext context;
  context.seed = object.at("seed");
  context.process = object.at("process");
  context.number = object.at("number");
  context.elapsed_ns = object.at("elapsed_ns");
  context.instance = object.at("instance");
  context.previous_batch_size = object.at("previous_batch_size");
  return context;
}

// Configurations, visits and events travel as lines of a run file, which can write and read them.
schema::RunFile records_from(const std::string& lines) {
  auto run = schema::parse_run_file(schema::header_line({}) + "\n" + lines + "\n", "worker");
  return run ? *std::move(run) : schema::RunFile();
}

// A visit or an event belongs to a configuration of its file.
schema::RunFile record_from(const std::string& line) {
  return records_from(schema::config_line(0, {}) + "\n" + line);
}

Error not_understood(std::string_view line) {
  return {ErrorKind::failed, "the other side sent what cannot be understood", "worker",
          std::string("starts with: ") + std::string(line.substr(0, 60))};
}

}  // namespace

std::string to_line(const WorkerRequest& request) {
  const VisitRequest& visit = request.visit;
  json object{{"run", schema::config_line(0, visit.run)},
              {"model", to_json(visit.model)},
              {"wait_each", visit.wait_each},
              {"traced", visit.traced},
              {"diagnostic", visit.purpose == schema::Purpose::diagnostic},
              {"warmup", to_json(visit.warmup)},
              {"timed", to_json(visit.timed)},
              {"held_back_bytes", visit.held_back_bytes},
              {"context", to_json(visit.context)},
              {"started_ns", request.started_ns}};
  if (visit.against) {
    object["against"] = {{"run", schema::config_line(0, visit.against->run)},
                         {"model", to_json(visit.against->model)}};
  }
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string to_line(const WorkerReply& reply) {
  json object{{"fatal", reply.fatal},
              {"wall_ns", reply.wall_ns},
              {"virtual_time", reply.virtual_time},
              {"cpu_ns", reply.cpu_ns}};
  if (reply.visit) object["visit"] = schema::visit_line(*reply.visit);
  if (reply.outputs) object["outputs"] = schema::outputs_line(*reply.outputs);
  if (reply.failure) object["failure"] = schema::event_line(*reply.failure);
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string numbered(std::string_view line, int64_t iterations) {
  return fmt::format("{} {}", line, iterations);
}

std::optional<int64_t> number_of(std::string_view line, std::string_view text) {
  if (!text.starts_with(line) || text.size() < line.size() + 2 || text[line.size()] != ' ') {
    return std::nullopt;
  }
  text.remove_prefix(line.size() + 1);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Result<WorkerRequest> parse_request(std::string_view line) {
  try {
    const json object = json::parse(line);
    const auto run = records_from(object.at("run"));
    if (run.configs.size() != 1) return not_understood(line);
    WorkerRequest request;
    request.visit.run = run.configs[0];
    request.visit.model = model_from(object.at("model"));
    request.visit.wait_each = object.at("wait_each");
    request.visit.traced = object.at("traced");
    if (object.at("diagnostic")) request.visit.purpose = schema::Purpose::diagnostic;
    request.visit.warmup = warmup_from(object.at("warmup"));
    request.visit.timed = timed_from(object.at("timed"));
    request.visit.held_back_bytes = object.at("held_back_bytes");
    request.visit.context = context_from(object.at("context"));
    request.started_ns = object.at("started_ns");
    if (object.contains("against")) {
      const json& against = object.at("against");
      const auto other = records_from(against.at("run"));
      if (other.configs.size() != 1) return not_understood(line);
      request.visit.against = Against{other.configs[0], model_from(against.at("model"))};
    }
    return request;
  } catch (const json::exception&) {
    return not_understood(line);
  } catch (const std::bad_optional_access&) {  // a type of elements that there is none of
    return not_understood(line);
  }
}

Result<WorkerReply> parse_reply(std::string_view line) {
  try {
    const json object = json::parse(line);
    WorkerReply reply;
    reply.fatal = object.at("fatal");
    reply.wall_ns = object.at("wall_ns");
    reply.virtual_time = object.at("virtual_time");
    reply.cpu_ns = object.at("cpu_ns");
    for (const char* const kind : {"visit", "outputs", "failure"}) {
      if (!object.contains(kind)) continue;
      const auto records = record_from(object.at(kind));
      if (!records.visits.empty()) reply.visit = records.visits[0];
      if (!records.outputs.empty()) reply.outputs = records.outputs[0];
      if (!records.events.empty()) reply.failure = records.events[0];
    }
    if (!reply.visit && !reply.outputs && !reply.failure) return not_understood(line);
    return reply;
  } catch (const json::exception&) {
    return not_understood(line);
  }
}

}  // namespace batchscope::measure
