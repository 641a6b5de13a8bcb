#include "tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/charts/phases_to_draw.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::report {
namespace {

using charts::find_phase;
using charts::phase_names;
using document::Cell;
using document::Column;
using document::TextTable;
using document::Tone;
using findings::brief;
using findings::ConfigRow;
using findings::Estimate;
using findings::fixed;
using findings::kAbsent;
using findings::percent;
using findings::plain;
using findings::Quantile;
using findings::Quantity;

const Estimate* pointer(const std::optional<Estimate>& estimate) {
  return estimate ? &*estimate : nullptr;
}

Tone tone_of_row(const ConfigRow& row) {
  // Better than the others suggest is nothing to be warned of.
  if (row.departs == findings::Deviation::faster) return Tone::plain;
  switch (row.verdict) {
    case findings::Verdict::ok:
      return Tone::plain;
    case findings::Verdict::suspect:
      return Tone::caution;
    case findings::Verdict::proven:
      return Tone::bad;
    case findings::Verdict::untestable:
      return Tone::dim;
  }
  return Tone::plain;
}

Cell verdict_cell(const findings::Group& group, const ConfigRow& row) {
  std::string text = findings::verdict_in_words(row);
  const int64_t size = row.config.shape.batch_size;
  // One size alone is best of nothing, and beside the one that is recommended none is called that.
  const bool is_best =
      group.rows.size() > 1 && !group.is_open &&
      (group.recommended ? size == *group.recommended : base::contains(group.best_sizes, size));
  if (is_best) text += group.recommended ? ", recommended" : ", best";
  if (row.purpose == schema::Purpose::control) text += ", control";
  const bool good = is_best && row.verdict == findings::Verdict::ok;
  return {text, "", good ? Tone::good : tone_of_row(row)};
}

// Where some slow iterations make the mean another figure than the typical one.
void add_means(const findings::Group& group, RowTable& table) {
  if (std::none_of(group.rows.begin(), group.rows.end(), findings::mean_differs)) return;
  Column mean{"mean", "ms"};
  mean.break_before = true;
  table.add_estimates(mean, Quantity::amount, [](const ConfigRow& row) { return &row.mean_ms; });
  table.add_texts({"slow", "iterations"}, [](const ConfigRow& row) {
    return row.slow_share > 0 ? percent(row.slow_share) : std::string();
  });
}

void add_throughput(const findings::Group& group, RowTable& table) {
  add_means(group, table);
  Column throughput{"samples/s", ""};
  throughput.break_before =
      std::none_of(group.rows.begin(), group.rows.end(), findings::mean_differs);
  table.add_estimates(throughput, Quantity::amount,
                      [](const ConfigRow& row) { return &row.throughput_per_s; });
  table.add_texts({"batches/s", ""}, [](const ConfigRow& row) { return plain(row.batches_per_s); });
  table.add_texts_if_any({"real tokens/s", ""}, [](const ConfigRow& row) {
    return row.tokens ? plain(row.tokens->real_per_s.value) : std::string();
  });
  table.add_texts_if_any({"padding", "of tokens"}, [](const ConfigRow& row) {
    return row.tokens ? percent(row.tokens->padding) : std::string();
  });
  table.add_texts({"n", "visits"}, [](const ConfigRow& row) { return std::to_string(row.n); });
  table.add_texts({"timed", "iterations"},
                  [](const ConfigRow& row) { return std::to_string(row.n_iterations); });
}

bool was_sampled(const findings::Group& group) {
  return std::any_of(group.rows.begin(), group.rows.end(),
                     [](const ConfigRow& row) { return row.n_iterations > 1; });
}

}  // namespace

TextTable scaling_table(const findings::Group& group) {
  RowTable table(group);
  table.add_estimates({"time", "ms"}, Quantity::amount,
                      [](const ConfigRow& row) { return &row.time_ms; });
  table.add_estimates({"per sample", "ms"}, Quantity::amount,
                      [](const ConfigRow& row) { return &row.per_sample_ms; });
  table.add_texts({"expected", "ms"}, [](const ConfigRow& row) {
    return row.expected_ms ? plain(*row.expected_ms) : std::string();
  });
  table.add_estimates({"efficiency", ""}, Quantity::ratio,
                      [](const ConfigRow& row) { return pointer(row.efficiency); });
  table.add_estimates({"relative", "slowdown"}, Quantity::ratio,
                      [](const ConfigRow& row) { return pointer(row.relative_slowdown); });
  table.add_estimates({"jump", "ratio"}, Quantity::ratio,
                      [](const ConfigRow& row) { return pointer(row.jump); });
  table.add_cells({"verdict", "", true},
                  [&](const ConfigRow& row) { return verdict_cell(group, row); });
  add_throughput(group, table);
  return table.take();
}

TextTable short_table(const findings::Group& group) {
  RowTable table(group);
  table.add_estimates({"time", "ms"}, Quantity::amount,
                      [](const ConfigRow& row) { return &row.time_ms; });
  table.add_cells({"p95", "ms"},
                  [](const ConfigRow& row) { return quantile_cell(row, Quantile::p95); });
  table.add_cells({"p99", "ms"},
                  [](const ConfigRow& row) { return quantile_cell(row, Quantile::p99); });
  table.add_estimates({"per sample", "ms"}, Quantity::amount,
                      [](const ConfigRow& row) { return &row.per_sample_ms; });
  add_means(group, table);
  table.add_estimates({"samples/s", ""}, Quantity::amount,
                      [](const ConfigRow& row) { return &row.throughput_per_s; });
  table.add_texts({"visits", ""}, [](const ConfigRow& row) { return std::to_string(row.n); });
  table.add_cells({"verdict", "", true},
                  [&](const ConfigRow& row) { return verdict_cell(group, row); });
  return table.take();
}

Cell quantile_cell(const ConfigRow& row, Quantile quantile) {
  const auto reported = reported_quantile(row.distribution, quantile);
  if (!reported) return {kAbsent, "", Tone::dim};
  if (reported->ci) return {plain(reported->value), "", Tone::plain};
  return {"~" + plain(reported->value), "", Tone::dim};
}

bool marks_quantiles(const findings::Group& group) {
  return std::any_of(group.rows.begin(), group.rows.end(), [](const ConfigRow& row) {
    const auto reported = reported_quantile(row.distribution, Quantile::p99);
    return reported && !reported->ci;
  });
}

TextTable iterations_table(const findings::Group& group) {
  if (!was_sampled(group)) return {};
  RowTable table(group);
  const auto column = [&](const char* title, auto get) { table.add_texts({title, "ms"}, get); };
  column("min", [](const ConfigRow& row) { return plain(row.distribution.min_ms); });
  column("p25", [](const ConfigRow& row) { return plain(row.distribution.q1_ms); });
  column("median", [](const ConfigRow& row) { return plain(row.distribution.median_ms); });
  column("p75", [](const ConfigRow& row) { return plain(row.distribution.q3_ms); });
  const auto add_quantile = [&](const char* title, Quantile quantile) {
    table.add_cells({title, "ms"},
                    [quantile](const ConfigRow& row) { return quantile_cell(row, quantile); });
  };
  add_quantile("p90", Quantile::p90);
  add_quantile("p95", Quantile::p95);
  add_quantile("p99", Quantile::p99);
  column("max", [](const ConfigRow& row) { return plain(row.distribution.max_ms); });
  table.add_texts({"outliers", "mild + extreme"}, [](const ConfigRow& row) {
    return fmt::format("{} + {}", row.distribution.mild_outliers,
                       row.distribution.extreme_outliers);
  });
  return table.take();
}

TextTable memory_table(const findings::Group& group) {
  RowTable table(group);
  const auto add_peak = [&](const char* of, auto member) {
    table.add_texts_if_any({of, "peak"}, [member](const ConfigRow& row) {
      return if_any(row.memory.*member, base::format_bytes);
    });
  };
  add_peak("process", &schema::Memory::peak_rss_bytes);
  add_peak("iterations", &schema::Memory::peak_iterations_rss_bytes);
  add_peak("allocated", &schema::Memory::peak_allocated_bytes);
  add_peak("reserved", &schema::Memory::peak_reserved_bytes);
  table.add_texts_if_any({"fragmentation", ""},
                         [](const ConfigRow& row) { return if_any(row.fragmentation, percent); });
  table.add_texts_if_any({"device", "allocations"}, [](const ConfigRow& row) {
    return if_any(row.memory.device_allocations, [](auto calls) { return std::to_string(calls); });
  });
  table.add_texts_if_any({"minor faults", "an iteration"}, [](const ConfigRow& row) {
    return if_any(row.minor_faults_per_iteration, mean_count);
  });
  table.add_texts_if_any({"system time", "of CPU time"}, [](const ConfigRow& row) {
    return if_any(row.system_time_share, percent);
  });
  TextTable result = table.take();
  return result.columns.size() > 1 ? result : TextTable{};
}

TextTable phases_table(const findings::Group& group) {
  const std::vector<std::string> names = phase_names(group);
  const bool prepared = std::any_of(group.rows.begin(), group.rows.end(),
                                    [](const ConfigRow& row) { return row.prepare_ms; });
  if (names.empty() && !prepared) return {};
  RowTable table(group);
  table.add_texts({"iteration", "mean ms"},
                  [](const ConfigRow& row) { return plain(row.time_mean_ms); });
  for (const std::string& name : names) {
    table.add_cells({name, "ms, share"}, [&](const ConfigRow& row) {
      const findings::PhaseShare* phase = find_phase(row, name);
      if (phase == nullptr) return Cell{kAbsent, "", Tone::plain};
      return Cell{brief(phase->host_ms), percent(phase->share), Tone::plain};
    });
    table.add_texts_if_any({name, "device ms"}, [&](const ConfigRow& row) {
      const findings::PhaseShare* phase = find_phase(row, name);
      return phase != nullptr && phase->device_ms ? brief(*phase->device_ms) : std::string();
    });
  }
  table.add_texts_if_any({"prepare", "ms, apart"},
                         [](const ConfigRow& row) { return if_any(row.prepare_ms, brief); });
  table.add_texts_if_any({"loss", "last"}, [](const ConfigRow& row) {
    return row.loss ? fmt::format("{:.4g}", *row.loss) : std::string();
  });
  table.add_texts_if_any({"skipped", "steps"}, [](const ConfigRow& row) {
    return row.skipped_steps ? std::to_string(*row.skipped_steps) : std::string();
  });
  return table.take();
}

std::string mean_count(double value) {
  return fixed(value, value < 10 ? 1 : 0);
}

}  // namespace batchscope::report
