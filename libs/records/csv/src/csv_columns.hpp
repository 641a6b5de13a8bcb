#pragma once

#include <optional>
#include <string>
#include <vector>

namespace batchscope::csv {

// Where an imported table keeps what; an index into a row's fields, absent columns empty.
struct CsvColumns {
  struct Timed {
    size_t index = 0;
    std::optional<double> ns_per_unit;  // absent: the name states no unit
  };
  std::optional<size_t> batch_size, seq_len, model, precision, device, threads, instances, mode,
      engine;
  struct Memory {
    size_t index = 0;
    std::optional<double> bytes_per_unit;  // absent: cells have to state it
    std::string unknown_unit{};
  };
  std::optional<size_t> repeats, throughput_per_s;
  std::optional<Memory> memory;
  std::optional<size_t> rate_spread;  // the standard deviation of throughput_per_s
  std::optional<Timed> time, spread;
  // Of those that nobody reads, which are no spread and number no repeats: where rows of one
  // configuration differ in one of these, they are no repeats of each other.
  std::vector<size_t> may_tell_apart;
  std::vector<std::string> unknown;  // names nobody reads, and the second of two that say the same
};

// The columns of a header line, or nothing when it has no batch column and so is none.
std::optional<CsvColumns> find_columns(const std::vector<std::string>& names);

// Gives `ns_per_unit` to a time whose name states no unit; without it that column becomes one that
// nobody reads. A spread without a unit is in that of what it is the spread of. Whether
// `ns_per_unit` was of use.
bool settle_units(CsvColumns& columns, const std::vector<std::string>& names,
                  std::optional<double> ns_per_unit);

}  // namespace batchscope::csv
