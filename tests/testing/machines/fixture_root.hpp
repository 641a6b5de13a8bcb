#pragma once

#include <filesystem>
#include <string>

#include "batchscope/base/system_root.hpp"

namespace batchscope::host {

// A folder that stands for "/", filled from tests/fixtures/NAME.tree: lines "path = text" for files
// of one line, and "path <<" ... ">>" around longer ones. Removed with the object.
class FixtureRoot {
 public:
  FixtureRoot();
  explicit FixtureRoot(const std::string& name);
  ~FixtureRoot();
  FixtureRoot(const FixtureRoot&) = delete;
  FixtureRoot& operator=(const FixtureRoot&) = delete;

  // Lays another fixture over this one.
  void load(const std::string& name);
  void write(const std::filesystem::path& path, const std::string& text);
  void remove(const std::filesystem::path& path);
  const base::SystemRoot& root() const { return root_; }

 private:
  std::filesystem::path folder_;
  base::SystemRoot root_;
};

}  // namespace batchscope::host
