#include <gmock/gmock.h>
#include <zstd.h>

#include <algorithm>

#include "nsys_export.hpp"

namespace batchscope::trace {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Pair;

constexpr size_t kPage = 4096;

// An export with one call, so that something is read whatever happens to the rest.
std::string with_a_call(const std::string& rest) {
  return std::string(kStrings) + kRuntimeTable +
         "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (50, 90, 0, 16777218, 11, 3);" + rest;
}

// That only the call was read, and why not more, as far as it is one thing.
std::string problem_of(const std::string& rest) {
  const Trace trace = Export(with_a_call(rest)).read();
  EXPECT_EQ(trace.activities.size(), 1u) << rest;
  EXPECT_TRUE(trace.read.truncated) << rest;
  return trace.read.problems.size() == 1 ? trace.read.problems.begin()->first : "not one problem";
}

TEST(ReadNsysHostile, WhatIsNoExportIsRefused) {
  EXPECT_THAT(Export("CREATE TABLE t (a)").error(),
              HasSubstr("is an SQLite file, but not an export of Nsight Systems"));
  EXPECT_THAT(Export("CREATE VIEW StringIds AS SELECT 1 AS id, 'x' AS value").error(),
              HasSubstr("not an export of Nsight Systems"));
  EXPECT_THAT(Export(kStrings).error(), HasSubstr("contains no readable event"));
  EXPECT_THAT(Export(std::string(kStrings) + kKernelTable).error(),
              HasSubstr("contains no readable event"));
  EXPECT_THAT(Export(std::string(kStrings) + kNvtxTable +
                     "INSERT INTO NVTX_EVENTS VALUES (1, NULL, 59, 'x', 1, NULL)")
                  .error(),
              HasSubstr("contains no readable event: a range without an end"));
}

TEST(ReadNsysHostile, ViewsAndComputedTablesAreNotAsked) {
  EXPECT_THAT(problem_of("CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT 1 AS start, 2 AS end,"
                         "  0 AS deviceId, 7 AS streamId"),
              HasSubstr("CUPTI_ACTIVITY_KIND_KERNEL is none: it is a view"));
  EXPECT_THAT(problem_of("CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_KERNEL USING"
                         "  rtree(start, end, deviceId)"),
              HasSubstr("is none: it is a view, or computed"));
  EXPECT_THAT(problem_of("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER AS (5), end,"
                         "  deviceId, streamId)"),
              HasSubstr("has no column start"));
}

TEST(ReadNsysHostile, ATableWithoutWhatItNeedsIsLeftOutAndNamed) {
  EXPECT_EQ(problem_of("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, streamId)"),
            "the table CUPTI_ACTIVITY_KIND_KERNEL has no column deviceId");
  EXPECT_EQ(problem_of("CREATE TABLE NVTX_EVENTS (start, end)"),
            "the table NVTX_EVENTS has no column eventType");
  EXPECT_EQ(problem_of("CREATE TABLE TARGET_INFO_GPU (name)"),
            "the table TARGET_INFO_GPU has no column id");
}

TEST(ReadNsysHostile, RowsThatMakeNoSenseAreCounted) {
  const Trace trace =
      Export(with_a_call(
                 std::string(kMemcpyTable) +
                 "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES"
                 "  (NULL, 20, 0, 7, 1, 1, 64, 1, 1, 2), ('10', NULL, 0, 7, 1, 1, 64, 1, 1, 2),"
                 "  (x'0a', 20, 0, 7, 1, 1, 64, 1, 1, 2), (0, 0, 0, 7, 1, 1, 64, 1, 1, 2),"
                 "  (10.5, 20, 0, 7, 1, 1, 64, 1, 1, 2), (1e300, 2e300, 0, 7, 1, 1, 64, 1, 1, 2),"
                 "  (9223372036854775807, -9223372036854775807, 0, 7, 1, 1, 64, 1, 1, 2),"
                 "  (10, 20, NULL, 7, 1, 1, 64, 1, 1, 2), (10, 20, -1, 7, 1, 1, 64, 1, 1, 2),"
                 "  (10, 20, 9223372036854775807, 7, 1, 1, 64, 1, 1, 2);"))
          .read();
  EXPECT_EQ(trace.activities.size(), 1u);
  EXPECT_EQ(trace.read.skipped, 10);
  EXPECT_THAT(trace.read.problems,
              ElementsAre(Pair("no valid device", 3), Pair("no valid time", 7)));
  EXPECT_FALSE(trace.read.truncated);
}

TEST(ReadNsysHostile, WhatIsNotKnownOfARowIsLeftOpen) {
  const Trace trace =
      Export(std::string(kStrings) + kKernelTable + kMemcpyTable +
             "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES"
             "  (200, 100, 0, 'x', 9223372036854775807, -5, 'p', 777, x'00', 'many',"
             "   9223372036854775807, 9223372036854775807, 2, -1, NULL, 1.5, NULL, -1),"
             "  (300.0, 400, 0, 0, 7, 5, 16777216, NULL, NULL, 3, 1, 1, 1, 1, 1, 1, 0, 0);"
             "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES"
             "  (10, 20, 0, 7, 1, 16777216, -64, 99, 'x', 9223372036854775807);")
          .read();
  ASSERT_EQ(trace.activities.size(), 3u);
  EXPECT_EQ(trace.name_of(0), "string 777");
  EXPECT_EQ(trace.activities.duration_ns[0], 0);
  EXPECT_EQ(trace.activities.correlation[0], -1);
  EXPECT_EQ(*trace.launch_of(0), LaunchFacts());
  EXPECT_EQ(trace.name_of(1), "Memcpy Unknown (Unknown -> Unknown)");
  EXPECT_EQ(*trace.copy_of(1), CopyFacts());
  EXPECT_EQ(trace.name_of(2), "unnamed kernel");
  EXPECT_THAT(trace.read.problems, ElementsAre(Pair("a kernel without a name", 1),
                                               Pair("a name that StringIds does not have", 1),
                                               Pair("a negative duration, taken for 0", 1)));
}

TEST(ReadNsysHostile, NamesMayBeAnythingAndNumbersOfNoKey) {
  const Trace trace =
      Export(
          "CREATE TABLE StringIds (id, value);"
          "INSERT INTO StringIds VALUES (9223372036854775807, 'far'), (2, NULL), (3, x'00ff'),"
          "  (4, 'a' || char(0) || 'b'), (4, 'second'), ('5', 'text');" +
          std::string(kRuntimeTable) +
          "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, nameId) VALUES"
          "  (10, 11, 16777218, 9223372036854775807), (20, 21, 16777218, 2),"
          "  (30, 31, 16777218, 3), (40, 41, 16777218, 4), (50, 51, 16777218, 5),"
          "  (60, 61, 16777218, NULL);")
          .read();
  ASSERT_EQ(trace.activities.size(), 6u);
  EXPECT_EQ(trace.name_of(0), "far");
  EXPECT_EQ(trace.name_of(1), "string 2");
  EXPECT_EQ(trace.name_of(2), "");
  EXPECT_EQ(trace.name_of(3), std::string("a\0b", 3));
  EXPECT_EQ(trace.name_of(5), "string -1");
}

TEST(ReadNsysHostile, TextMayBeUtf16AndNoText) {
  const Trace trace =
      Export("PRAGMA encoding = 'UTF-16le';" + std::string(kStrings) + kNvtxTable +
             "INSERT INTO NVTX_EVENTS VALUES (1, 2, 59, 'caf' || char(233), 16777218, NULL),"
             "  (3, 4, 59, x'ff', NULL, NULL);")
          .read();
  ASSERT_EQ(trace.activities.size(), 2u);
  EXPECT_THAT(trace.names, ElementsAre("", "caf\xc3\xa9"));
  EXPECT_THAT(trace.read.problems, ElementsAre(Pair("an event without a thread", 1)));
}

std::string many_calls() {
  return with_a_call(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT i * 100, i * 100 + 9, 0, 16777218, i, 3"
      "  FROM n;");
}

TEST(ReadNsysHostile, ReadsUpToADamagedPageAndSaysSo) {
  const Export file(many_calls());
  std::string bytes = file.bytes();
  const size_t middle = bytes.size() / kPage / 2 * kPage;
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(middle), kPage, '\xff');
  file.replace_by(bytes);
  const Trace trace = file.read();
  EXPECT_GT(trace.activities.size(), 1'000u);
  EXPECT_LT(trace.activities.size(), 4'000u);
  EXPECT_TRUE(trace.read.truncated);
  EXPECT_THAT(
      trace.read.problems,
      ElementsAre(Pair("the table CUPTI_ACTIVITY_KIND_RUNTIME is unreadable from some row on: "
                       "database disk image is malformed",
                       1)));
}

TEST(ReadNsysHostile, AFileThatIsCutOffIsRefusedWithBothSizes) {
  const Export file(many_calls());
  const std::string bytes = file.bytes();
  file.replace_by(bytes.substr(0, bytes.size() - 2 * kPage));
  EXPECT_THAT(file.error(),
              HasSubstr("is truncated: it has " + std::to_string(bytes.size() - 2 * kPage) +
                        " bytes of " + std::to_string(bytes.size())));
  file.replace_by(bytes.substr(0, 16));
  EXPECT_THAT(file.error(), HasSubstr("cannot read it as SQLite"));
}

TEST(ReadNsysHostile, FlippedBitsEndInATraceOrAnError) {
  const Export file(with_a_call(std::string(kKernelTable) + kOneKernel + kNvtxTable));
  const std::string full = file.bytes();
  uint64_t random = 1;
  for (int i = 0; i < 400; ++i) {
    std::string bytes = full;
    for (int flips = 0; flips < 4; ++flips) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      // Most of what means something stands in the first page and at the ends of the others.
      const size_t within = (random >> 33U) % 3 == 0 ? (random >> 40U) % 4096 : (random >> 40U);
      bytes[within % bytes.size()] ^= static_cast<char>(1U << ((random >> 30U) % 8));
    }
    file.replace_by(bytes);
    const auto trace = TraceReader().read(file.path());
    if (trace) {
      EXPECT_EQ(trace->first_of_track.back(), trace->activities.size());
    } else {
      EXPECT_THAT(to_string(trace.error()), testing::Not(IsEmpty()));
    }
  }
}

// An inner page of a table's tree, all of whose children are one page.
std::string inner_page(uint32_t child, size_t children) {
  std::string page(kPage, '\0');
  const auto put = [&](size_t at, size_t size, size_t value) {
    for (size_t i = 0; i < size; ++i) {
      page[at + i] = static_cast<char>(value >> 8U * (size - 1 - i));
    }
  };
  constexpr size_t kCell = 5;  // the child, and a key of one byte
  page[0] = 5;
  put(3, 2, children);
  put(5, 2, kPage - kCell * children);
  put(8, 4, child);
  for (size_t i = 0; i < children; ++i) {
    const size_t cell = kPage - kCell * (i + 1);
    put(12 + 2 * i, 2, cell);
    put(cell, 4, child);
    page[cell + 4] = 1;
  }
  return page;
}

// Four pages, all of whose 500 children are the page behind it: 6 * 10^10 rows in 40 kB.
Trace read_circles(const std::string& column) {
  const Export file(with_a_call("CREATE TABLE NVTX_EVENTS (start, end, eventType, text" + column +
                                ");"
                                "INSERT INTO NVTX_EVENTS (start, end, eventType) VALUES (1, 2, 59);"
                                "CREATE TABLE filler1 (a); CREATE TABLE filler2 (a);"
                                "CREATE TABLE filler3 (a); CREATE TABLE filler4 (a);"));
  std::string bytes = file.bytes();
  // Roots stand in the order in which tables were made: the list, texts, calls, ranges, fillers.
  constexpr uint32_t kRoot = 4;
  const std::string leaf = bytes.substr((kRoot - 1) * kPage, kPage);
  const auto replace = [&](uint32_t page, const std::string& by) {
    bytes.replace((page - 1) * kPage, kPage, by);
  };
  for (uint32_t page = kRoot; page < kRoot + 4; ++page) replace(page, inner_page(page + 1, 500));
  replace(kRoot + 4, leaf);
  file.replace_by(bytes);
  const Trace trace = file.read();
  EXPECT_TRUE(trace.read.truncated);
  return trace;
}

TEST(ReadNsysHostile, ATreeThatLeadsInCirclesIsLeft) {
  const Trace trace = read_circles("");
  EXPECT_EQ(trace.activities.size(), 2u);
  EXPECT_THAT(
      trace.read.problems,
      Contains(Key("the table NVTX_EVENTS is unreadable from some row on: its rows are mixed up")));
}

TEST(ReadNsysHostile, ATableThatHoldsMoreThanTheFileIsLeft) {
  const Trace trace = read_circles(", rowid");  // which hides the numbers of rows
  EXPECT_GT(trace.activities.size(), 1'000u);
  EXPECT_LT(trace.activities.size(), 50'000u);
  EXPECT_THAT(
      trace.read.problems,
      Contains(Key("the table NVTX_EVENTS is unreadable from some row on: it seems to hold more "
                   "than its size allows")));
}

TEST(ReadNsysHostile, ATableWithoutNumbersOfRowsIsRead) {
  const Trace trace =
      Export(std::string(kStrings) +
             "CREATE TABLE NVTX_EVENTS (start PRIMARY KEY, end, eventType, text) WITHOUT ROWID;"
             "INSERT INTO NVTX_EVENTS VALUES (3, 4, 59, 'b'), (1, 2, 59, 'a');")
          .read();
  EXPECT_EQ(trace.activities.size(), 2u);
  EXPECT_FALSE(trace.read.truncated);
}

TEST(ReadNsysHostile, PagesThatAreMixedUpAreNotReadOn) {
  const Export file(many_calls());
  std::string bytes = file.bytes();
  const size_t middle = bytes.size() / kPage / 2;
  const std::string page = bytes.substr(middle * kPage, kPage);
  bytes.replace((middle + 1) * kPage, kPage, page);
  file.replace_by(bytes);
  const Trace trace = file.read();
  EXPECT_GT(trace.activities.size(), 1'000u);
  EXPECT_LT(trace.activities.size(), 4'000u);
  EXPECT_TRUE(trace.read.truncated);
  EXPECT_THAT(trace.read.problems, ElementsAre(Pair(HasSubstr("its rows are mixed up"), 1)));
}

TEST(ReadNsysHostile, ATextLargerThanAnyNameEndsItsTable) {
  EXPECT_THAT(
      problem_of(std::string(kNvtxTable) +
                 "INSERT INTO NVTX_EVENTS VALUES (1, 2, 59, hex(zeroblob(10000000)), 1, 1)"),
      HasSubstr("the table NVTX_EVENTS is unreadable from some row on: string or blob too big"));
}

TEST(ReadNsysHostile, AJournalBesideTheFileIsStated) {
  const Export file(with_a_call(""));
  std::ofstream(file.path().string() + "-journal") << "something";
  const Trace trace = file.read();
  EXPECT_EQ(trace.activities.size(), 1u);
  EXPECT_TRUE(trace.read.truncated);
  EXPECT_THAT(trace.read.problems, ElementsAre(Pair(HasSubstr("a journal"), 1)));
}

TEST(ReadNsysHostile, PackedAndPipedExportsAreRefusedWithWhatToDo) {
  const Export file(with_a_call(""));
  const std::string bytes = file.bytes();
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1));
  for (const std::string& text : {bytes, packed}) {
    const auto trace = TraceReader().parse(text, "a pipe");
    ASSERT_FALSE(trace);
    EXPECT_THAT(to_string(trace.error()),
                HasSubstr("an SQLite export must be an uncompressed file"));
  }
  file.replace_by(packed);
  EXPECT_THAT(file.error(), HasSubstr("an SQLite export must be an uncompressed file"));
}

TEST(ReadNsysHostile, NothingIsWrittenBesideTheFile) {
  const Export file("PRAGMA journal_mode = WAL;" + with_a_call(""));
  std::filesystem::remove(file.path().string() + "-wal");
  const std::string before = file.bytes();
  EXPECT_EQ(file.read().activities.size(), 1u);
  EXPECT_EQ(file.bytes(), before);
  size_t files = 0;
  for ([[maybe_unused]] const auto& each :
       std::filesystem::directory_iterator(file.path().parent_path())) {
    ++files;
  }
  EXPECT_EQ(files, 1u);
}

}  // namespace
}  // namespace batchscope::trace
