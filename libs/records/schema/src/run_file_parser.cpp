#include "run_file_parser.hpp"

#include <fmt/format.h>

#include "batchscope/base/strings.hpp"
#include "batchscope/schema/tables.hpp"
#include "fields/texts_by_name.hpp"

namespace batchscope::schema {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr size_t kMostReported = 20;
constexpr size_t kMostTypes = 100;  // of unknown types told apart
constexpr std::string_view kNotOurs =
    "give a file written by `batchscope profile` or `batchscope import`";

constexpr std::string_view kNoObject = "not a JSON object";

template <class Settings>
void take_settings(std::optional<Settings>& settings, TextsByName& axes) {
  Settings read;
  if (take_from_texts(table_of<Settings>(), &read, axes)) settings = std::move(read);
}

}  // namespace

Error RunFileParser::error(std::string what, std::string fix) const {
  return {ErrorKind::input, std::move(what), fmt::format("{}:{}", name_, line_), std::move(fix)};
}

void RunFileParser::skip(std::string_view reason) {
  ++run_.report.skipped_count;
  if (run_.report.skipped.size() < kMostReported) {
    run_.report.skipped.push_back(fmt::format("line {}: {}", line_, reason));
  }
}

Result<void> RunFileParser::add(std::string_view line, bool full) {
  ++line_;
  if (!full) {
    run_.report.torn_last_line = true;
    // Its own start is enough to tell a run that was killed at once from a file of another kind.
    if (has_header_ || line.substr(0, 16) == R"({"type":"header")") return {};
    return error("is not a run file", std::string(kNotOurs));
  }
  run_.report.valid_bytes += static_cast<int64_t>(line.size()) + 1;
  if (base::trim(line).empty()) return {};
  if (!has_header_) return add_header(line);
  if (json_.take(line)) return add_line(line.size());
  skip(kNoObject);
  return {};
}

Result<void> RunFileParser::add_header(std::string_view line) {
  std::string problem;
  if (!json_.take(line) || json_.type() != "header" || !json_.read(run_.header, problem)) {
    return error("is not a run file: its first line is not a header", std::string(kNotOurs));
  }
  // A later version may have changed what else is wrong.
  if (const int version = run_.header.schema_version; version > kSchemaVersion) {
    return error(fmt::format("was written with schema version {}; this batchscope reads up to {}",
                             version, kSchemaVersion),
                 "update batchscope");
  }
  if (!problem.empty()) return error("its header is invalid: " + problem, "measure again");
  Header& header = run_.header;
  if (header.origin == Origin::tune) take_settings(header.tune, header.axes);
  if (header.origin == Origin::max_batch) take_settings(header.max_batch, header.axes);
  has_header_ = true;
  return {};
}

template <class Record>
bool RunFileParser::read(std::string_view type, Record& record) {
  std::string problem;
  if (!json_.read(record, problem)) {
    skip(kNoObject);
    return false;
  }
  if (!problem.empty()) skip(fmt::format("{}: {}", type, problem));
  return problem.empty();
}

Result<void> RunFileParser::add_line(size_t bytes) {
  const std::string type = json_.type();
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
  } else if (type == "node") {
    add_node();
  } else if (type == "place") {
    add_placement();
  } else if (type == "end") {
    add_end();
  } else {
    return add_other(type);
  }
  return {};
}

Result<void> RunFileParser::add_other(const std::string& type) {
  std::string problem;
  if (!json_.read(Table{}, nullptr, problem)) {
    skip(kNoObject);
  } else if (type == "header") {
    return error("a second header: somebody joined two run files", "give them as two files");
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
  ConfigRecord record;
  if (!read("config", record)) return;
  auto& [index, config] = record;
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
  if (!read("visit", visit)) return;
  const int place = place_of(visit.config);
  if (place < 0) return skip(fmt::format("visit: no configuration {} before it", visit.config));
  visit.config = place;
  // Visits are much alike in length; growing step by step would copy most of the run again.
  if (run_.visits.empty()) run_.visits.reserve(bytes_ / bytes + 1);
  run_.visits.push_back(std::move(visit));
}

void RunFileParser::add_event() {
  Event event;
  if (!read("event", event)) return;
  if (event.where.config) {
    const int place = place_of(*event.where.config);
    if (place < 0) {
      return skip(fmt::format("event: no configuration {} before it", *event.where.config));
    }
    event.where.config = place;
  }
  run_.events.push_back(std::move(event));
}

void RunFileParser::add_outputs() {
  OutputDifference outputs;
  if (!read("outputs", outputs)) return;
  outputs.config = place_of(outputs.config);
  outputs.against = place_of(outputs.against);
  if (outputs.config < 0 || outputs.against < 0) {
    return skip("outputs: needs two configurations before it");
  }
  run_.outputs.push_back(outputs);
}

void RunFileParser::add_probe() {
  Probe probe;
  if (!read("probe", probe)) return;
  const int place = place_of(probe.config);
  if (place < 0) return skip(fmt::format("probe: no configuration {} before it", probe.config));
  probe.config = place;
  run_.probes.push_back(std::move(probe));
}

void RunFileParser::add_node() {
  NodeRecord record;
  if (!read("node", record)) return;
  auto& [index, node] = record;
  if (!nodes_.emplace(index, static_cast<int>(run_.nodes.size())).second) {
    return skip(fmt::format("node: index {} is taken by another node", index));
  }
  run_.nodes.push_back(std::move(node));
}

void RunFileParser::add_placement() {
  Placement placement;
  if (!read("place", placement)) return;
  const auto node = nodes_.find(placement.node);
  if (node == nodes_.end()) {
    return skip(fmt::format("place: no node {} before it", placement.node));
  }
  placement.node = node->second;
  run_.placements.push_back(std::move(placement));
}

void RunFileParser::add_end() {
  End end;
  if (!read("end", end)) return;
  if (end.reason == EndReason::budget) ++run_.budgets_spent;
  run_.end = std::move(end);
}

Result<RunFile> RunFileParser::finish() && {
  if (has_header_) return std::move(run_);
  if (run_.report.torn_last_line) {
    return error("its header line is incomplete: nothing was measured yet",
                 "start again with --on-existing overwrite");
  }
  return Error{ErrorKind::input, "is empty", name_, std::string(kNotOurs)};
}

}  // namespace batchscope::schema
