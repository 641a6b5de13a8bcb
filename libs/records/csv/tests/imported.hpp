#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "batchscope/csv/import_csv.hpp"

namespace batchscope::csv {

inline schema::RunFile import_ok(std::string_view text, const ImportOptions& options = {}) {
  auto run = import_csv(text, "table.csv", options);
  EXPECT_TRUE(run.has_value()) << (run ? "" : base::to_string(run.error()));
  return run ? *std::move(run) : schema::RunFile{};
}

inline std::string error_of(std::string_view text, const ImportOptions& options = {}) {
  auto run = import_csv(text, "table.csv", options);
  return run ? "" : base::to_string(run.error());
}

}  // namespace batchscope::csv
