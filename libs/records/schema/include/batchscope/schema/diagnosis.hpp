#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/schema/open_enum.hpp"

namespace batchscope::schema {

// `op`: an operator of the framework; `runtime`: a call of the driver.
enum class OperationKind { op, kernel, memcpy, memset, runtime, other };
std::string_view to_string(OperationKind kind);  // "operator", "kernel"

// What the host or the device did under one name, summed over the traced iterations.
struct Operation {
  std::string name;  // "aten::addmm"; a kernel's name as the tracer gives it
  OpenEnum<OperationKind> kind;
  int64_t calls = 0;     // in all traced iterations
  int64_t total_ns = 0;  // with what it called; of kernels and copies: on the device
  int64_t self_ns = 0;   // without what it called
  // Of a kernel's longest launch, where the tracer knows.
  std::optional<int64_t> grid_blocks;        // blocks of the launch
  std::optional<int64_t> threads_per_block;  // threads of each
  std::optional<int64_t> blocks_per_sm;      // how many fit on a multiprocessor at once
  std::optional<double> occupancy;           // estimated, 0 to 1
  std::optional<int64_t> bytes;              // of copies, in all
  bool pageable = false;                     // a copy from or to host memory that is not pinned
  bool operator==(const Operation&) const = default;
};

// One kind of primitive of the CPU's kernel library (oneDNN), summed over the logged iterations.
struct Primitive {
  std::string kind;            // matmul, inner_product, convolution, reorder
  std::string implementation;  // "brg_matmul:avx512_core_amx"
  int64_t calls = 0;           // executions
  int64_t total_ns = 0;        // of these, as if equal ones had all taken the median of their times
  int64_t created = 0;         // made anew, because the cache held none
  int64_t creation_ns = 0;     // of these
  bool operator==(const Primitive&) const = default;
};

// What a visit of purpose `diagnostic` saw. Everything is absent where the machine or the engine
// cannot say, with the reason in `absent`: a zero was measured.
struct Diagnosis {
  // Undisturbed part: the visit's timed iterations, with its usage.
  std::map<std::string, int64_t> counters;  // cycles, instructions, ...: of all threads, user space
  std::vector<int64_t> thread_busy_ns;     // CPU time of each thread that worked, the largest first
  std::optional<int64_t> anonymous_bytes;  // after the timed iterations
  std::optional<int64_t> huge_page_bytes;  // part of it in transparent huge pages

  // Traced part: iterations of their own, under the engine's tracer.
  std::string tracer;  // kineto; empty: not traced
  int64_t traced_iterations = 0;
  int64_t traced_ns = 0;                   // wall time of these
  std::vector<Operation> operations;       // the longest self time first
  std::optional<int64_t> device_busy_ns;   // with at least one kernel or copy running
  std::optional<int64_t> multiprocessors;  // of the device
  // All that the tracer recorded, in Chrome's format, compressed: the file as seen from the folder
  // of the run file, and its bytes. Empty: not kept.
  std::string trace_file;
  int64_t trace_bytes = 0;

  // Logged part: iterations of their own, with the kernel library's log on.
  int64_t logged_iterations = 0;
  std::vector<Primitive> primitives;

  std::map<std::string, std::string> absent;  // "counters" -> why there are none
  bool operator==(const Diagnosis&) const = default;
};

}  // namespace batchscope::schema
