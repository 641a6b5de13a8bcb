#include "diagnosis_json.hpp"

#include "batchscope/schema/json.hpp"

namespace batchscope::schema {
namespace {

using Json = nlohmann::ordered_json;

Json operation_json(const Operation& operation) {
  Json json = {{"name", operation.name},
               {"kind", operation.kind.text()},
               {"calls", operation.calls},
               {"total_ns", operation.total_ns},
               {"self_ns", operation.self_ns}};
  put(json, "grid_blocks", operation.grid_blocks);
  put(json, "threads_per_block", operation.threads_per_block);
  put(json, "blocks_per_sm", operation.blocks_per_sm);
  put(json, "occupancy", operation.occupancy);
  put(json, "bytes", operation.bytes);
  if (operation.pageable) json["pageable"] = true;
  return json;
}

Json primitive_json(const Primitive& primitive) {
  return {{"kind", primitive.kind},       {"implementation", primitive.implementation},
          {"calls", primitive.calls},     {"total_ns", primitive.total_ns},
          {"created", primitive.created}, {"creation_ns", primitive.creation_ns}};
}

Operation read_operation(const JsonFields& fields) {
  Operation operation;
  fields.require("name", operation.name);
  fields.require("kind", operation.kind);
  fields.at_least("calls", int64_t{0}, operation.calls);
  fields.at_least("total_ns", int64_t{0}, operation.total_ns);
  fields.at_least("self_ns", int64_t{0}, operation.self_ns);
  fields.read("grid_blocks", operation.grid_blocks);
  fields.read("threads_per_block", operation.threads_per_block);
  fields.read("blocks_per_sm", operation.blocks_per_sm);
  fields.read("occupancy", operation.occupancy);
  fields.read("bytes", operation.bytes);
  fields.read("pageable", operation.pageable);
  return operation;
}

Primitive read_primitive(const JsonFields& fields) {
  Primitive primitive;
  fields.require("kind", primitive.kind);
  fields.require("implementation", primitive.implementation);
  fields.at_least("calls", int64_t{0}, primitive.calls);
  fields.at_least("total_ns", int64_t{0}, primitive.total_ns);
  fields.at_least("created", int64_t{0}, primitive.created);
  fields.at_least("creation_ns", int64_t{0}, primitive.creation_ns);
  return primitive;
}

}  // namespace

Json diagnosis_json(const Diagnosis& diagnosis) {
  Json json = Json::object();
  if (!diagnosis.counters.empty()) json["counters"] = diagnosis.counters;
  if (!diagnosis.thread_busy_ns.empty()) json["thread_busy_ns"] = diagnosis.thread_busy_ns;
  put(json, "anonymous_bytes", diagnosis.anonymous_bytes);
  put(json, "huge_page_bytes", diagnosis.huge_page_bytes);
  if (!diagnosis.tracer.empty()) {
    json["tracer"] = diagnosis.tracer;
    json["traced_iterations"] = diagnosis.traced_iterations;
    json["traced_ns"] = diagnosis.traced_ns;
    json["operations"] = Json::array();
    for (const Operation& each : diagnosis.operations) {
      json["operations"].push_back(operation_json(each));
    }
  }
  put(json, "device_busy_ns", diagnosis.device_busy_ns);
  put(json, "multiprocessors", diagnosis.multiprocessors);
  if (diagnosis.logged_iterations > 0) {
    json["logged_iterations"] = diagnosis.logged_iterations;
    json["primitives"] = Json::array();
    for (const Primitive& each : diagnosis.primitives) {
      json["primitives"].push_back(primitive_json(each));
    }
  }
  if (!diagnosis.absent.empty()) json["absent"] = diagnosis.absent;
  return json;
}

void read_diagnosis(const JsonFields& fields, Diagnosis& diagnosis) {
  fields.read("counters", diagnosis.counters);
  fields.read("thread_busy_ns", diagnosis.thread_busy_ns);
  fields.read("anonymous_bytes", diagnosis.anonymous_bytes);
  fields.read("huge_page_bytes", diagnosis.huge_page_bytes);
  fields.read("tracer", diagnosis.tracer);
  fields.at_least("traced_iterations", int64_t{0}, diagnosis.traced_iterations);
  fields.at_least("traced_ns", int64_t{0}, diagnosis.traced_ns);
  fields.each_object("operations", [&](const JsonFields& inner) {
    diagnosis.operations.push_back(read_operation(inner));
  });
  fields.read("device_busy_ns", diagnosis.device_busy_ns);
  fields.read("multiprocessors", diagnosis.multiprocessors);
  fields.at_least("logged_iterations", int64_t{0}, diagnosis.logged_iterations);
  fields.each_object("primitives", [&](const JsonFields& inner) {
    diagnosis.primitives.push_back(read_primitive(inner));
  });
  fields.read("absent", diagnosis.absent);
}

}  // namespace batchscope::schema
