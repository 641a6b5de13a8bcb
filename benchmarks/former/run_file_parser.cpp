#include "run_file_parser.hpp"

#include <fmt/format.h>

#include "batchscope/base/strings.hpp"
#include "read_lines.hpp"

namespace batchscope::schema::former {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr size_t kMostTold = 20;
constexpr size_t kMostTypes = 100;  // of unknown types told apart
constexpr std::string_view kNotOurs =
    "name a file that `batchscope profile` or `batchscope import` wrote";

std::string type_of(const JsonLine& json) {
  std::string type;
  std::string problem;
  JsonFields(json, 0, problem).read("type", type);
  return type;
}

}  // namespace

Error RunFileParser::error(std::string what, std::string fix) const {
  return {ErrorKind::input, std::move(what), fmt::format("{}:{}", name_, line_), std::move(fix)};
}

void RunFileParser::skip(std::string_view reason) {
  ++run_.report.skipped_count;
  if (run_.report.skipped.size() < kMostTold) {
    run_.report.skipped.push_back(fmt::format("line {}: {}", line_, reason));
  }
}

Result<void> RunFileParser::add(std::string_view line, bool whole) {
  ++line_;
  if (!whole) {
    run_.report.torn_last_line = true;
    // Its own start is enough to tell a run that was killed at once from a file of another kind.
    if (has_header_ || line.substr(0, 16) == R"({"type":"header")") return {};
    return error("is not a run file", std::string(kNotOurs));
  }
  run_.report.valid_bytes += static_cast<int64_t>(line.size()) + 1;
  if (base::trim(line).empty()) return {};
  if (!has_header_) return add_header(line);
  if (!json_.parse(line) || json_.node(0).kind != JsonNode::Kind::object) {
    skip("not a JSON object");
    return {};
  }
  return add_line(line.size());
}

Result<void> RunFileParser::add_header(std::string_view line) {
  if (!json_.parse(line) || type_of(json_) != "header") {
    return error("is not a run file: its first line is no header", std::string(kNotOurs));
  }
  std::string problem;
  int version = 0;
  const JsonFields fields(json_, 0, problem);
  fields.require("schema_version", version);
  fields.at_least("schema_version", 1, version);
  if (problem.empty() && version > kSchemaVersion) {
    return error(fmt::format("was written with schema version {}; this batchscope reads up to {}",
                             version, kSchemaVersion),
                 "update batchscope");
  }
  if (problem.empty()) read_header(fields, run_.header);
  if (!problem.empty()) return error("its header is wrong: " + problem, "measure again");
  has_header_ = true;
  return {};
}

Result<void> RunFileParser::add_line(size_t bytes) {
  const std::string type = type_of(json_);
  if (type == "visit") {
    add_visit(bytes);
  } else if (type == "config") {
    add_config();
  } else if (type == "event") {
    add_event();
  } else if (type == "outputs") {
    add_outputs();
  } else if (type == "probe") {
    add_probe();
  } else if (type == "end") {
    add_end();
  } else if (type == "header") {
    return error("a second header: two run files were joined", "give them as two files");
  } else if (type.empty()) {
    skip("no type");
  } else {
    auto& unknown = run_.report.unknown_types;
    ++unknown[unknown.size() < kMostTypes || unknown.count(type) > 0 ? type : "other"];
  }
  return {};
}

int RunFileParser::place_of(int index) const {
  const auto found = places_.find(index);
  return found == places_.end() ? -1 : found->second;
}

void RunFileParser::add_config() {
  int index = 0;
  RunConfig config;
  std::string problem;
  read_config(JsonFields(json_, 0, problem), index, config);
  if (!problem.empty()) return skip("config: " + problem);
  if (const int place = place_of(index); place >= 0) {
    // Stated again by a resumed run.
    if (run_.configs[static_cast<size_t>(place)] == config) return;
    return skip(fmt::format("config: index {} is taken by another configuration", index));
  }
  places_[index] = static_cast<int>(run_.configs.size());
  run_.configs.push_back(std::move(config));
}

void RunFileParser::add_visit(size_t bytes) {
  Visit visit;
  std::string problem;
  read_visit(JsonFields(json_, 0, problem), visit);
  if (!problem.empty()) return skip("visit: " + problem);
  const int place = place_of(visit.config);
  if (place < 0) return skip(fmt::format("visit: no configuration {} before it", visit.config));
  visit.config = place;
  // Visits are much alike in length; growing step by step would copy most of the run again.
  if (run_.visits.empty()) run_.visits.reserve(bytes_ / bytes + 1);
  run_.visits.push_back(std::move(visit));
}

void RunFileParser::add_event() {
  Event event;
  std::string problem;
  read_event(JsonFields(json_, 0, problem), event);
  if (!problem.empty()) return skip("event: " + problem);
  if (event.config) {
    const int place = place_of(*event.config);
    if (place < 0) return skip(fmt::format("event: no configuration {} before it", *event.config));
    event.config = place;
  }
  run_.events.push_back(std::move(event));
}

void RunFileParser::add_outputs() {
  OutputDifference outputs;
  std::string problem;
  read_outputs(JsonFields(json_, 0, problem), outputs);
  if (!problem.empty()) return skip("outputs: " + problem);
  outputs.config = place_of(outputs.config);
  outputs.against = place_of(outputs.against);
  if (outputs.config < 0 || outputs.against < 0) {
    return skip("outputs: not of two configurations before it");
  }
  run_.outputs.push_back(outputs);
}

void RunFileParser::add_probe() {
  Probe probe;
  std::string problem;
  read_probe(JsonFields(json_, 0, problem), probe);
  if (!problem.empty()) return skip("probe: " + problem);
  const int place = place_of(probe.config);
  if (place < 0) return skip(fmt::format("probe: no configuration {} before it", probe.config));
  probe.config = place;
  run_.probes.push_back(std::move(probe));
}

void RunFileParser::add_end() {
  End end;
  std::string problem;
  read_end(JsonFields(json_, 0, problem), end);
  if (!problem.empty()) return skip("end: " + problem);
  run_.end = std::move(end);
}

Result<RunFile> RunFileParser::finish() && {
  if (has_header_) return std::move(run_);
  if (run_.report.torn_last_line) {
    return error("its header line is torn: nothing was measured yet",
                 "start again with --overwrite");
  }
  return Error{ErrorKind::input, "is empty", name_, std::string(kNotOurs)};
}

Result<RunFile> parse_run_file(std::string_view text, std::string_view name) {
  RunFileParser parser(name, text.size());
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const bool whole = end != std::string_view::npos;
    if (auto added = parser.add(text.substr(0, end), whole); !added) return added.error();
    text.remove_prefix(whole ? end + 1 : text.size());
  }
  return std::move(parser).finish();
}

}  // namespace batchscope::schema::former
