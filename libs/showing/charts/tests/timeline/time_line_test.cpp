#include "batchscope/charts/time_line.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <random>

#include "testing/summaries/unpacked_time.hpp"

namespace batchscope::charts {
namespace {

using attribution::kParts;
using attribution::Part;
using attribution::Piece;
using attribution::TimeParts;

TimeParts sum_of(const std::vector<TimeParts>& all) {
  TimeParts sum;
  for (const TimeParts& each : all) sum += each;
  return sum;
}

TimeParts sum_of(const std::vector<Piece>& pieces, int64_t from, int64_t to) {
  TimeParts sum;
  for (const Piece& piece : pieces) {
    sum[piece.part] +=
        std::max<int64_t>(0, std::min(piece.end_ns, to) - std::max(piece.start_ns, from));
  }
  return sum;
}

// Many short pieces, a few long ones, in whole microseconds.
std::vector<Piece> made_up(size_t count, uint32_t seed,
                           int64_t start_ns = 1'683'564'901'549'715'000) {
  std::mt19937 random(seed);
  std::vector<Piece> pieces;
  for (size_t i = 0; i < count; ++i) {
    const int64_t most = random() % 50 == 0 ? 90'000 : 40;
    const int64_t length = (1 + static_cast<int64_t>(random()) % most) * 1000;
    pieces.push_back({start_ns, start_ns + length, static_cast<Part>(random() % kParts)});
    start_ns += length;
  }
  return pieces;
}

// As where time between them does not count.
TEST(PackedTime, PiecesNeedNotFollowEachOther) {
  std::vector<Piece> pieces = made_up(3000, 4);
  pieces.erase(pieces.begin() + 700, pieces.begin() + 1900);
  for (const size_t most : {size_t{5000}, size_t{100}}) {
    const PackedTime time = packed(pieces, {}, most);
    const std::vector<UnpackedSpan> segments = unpacked(time);
    EXPECT_EQ(segments.back().end_ns, pieces.back().end_ns);
    TimeParts sum;
    TimeParts before;
    for (const UnpackedSpan& each : segments) {
      sum += each.parts;
      if (each.end_ns <= pieces[699].end_ns) before += each.parts;
    }
    EXPECT_EQ(sum, sum_of(pieces, pieces.front().start_ns, pieces.back().end_ns));
    EXPECT_EQ(before, sum_of(pieces, pieces.front().start_ns, pieces[699].end_ns));
  }
}

TEST(PackedTime, HoldsEveryPieceWhereThereAreFew) {
  const std::vector<Piece> pieces = made_up(5000, 1);
  const PackedTime time = packed(pieces, {}, 5000);
  EXPECT_EQ(time.segments, pieces.size());
  EXPECT_EQ(time.unit_ns, 1000);
  const std::vector<UnpackedSpan> segments = unpacked(time);
  ASSERT_EQ(segments.size(), pieces.size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(segments[i].start_ns, pieces[i].start_ns);
    EXPECT_EQ(segments[i].parts[pieces[i].part], pieces[i].end_ns - pieces[i].start_ns);
    EXPECT_EQ(segments[i].parts.wall_ns(), pieces[i].end_ns - pieces[i].start_ns);
  }
}

TEST(PackedTime, TakesFewBytesAPiece) {
  const PackedTime time = packed(made_up(20'000, 2), {}, 20'000);
  EXPECT_LT(time.base64.size(), 20'000 * 3);
}

TEST(PackedTime, OfManyPiecesNeighboursShareASegmentAndSumsStayExact) {
  const std::vector<Piece> pieces = made_up(40'000, 3);
  for (const size_t most : {size_t{20'000}, size_t{3000}, size_t{50}}) {
    const PackedTime time = packed(pieces, {}, most);
    EXPECT_LE(time.segments, most);
    EXPECT_GT(time.segments, most / 3);
    EXPECT_EQ(time.pieces, pieces.size());
    std::vector<TimeParts> parts;
    for (const UnpackedSpan& segment : unpacked(time)) parts.push_back(segment.parts);
    EXPECT_EQ(sum_of(parts), sum_of(pieces, INT64_MIN, INT64_MAX)) << most;
  }
}

TEST(PackedTime, BetweenCutsSumsAreExact) {
  const std::vector<Piece> pieces = made_up(40'000, 4);
  std::vector<int64_t> cuts;
  // Some between pieces, some within one, some far outside.
  for (size_t i = 100; i < pieces.size(); i += 997) {
    cuts.push_back(pieces[i].start_ns + (i % 2 == 0 ? 0 : 500));
  }
  cuts.insert(cuts.begin(), pieces.front().start_ns - 5000);
  cuts.push_back(pieces.back().end_ns + 5000);
  const std::vector<UnpackedSpan> segments = unpacked(packed(pieces, cuts, 2000));
  EXPECT_LT(segments.size(), 4000U);
  for (size_t i = 1; i < cuts.size(); ++i) {
    EXPECT_EQ(parts_between(segments, cuts[i - 1], cuts[i]), sum_of(pieces, cuts[i - 1], cuts[i]))
        << i;
  }
}

TEST(PackedTime, LongPiecesBeByThemselves) {
  std::vector<Piece> pieces = made_up(30'000, 5);
  const int64_t end = pieces.back().end_ns;
  pieces.push_back({end, end + 4'000'000'000, Part::data_loading});
  const std::vector<UnpackedSpan> segments = unpacked(packed(pieces, {}, 1000));
  EXPECT_EQ(segments.back().start_ns, end);
  EXPECT_EQ(segments.back().parts[Part::data_loading], 4'000'000'000);
  EXPECT_EQ(segments.back().parts.wall_ns(), 4'000'000'000);
}

TEST(PackedTime, TakesWhatNoTraceHas) {
  EXPECT_TRUE(packed({}, {}, 10).base64.empty());
  const std::vector<Piece> full{{INT64_MIN / 2, INT64_MAX / 2, Part::host}};
  const std::vector<UnpackedSpan> segments = unpacked(packed(full, {}, 10));
  ASSERT_EQ(segments.size(), 1U) << "as one unit";
  EXPECT_EQ(segments[0].parts[Part::host], INT64_MAX);
  const std::vector<Piece> odd{{0, 1, Part::host}, {1, INT64_MAX, Part::launch}};
  EXPECT_GT(packed(odd, {}, 10).segments, 2U) << "none longer than a script can count";
  const std::vector<Piece> empty{{5, 5, Part::host}, {5, 7, Part::launch}};
  EXPECT_EQ(packed(empty, {}, 10).segments, 1U);
}

TEST(TimeColumns, SumToTheTimeBetween) {
  const std::vector<Piece> pieces = made_up(3000, 6);
  const int64_t from = pieces[10].start_ns + 300;
  const int64_t to = pieces[2900].start_ns + 700;
  for (const size_t count : {1UL, 7UL, 240UL, 100'000UL}) {
    const std::vector<TimeParts> columns = time_columns(pieces, from, to, count);
    ASSERT_EQ(columns.size(), count);
    EXPECT_EQ(sum_of(columns), sum_of(pieces, from, to)) << count;
  }
}

TEST(TimeColumns, AreEvenAndEmptyOutsideOfThePieces) {
  const std::vector<Piece> pieces{{100, 200, Part::compute}, {200, 300, Part::host}};
  const std::vector<TimeParts> columns = time_columns(pieces, 0, 400, 8);
  EXPECT_EQ(columns[1].wall_ns(), 0);
  EXPECT_EQ(columns[2][Part::compute], 50);
  EXPECT_EQ(columns[5][Part::host], 50);
  EXPECT_EQ(columns[6].wall_ns(), 0);
  EXPECT_EQ(time_columns(pieces, 5, 5, 3)[0].wall_ns(), 0);
}

}  // namespace
}  // namespace batchscope::charts
