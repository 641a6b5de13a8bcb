#include "batchscope/csv/import_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "batchscope/base/counted.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "csv_columns.hpp"
#include "csv_dialect.hpp"
#include "csv_rows.hpp"
#include "row_view.hpp"
#include "timing_lines.hpp"

namespace batchscope::csv {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using schema::EventKind;
using schema::Header;
using schema::kEngineNotStated;
using schema::RunConfig;
using schema::RunFile;
using schema::Visit;

std::string header_help() {
  return "give the table a header line such as 'batch_size,latency_ms' (also latency_us, time_s, "
         "throughput_per_s), or lines such as '1: 50.30 ms'; --unit ms is the unit of a column "
         "'latency' or 'time' that states none";
}
// A rounded throughput may differ from the time beside it by this share; more is another quantity.
constexpr double kRounding = 0.05;

Result<double> time_of_a_batch(const RowView& row, const CsvColumns& columns, int64_t batch_size) {
  const std::optional<double> stated = row.nanoseconds(columns.time);
  std::optional<double> by_rate;
  if (const auto rate = number(row.text(columns.throughput_per_s)); rate && *rate > 0) {
    by_rate = 1e9 * static_cast<double>(batch_size) / *rate;
  }
  const std::optional<double> ns = stated ? stated : by_rate;
  if (!ns || !(*ns >= 1)) {
    return Error{ErrorKind::input, "no positive time or throughput", "", ""};
  }
  if (*ns > schema::kLongestNs)
    return Error{ErrorKind::input, "a batch of more than 11 days", "", ""};
  if (by_rate && std::abs(*by_rate / *ns - 1) > kRounding) {
    return Error{ErrorKind::input,
                 "time and throughput contradict each other (time is per batch, throughput is "
                 "samples per second)",
                 "", ""};
  }
  return *ns;
}

// Cells that stand under no name: a comma within a number has moved all that follow.
bool has_cells_beyond(const CsvRow& row, size_t width) {
  return std::any_of(
      row.fields.begin() + static_cast<std::ptrdiff_t>(std::min(width, row.fields.size())),
      row.fields.end(), [](const std::string& cell) { return !cell.empty(); });
}

class Importer {
 public:
  // `names`: of the columns; `telling`: those that make an axis of their own.
  Importer(const CsvColumns& columns, const std::vector<std::string>& names,
           std::vector<size_t> telling, ImportOptions options)
      : columns_(columns),
        names_(names),
        telling_(std::move(telling)),
        options_(std::move(options)) {}

  void add(const CsvRow& row) {
    const RowView view(row);
    if (has_cells_beyond(row, names_.size()))
      return skip(row, "more cells than the header has columns");
    auto config = config_of(view, columns_, options_);
    if (!config) return skip(row, config.error().what);
    for (const size_t column : telling_) {
      config->param[names_[column]] = std::string(view.text(column));
    }
    auto time_ns = time_of_a_batch(view, columns_, config->shape.batch_size);
    if (!time_ns) return skip(row, time_ns.error().what);
    run_.visits.push_back(visit(view, *config, *time_ns));
    add_repeats(view, row.line, run_.visits.back());
  }

  RunFile finish() && { return std::move(run_); }
  bool empty() const { return run_.visits.empty(); }
  size_t skipped() const { return skipped_; }
  const std::string& first_problem() const { return run_.events.front().what; }

 private:
  void skip(const CsvRow& row, const std::string& reason) {
    ++skipped_;
    tell(row.line, reason + "; row skipped");
  }

  void tell(int line, const std::string& problem) {
    constexpr size_t kMostReported = 20;
    if (run_.events.size() == kMostReported) return;
    run_.events.push_back(
        {{fmt::format("line {}: {}", line, problem), {}, "correct the row and import again"},
         EventKind::warning});
  }

  // What the table says of its repeats is left out where it cannot be; the time still counts.
  void add_repeats(const RowView& row, int line, Visit& visit) {
    visit.reported_repeats = row.integer(columns_.repeats);
    if (!visit.reported_repeats && !row.text(columns_.repeats).empty()) {
      tell(line, fmt::format("'{}' repeats left out", row.text(columns_.repeats)));
    }
    const std::string_view stated = spread_cell(row);
    if (stated.empty()) return;
    const auto spread = spread_ns(row, static_cast<double>(visit.samples_ns.front()));
    if (spread && *spread >= 0 && *spread <= schema::kLongestNs) {
      visit.reported_std_ns = std::llround(*spread);
    } else {
      tell(line, fmt::format("a standard deviation of '{}' left out", stated));
    }
  }

  bool has_spread_of_time(const RowView& row) const {
    return columns_.spread && !row.text(columns_.spread->index).empty();
  }

  std::string_view spread_cell(const RowView& row) const {
    return row.text(has_spread_of_time(row) ? columns_.spread->index : columns_.rate_spread);
  }

  // That of a throughput is as large a share of the time as it is of the throughput.
  std::optional<double> spread_ns(const RowView& row, double time_ns) const {
    if (has_spread_of_time(row)) return row.nanoseconds(columns_.spread);
    const auto spread = number(row.text(columns_.rate_spread));
    const auto rate = number(row.text(columns_.throughput_per_s));
    if (!spread || !rate || !(*rate > 0)) return std::nullopt;
    return time_ns * *spread / *rate;
  }

  Visit visit(const RowView& row, const RunConfig& config, double time_ns) {
    const auto [place, is_new] = index_.try_emplace(config, static_cast<int>(run_.configs.size()));
    if (is_new) run_.configs.push_back(config);
    Visit visit;
    visit.config = place->second;
    visit.block = repeats_[visit.config]++;
    visit.order = visit.config;
    visit.clock = schema::ClockKind::imported;
    visit.samples_ns = {std::llround(time_ns)};
    visit.memory.peak_allocated_bytes = row.bytes(columns_.memory);
    return visit;
  }

  const CsvColumns& columns_;
  const std::vector<std::string>& names_;
  std::vector<size_t> telling_;
  ImportOptions options_;
  RunFile run_;
  std::map<RunConfig, int> index_;
  std::map<int, int> repeats_;
  size_t skipped_ = 0;
};

Header header_of(const RunFile& run, std::string_view name) {
  Header header;
  header.origin = schema::Origin::imported;
  header.plan.isolation = schema::Isolation::unknown;
  header.plan.blocks = 1;
  for (const Visit& visit : run.visits)
    header.plan.blocks = std::max(header.plan.blocks, visit.block + 1);
  header.plan.blocks_fixed = true;
  header.notes.push_back(
      fmt::format("imported from {}: the origin of these numbers is unknown", name));
  std::map<std::string, bool> seen;
  for (const RunConfig& config : run.configs) {
    if (!std::exchange(seen[config.model], true))
      header.models.push_back({config.model, "", {}, {}, "", std::string(kEngineNotStated)});
  }
  return header;
}

// Of a table with a header line.
void put_units(CsvTable& table, const ImportOptions& options, std::vector<std::string>& notes) {
  const auto given = options.unit.empty() ? std::nullopt : ns_of_unit(options.unit);
  const bool used = settle_units(*table.columns, table.header.front().fields, given);
  if (!given || used) return;
  notes.push_back("--unit is not used: every time column states its unit");
}

// Of lines "1: 50.30". Those without a unit are read in one that is told, but not beside others
// that state theirs: what was left out there is anybody's guess.
Result<CsvTable> table_of_lines(TimingLines lines, std::string_view name, bool unit_is_given,
                                std::vector<std::string>& notes) {
  if (lines.first_without_unit && !unit_is_given) {
    if (lines.unit_is_stated) {
      return Error{ErrorKind::input, "the time has no unit, but those on other lines have one",
                   fmt::format("{}:{}", name, *lines.first_without_unit),
                   "write the unit after it, such as '1: 50.30 ms', or import with --unit ms (or "
                   "ns, us, s) for all times without a unit"};
    }
    notes.push_back(
        "times without a unit count as milliseconds: if that is wrong, import again with "
        "--unit");
  }
  CsvTable made;
  made.header = {lines.rows.front()};
  made.columns = find_columns(made.header.front().fields);
  made.rows.assign(lines.rows.begin() + 1, lines.rows.end());
  return made;
}

// A table by its header line, or lines "1: 50.30" where there is none.
Result<CsvTable> table_in(std::string_view text, std::string_view name,
                          const ImportOptions& options, std::vector<std::string>& notes) {
  auto table = read_table(text, name);
  if (!table) return table;
  if (table->columns) {
    put_units(*table, options, notes);
    return table;
  }
  const bool unit_is_given = !options.unit.empty();
  auto lines = timing_lines(text, unit_is_given ? options.unit : "ms");
  if (!lines) return table;
  return table_of_lines(*std::move(lines), name, unit_is_given, notes);
}

// Memory in a unit that is not known, or in none.
Result<void> check_memory(const CsvTable& table, const ImportOptions& options) {
  const auto& memory = table.columns->memory;
  if (!memory || memory->bytes_per_unit) return {};
  const std::string& name = table.header.front().fields[memory->index];
  const auto unreadable = [&](const CsvRow& row) {
    return number(RowView(row).text(memory->index)).has_value();
  };
  if (is_ignored(options, name)) return {};
  if (std::none_of(table.rows.begin(), table.rows.end(), unreadable)) return {};
  const std::string what =
      memory->unknown_unit.empty()
          ? "states no unit"
          : fmt::format("is in '{}', which is not a unit of memory", memory->unknown_unit);
  return Error{ErrorKind::input, fmt::format("the memory in '{}' {}", name, what), "",
               fmt::format("name the column memory_mib (or bytes, MB, GB, GiB), or import with "
                           "--ignore '{}'",
                           name)};
}

Result<void> check_ignored(const CsvTable& table, const ImportOptions& options) {
  const std::vector<std::string>& names = table.header.front().fields;
  for (const std::string& name : options.ignore) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return Error{ErrorKind::usage, fmt::format("there is no column '{}'", name), "--ignore",
                 fmt::format("the table has: {}", fmt::join(names, ", "))};
  }
  return {};
}

// Those that make an axis of their own.
Result<std::vector<size_t>> checked_columns(const CsvTable& table, const ImportOptions& options) {
  if (auto known = check_ignored(table, options); !known) return known.error();
  if (auto known = check_memory(table, options); !known) return known.error();
  return telling_columns(table, options);
}

Result<void> check_options(const ImportOptions& options) {
  if (!options.precision.empty()) {
    if (auto known = schema::parse_precision(options.precision); !known) return known.error();
  }
  if (options.unit.empty() || ns_of_unit(options.unit)) return {};
  return Error{ErrorKind::usage, fmt::format("'{}' is not a unit of time", options.unit), "--unit",
               "use ns, us, ms or s"};
}

void note_spread(const RunFile& run, std::vector<std::string>& notes) {
  const bool any = std::any_of(run.visits.begin(), run.visits.end(), [](const Visit& visit) {
    return visit.reported_std_ns && visit.reported_repeats.value_or(0) > 1;
  });
  if (!any) return;
  notes.emplace_back(
      "intervals assume that the repeats in the table are independent. Repeats of one process are "
      "not, so the intervals may be too narrow and prove nothing");
}

}  // namespace

Result<RunFile> import_csv(std::string_view text, std::string_view name,
                           const ImportOptions& options) {
  ImportOptions filled = options;
  if (filled.model.empty()) filled.model = name;
  if (auto known = check_options(filled); !known) return known.error();
  std::vector<std::string> notes;
  const auto table = table_in(text, name, filled, notes);
  if (!table) return table.error();
  const auto& columns = table->columns;
  if (!columns) {
    return Error{ErrorKind::input, "no header line with a column 'batch' or 'batch_size'",
                 std::string(name), header_help()};
  }
  if (!columns->time && !columns->throughput_per_s) {
    return Error{ErrorKind::input,
                 "no column with a time and its unit, and no column throughput_per_s",
                 fmt::format("{}:{}", name, table->header.front().line), header_help()};
  }
  const std::vector<std::string>& names = table->header.front().fields;
  const auto found = checked_columns(*table, filled);
  if (!found) {
    Error error = found.error();
    if (error.where.empty()) error.where = fmt::format("{}:{}", name, table->header.front().line);
    return error;
  }
  const std::vector<size_t>& telling = *found;
  Importer importer(*columns, names, telling, filled);
  for (const CsvRow& row : table->rows) importer.add(row);
  if (importer.empty()) {
    const std::string problem =
        importer.skipped() > 0 ? importer.first_problem() : "there is nothing below the header";
    return Error{ErrorKind::input, "no usable row: " + problem, std::string(name), header_help()};
  }
  const size_t skipped = importer.skipped();
  RunFile run = std::move(importer).finish();
  run.header = header_of(run, name);
  note_spread(run, notes);
  run.header.notes.insert(run.header.notes.end(), notes.begin(), notes.end());
  if (skipped > 0)
    run.header.notes.push_back(fmt::format("{} skipped", base::counted(skipped, "row")));
  std::vector<std::string> unread = columns->unknown;
  for (const size_t column : telling) {
    std::erase(unread, names[column]);
    run.header.notes.push_back(fmt::format(
        "'{}' becomes a parameter: rows that differ in it are not repeats", names[column]));
  }
  if (!unread.empty()) {
    run.header.notes.push_back(fmt::format("columns not read: {}", fmt::join(unread, ", ")));
  }
  run.end = schema::End{schema::EndReason::imported, 0, 0};
  return run;
}

}  // namespace batchscope::csv
