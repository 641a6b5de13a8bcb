#include "batchscope/findings/place.hpp"

#include <fmt/chrono.h>

#include "batchscope/schema/json.hpp"
#include "batchscope/schema/run_config.hpp"
#include "place_json.hpp"

namespace batchscope::findings {
namespace {

using Json = nlohmann::ordered_json;

// UTC, ISO 8601, to the millisecond.
std::string text_of(Milliseconds time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (time - seconds).count());
}

struct InWords {
  bool with_time = true;

  std::string at_time(Milliseconds time) const {
    return with_time ? " at " + text_of(time) : std::string();
  }
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const ConfigPlace& at) const { return describe(at.config()); }
  std::string operator()(const TraceStep& at) const {
    return fmt::format("rank {}, step {}", at.rank, at.step);
  }
  std::string operator()(const GpuMoment& at) const {
    const std::string slice = at.slice ? fmt::format(", slice {}", *at.slice) : "";
    return fmt::format("GPU {}{}{}", at.gpu, slice, at_time(at.time));
  }
  std::string operator()(const ProcessMoment& at) const {
    return fmt::format("process {} ({}){}", at.pid, at.name, at_time(at.time));
  }
  std::string operator()(const MachineMoment& at) const { return "the machine" + at_time(at.time); }
};

struct InJson {
  Json operator()(std::monostate) const { return Json::object(); }
  Json operator()(const ConfigPlace& at) const { return schema::config_json<Json>(at.config()); }
  Json operator()(const TraceStep& at) const { return {{"rank", at.rank}, {"step", at.step}}; }
  Json operator()(const GpuMoment& at) const {
    Json where = {{"gpu", at.gpu}};
    if (at.slice) where["slice"] = *at.slice;
    where["time"] = text_of(at.time);
    return where;
  }
  Json operator()(const ProcessMoment& at) const {
    return {{"pid", at.pid}, {"process", at.name}, {"time", text_of(at.time)}};
  }
  Json operator()(const MachineMoment& at) const { return {{"time", text_of(at.time)}}; }
};

}  // namespace

ConfigPlace::ConfigPlace(const schema::RunConfig& config)
    : config_(std::make_shared<const schema::RunConfig>(config)) {}

bool ConfigPlace::operator==(const ConfigPlace& other) const {
  return *config_ == *other.config_;
}

const schema::RunConfig* config_of(const Place& place) {
  const auto* const at = std::get_if<ConfigPlace>(&place);
  return at == nullptr ? nullptr : &at->config();
}

std::string in_words(const Place& place) {
  return std::visit(InWords{}, place);
}

std::string subject_in_words(const Place& place) {
  return std::visit(InWords{.with_time = false}, place);
}

Json place_json(const Place& place) {
  return std::visit(InJson{}, place);
}

}  // namespace batchscope::findings
