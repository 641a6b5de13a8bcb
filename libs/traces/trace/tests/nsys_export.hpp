#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "batchscope/trace/reader.hpp"

namespace batchscope::trace {

// Tables of an export, with the columns that are read and one that is not. Thread 2 of process 1 is
// 16777218, process 1 is 16777216.
inline constexpr const char* kStrings =
    "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
    "INSERT INTO StringIds VALUES (1, 'void gemm<float>(float*)'), (2, 'gemm'),"
    "  (3, 'cudaLaunchKernel_v7000'), (4, 'cuMemAlloc_v2'), (5, 'poll'), (6, 'main'),"
    "  (7, 'step'), (8, 'cublasSgemm_v2'), (9, 'Command Buffer Full');";
inline constexpr const char* kKernelTable =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL,"
    "  deviceId INTEGER NOT NULL, contextId INTEGER, streamId INTEGER NOT NULL,"
    "  correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER,"
    "  registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER,"
    "  blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER);";
inline constexpr const char* kRuntimeTable =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL,"
    "  eventClass INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);";
inline constexpr const char* kMemcpyTable =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER,"
    "  streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER,"
    "  copyKind INTEGER, srcKind INTEGER, dstKind INTEGER);";
inline constexpr const char* kNvtxTable =
    "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER,"
    "  text TEXT, globalTid INTEGER, textId INTEGER);";
// A kernel of process 1 on stream 7 of device 0, from 100 to 200.
inline constexpr const char* kOneKernel =
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (100, 200, 0, 1, 7, 11, 16777216, 1, 2, 32,"
    "  10, 2, 3, 64, 2, 1, 0, 1024);";

// A file that statements of SQLite made, gone afterwards.
class Export {
 public:
  explicit Export(const std::string& sql) {
    std::string pattern = (std::filesystem::temp_directory_path() / "batchscope-XXXXXX").string();
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    sqlite3* file = nullptr;
    EXPECT_EQ(sqlite3_open(path().c_str(), &file), SQLITE_OK);
    sqlite3_exec(file, "PRAGMA synchronous = OFF", nullptr, nullptr, nullptr);
    char* complaint = nullptr;
    EXPECT_EQ(sqlite3_exec(file, sql.c_str(), nullptr, nullptr, &complaint), SQLITE_OK)
        << complaint << "\n"
        << sql;
    sqlite3_free(complaint);
    sqlite3_close(file);
  }
  Export(const Export&) = delete;
  Export& operator=(const Export&) = delete;
  ~Export() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  // With letters that mean something in a URI.
  std::filesystem::path path() const { return folder_ / "a run #1?50%.sqlite"; }

  // What it holds; the test fails where it cannot be read at all.
  Trace read(const ReadOptions& options = {}) const {
    auto trace = TraceReader(options).read(path());
    EXPECT_TRUE(trace) << (trace ? "" : to_string(trace.error()));
    return trace ? std::move(*trace) : Trace{};
  }
  std::string error() const {
    const auto trace = TraceReader().read(path());
    return trace ? "" : to_string(trace.error());
  }

  std::string bytes() const {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void replace_by(const std::string& bytes) const {
    std::ofstream(path(), std::ios::binary) << bytes;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace batchscope::trace
