#include "json/host_json.hpp"

#include <nlohmann/json.hpp>

namespace batchscope::traceview {
namespace {

using Json = nlohmann::ordered_json;

Json parts_json(const attribution::HostParts& parts) {
  Json json = Json::object();
  for (size_t i = 0; i < attribution::kHostParts; ++i) {
    const auto part = static_cast<attribution::HostPart>(i);
    json[std::string(to_string(part)) + "_ns"] = parts[part];
  }
  return json;
}

}  // namespace

Json host_json(const attribution::HostTime& host) {
  Json json = {{"wall_ns", host.wall_ns()},
               {"parts", parts_json(host.parts)},
               {"one_thread_alone_ns", host.alone_ns},
               {"steps_named", host.steps_named},
               {"steps", Json::array()},
               {"threads", Json::array()}};
  for (const auto& step : host.steps) {
    json["steps"].push_back(
        {{"step", step.number}, {"wall_ns", step.wall_ns}, {"parts", parts_json(step.parts)}});
  }
  for (const auto& thread : host.threads) {
    json["threads"].push_back({{"process", thread.process},
                               {"thread", thread.thread},
                               {"name", thread.name},
                               {"own", parts_json(thread.own)},
                               {"inclusive", parts_json(thread.inclusive)}});
  }
  return json;
}

}  // namespace batchscope::traceview
