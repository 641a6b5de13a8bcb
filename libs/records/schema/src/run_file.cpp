#include "batchscope/schema/run_file.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "batchscope/base/enum_names.hpp"
#include "batchscope/base/line_reader.hpp"
#include "run_file_parser.hpp"

namespace batchscope::schema {
namespace {

using base::Name;
using base::name_of;

constexpr std::array kEventKinds = {
    Name<EventKind>{EventKind::out_of_memory, "out-of-memory"},
    Name<EventKind>{EventKind::crash, "crash"}, Name<EventKind>{EventKind::timeout, "timeout"},
    Name<EventKind>{EventKind::error, "error"}, Name<EventKind>{EventKind::warning, "warning"}};
constexpr std::array kClockKinds = {Name<ClockKind>{ClockKind::steady, "steady"},
                                    Name<ClockKind>{ClockKind::virtual_time, "virtual"},
                                    Name<ClockKind>{ClockKind::imported, "imported"}};
constexpr std::array kOperationKinds = {Name<OperationKind>{OperationKind::op, "operator"},
                                        Name<OperationKind>{OperationKind::kernel, "kernel"},
                                        Name<OperationKind>{OperationKind::memcpy, "memcpy"},
                                        Name<OperationKind>{OperationKind::memset, "memset"},
                                        Name<OperationKind>{OperationKind::runtime, "runtime"}};
constexpr std::array kOrigins = {
    Name<Origin>{Origin::profile, "profile"}, Name<Origin>{Origin::imported, "import"},
    Name<Origin>{Origin::api, "api"}, Name<Origin>{Origin::tune, "tune"},
    Name<Origin>{Origin::max_batch, "max-batch"}};
constexpr std::array kIsolations = {
    Name<Isolation>{Isolation::config, "config"}, Name<Isolation>{Isolation::block, "block"},
    Name<Isolation>{Isolation::none, "none"}, Name<Isolation>{Isolation::unknown, "unknown"}};
constexpr std::array kSyncs = {Name<Sync>{Sync::each, "each"}, Name<Sync>{Sync::end, "end"}};
constexpr std::array kAutomatic = {Name<Automatic>{Automatic::off, "off"},
                                   Name<Automatic>{Automatic::automatic, "auto"}};
constexpr std::array kEndReasons = {Name<EndReason>{EndReason::target_reached, "precision-reached"},
                                    Name<EndReason>{EndReason::blocks_done, "blocks-done"},
                                    Name<EndReason>{EndReason::budget, "budget"},
                                    Name<EndReason>{EndReason::interrupted, "interrupted"},
                                    Name<EndReason>{EndReason::nothing_left, "nothing-left"},
                                    Name<EndReason>{EndReason::search_done, "search-done"},
                                    Name<EndReason>{EndReason::imported, "imported"}};
constexpr std::array kProbePurposes = {Name<ProbePurpose>{ProbePurpose::search, "search"},
                                       Name<ProbePurpose>{ProbePurpose::confirm, "confirm"},
                                       Name<ProbePurpose>{ProbePurpose::soak, "soak"},
                                       Name<ProbePurpose>{ProbePurpose::need, "need"},
                                       Name<ProbePurpose>{ProbePurpose::ceiling, "ceiling"}};
constexpr std::array kProbeOutcomes = {
    Name<ProbeOutcome>{ProbeOutcome::fits, "fits"},
    Name<ProbeOutcome>{ProbeOutcome::out_of_memory, "out-of-memory"},
    Name<ProbeOutcome>{ProbeOutcome::believed_out_of_memory, "believed-out-of-memory"},
    Name<ProbeOutcome>{ProbeOutcome::failed, "failed"},
    Name<ProbeOutcome>{ProbeOutcome::interrupted, "interrupted"}};

}  // namespace

LatencyStatistic bounded_latency(const Header& header) {
  if (header.tune) return header.tune->latency_of.value();
  return header.plan.latency_of.value_or(LatencyStatistic::p50).value();
}

bool states_effective_batch(const Header& header) {
  return header.axes.contains("effective_batch");
}

std::string_view to_string(EventKind kind) {
  return name_of(kEventKinds, kind);
}

std::string in_words(const Event& event) {
  return event.kind == EventKind::warning ? event.what
                                          : base::in_one_line(event.kind.text(), event.what);
}
std::string_view to_string(ClockKind kind) {
  return name_of(kClockKinds, kind);
}
std::string_view to_string(OperationKind kind) {
  return name_of(kOperationKinds, kind);
}
std::string_view to_string(Origin origin) {
  return name_of(kOrigins, origin);
}
std::string_view to_string(Isolation isolation) {
  return name_of(kIsolations, isolation);
}
std::string_view to_string(Sync sync) {
  return name_of(kSyncs, sync);
}
std::string_view to_string(Automatic setting) {
  return name_of(kAutomatic, setting);
}
std::string_view to_string(EndReason reason) {
  return name_of(kEndReasons, reason);
}
std::string_view to_string(ProbePurpose purpose) {
  return name_of(kProbePurposes, purpose);
}
std::string_view to_string(ProbeOutcome outcome) {
  return name_of(kProbeOutcomes, outcome);
}

base::Result<RunFile> read_run_file(const std::filesystem::path& path) {
  auto reader = base::LineReader::open(path);
  if (!reader) return reader.error();
  RunFileParser parser(path.string(), static_cast<size_t>(reader->size()));
  while (true) {
    const auto line = reader->next();
    if (!line) return line.error();
    if (!line->has_value()) return std::move(parser).finish();
    if (auto added = parser.add((*line)->text, (*line)->full); !added) return added.error();
  }
}

base::Result<RunFile> parse_run_file(std::string_view text, std::string_view name) {
  RunFileParser parser(name, text.size());
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const bool full = end != std::string_view::npos;
    if (auto added = parser.add(text.substr(0, end), full); !added) return added.error();
    text.remove_prefix(full ? end + 1 : text.size());
  }
  return std::move(parser).finish();
}

std::vector<const Visit*> current_visits(const RunFile& run) {
  std::map<int, int> latest;  // attempt by block
  const auto seen = [&latest](int block, int attempt) {
    latest[block] = std::max(latest[block], attempt);
  };
  for (const Visit& visit : run.visits) seen(visit.block, visit.attempt);
  // An attempt whose visits all failed leaves events only, and still supersedes the one before.
  for (const Event& event : run.events) {
    if (event.where.block) seen(*event.where.block, event.where.attempt);
  }
  std::vector<const Visit*> current;
  for (const Visit& visit : run.visits) {
    if (visit.attempt == latest[visit.block]) current.push_back(&visit);
  }
  return current;
}

}  // namespace batchscope::schema
