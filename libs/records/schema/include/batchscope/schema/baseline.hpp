#pragma once

#include <string>
#include <vector>

#include "batchscope/schema/fields.hpp"

namespace batchscope::schema {

// A run file that is kept, and what is known of it.
struct SavedRun {
  std::string file{};     // the copy: its path; in the index its name
  std::string source{};   // what it was saved from
  std::string saved{};    // UTC, ISO 8601
  std::string commit{};   // of the folder it was saved in; empty: none
  std::string created{};  // of the run, as are the rest
  std::string host{};
  std::string machine{};
  std::vector<std::string> models{};
};

// Runs that are kept under one name, as the index beside them lists them.
struct Baseline {
  std::string name{};
  std::vector<SavedRun> runs{};
};

struct Baselines {
  std::vector<Baseline> baselines{};
};

template <>
const Table& table_of<SavedRun>();
template <>
const Table& table_of<Baseline>();
template <>
const Table& table_of<Baselines>();

}  // namespace batchscope::schema
