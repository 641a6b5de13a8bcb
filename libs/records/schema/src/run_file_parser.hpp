#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "batchscope/schema/json_line.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::schema {

// Builds a RunFile line by line, so that a file is never in memory as text.
class RunFileParser {
 public:
  // `bytes` is the size of the whole text.
  RunFileParser(std::string_view name, size_t bytes) : name_(name), bytes_(bytes) {}

  // `line` without '\n'; `whole` is false for a last line that lacks it. Errors: input, when the
  // file cannot be a run file that this version reads.
  base::Result<void> add(std::string_view line, bool full);
  base::Result<RunFile> finish() &&;

 private:
  base::Result<void> add_header(std::string_view line);
  base::Result<void> add_line(size_t bytes);
  base::Result<void> add_other(const std::string& type);
  void add_config();
  void add_visit(size_t bytes);
  void add_event();
  void add_outputs();
  void add_probe();
  void add_node();
  void add_placement();
  void add_end();
  void skip(std::string_view reason);
  // Reads the line taken; false where it is wrong, which is then noted with that word before it.
  template <class Record>
  bool read(std::string_view type, Record& record);
  // The place of a configuration in RunFile::configs by its index in the file; -1: unknown.
  int place_of(int index) const;
  base::Error error(std::string what, std::string fix) const;

  std::string name_;
  size_t bytes_;
  RunFile run_;
  JsonLine json_;
  std::unordered_map<int, int> places_;
  std::unordered_map<int, int> nodes_;  // the same of RunFile::nodes
  int line_ = 0;
  bool has_header_ = false;
};

}  // namespace batchscope::schema
