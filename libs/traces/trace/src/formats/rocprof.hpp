#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace batchscope::trace {

// One record of a JSON file of rocprofv3 (--output-format json). Times are nanoseconds.
struct RocprofRecord {
  enum class Table : uint8_t { kernel, copy, call, marker };
  Table table = Table::call;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t correlation = -1;  // the same of a call and of what it started
  int64_t process = 0;
  int64_t thread = 0;
  int64_t kernel = -1;  // its number among the names of kernels
  int64_t kind = -1;    // with the operation the name of what is no kernel
  int64_t operation = -1;
  uint64_t agent = 0;  // of a kernel; of a copy where it goes to
  uint64_t source_agent = 0;
  uint64_t queue = 0;
  int64_t bytes = 0;
  int64_t work_items = 0;  // of the grid, and of a group of it
  int64_t group_items = 0;
};
using RecordTable = RocprofRecord::Table;

struct RocprofAgent {
  uint64_t handle = 0;
  bool is_gpu = false;
  int64_t number = 0;  // among the GPUs
  int64_t compute_units = 0;
  std::string name;
};

// What records refer to; records may come first, so that it is looked up at the end.
struct RocprofNames {
  std::vector<RocprofAgent> agents;
  const RocprofAgent* agent(uint64_t handle) const;
  // Of a kernel, call or copy; "kernel 7", "call 3" where the file has no name.
  std::string name_of(const RocprofRecord& record) const;

  std::vector<std::pair<int64_t, std::string>> kernels;
  struct Kind {
    std::string name;
    std::vector<std::string> operations;
  };
  std::vector<Kind> kinds;
  std::vector<std::pair<int64_t, std::string>> markers;  // by correlation
};

// Whether a file begins as those of rocprofv3 do.
bool is_rocprof(std::string_view head);

// Fills the front of the room, and says how much of it; 0 at the end.
using ReadBytes = std::function<std::size_t(std::span<char>)>;

// Hands on the records, in the order of the file, until `take` says false. What is not understood
// is passed over. False: the text ends in the middle, or is no JSON.
bool walk_rocprof(const ReadBytes& bytes, const std::function<bool(const RocprofRecord&)>& take,
                  RocprofNames& names);

}  // namespace batchscope::trace
