#include <fmt/format.h>

#include <array>

#include "axis_row.hpp"

namespace batchscope::schema {
namespace {

// Without a loader they are all alike.
Loader loader_of(const RunConfig& config) {
  return config.loader.value_or(Loader{});
}

std::string source_of(const RunConfig& config) {
  return config.loader ? source_in_words(*config.loader) : "";
}

constexpr std::array<AxisPart, 4> kParts = {
    {{"loader", AxisKind::work, [](const RunConfig& c) { return loader_of(c).source; }, source_of},
     {"loader_workers", AxisKind::setting,
      [](const RunConfig& c) { return fmt::format("{}", loader_of(c).workers); },
      [](const RunConfig& c) { return workers_in_words(loader_of(c)); }},
     {"prefetch", AxisKind::setting,
      [](const RunConfig& c) { return fmt::format("{}", loader_of(c).prefetch); },
      [](const RunConfig& c) { return fmt::format("prefetch {}", loader_of(c).prefetch); }},
     {"prefetch_to_device", AxisKind::setting,
      [](const RunConfig& c) {
        return std::string(loader_of(c).prefetch_to_device ? "on" : "off");
      },
      [](const RunConfig& c) {
        return std::string(loader_of(c).prefetch_to_device ? "prefetching to the device"
                                                           : "copying when wanted");
      }}}};

void write(const RunConfig& config, nlohmann::ordered_json& json) {
  if (!config.loader) return;
  const Loader& loader = *config.loader;
  auto& out = json["loader"];
  out["source"] = loader.source;
  out["workers"] = loader.workers;
  out["prefetch"] = loader.prefetch;
  if (loader.prefetch_to_device) out["prefetch_to_device"] = true;
}

void read(const JsonFields& fields, RunConfig& config) {
  fields.object("loader", [&](const JsonFields& inner) {
    Loader& loader = config.loader.emplace();
    inner.require("source", loader.source);
    inner.at_least("workers", 0, loader.workers);
    inner.at_least("prefetch", 1, loader.prefetch);
    inner.read("prefetch_to_device", loader.prefetch_to_device);
  });
}

std::vector<Argument> arguments(const RunConfig& config) {
  if (!config.loader) return {};
  const Loader& loader = *config.loader;
  std::vector<Argument> made = {{"--loader", loader.source},
                                {"--loader-workers", fmt::format("{}", loader.workers)},
                                {"--prefetch", fmt::format("{}", loader.prefetch)}};
  if (loader.prefetch_to_device) made.push_back({"--prefetch-to-device", "on"});
  return made;
}

}  // namespace

AxisRow loader_axis() {
  return {{.id = AxisId::loader,
           .name = "loader",
           .sets_outputs = true,
           .parts = kParts,
           .described = [](const RunConfig& c) { return c.loader ? describe(*c.loader) : ""; },
           .words = [](const RunConfig& c) { return c.loader ? in_words(*c.loader) : ""; },
           .forget = [](RunConfig& c) { c.loader.reset(); },
           .arguments = arguments},
          write,
          read};
}

}  // namespace batchscope::schema
