#include <algorithm>
#include <array>
#include <numeric>

#include "batchscope/base/base64.hpp"
#include "batchscope/charts/time_line.hpp"

namespace batchscope::charts {
namespace {

using attribution::kParts;
using attribution::Piece;

constexpr uint64_t kSeveral = kParts;  // in place of a part, as the next
constexpr uint64_t kNotCounted = kParts + 1;
// A script counts in doubles: what a record holds stays far below 2^53.
constexpr uint64_t kLongest = uint64_t{1} << 48;

uint64_t length_of(const Piece& piece) {
  return static_cast<uint64_t>(piece.end_ns) - static_cast<uint64_t>(piece.start_ns);
}

// Between a piece and the one before it, which does not count.
uint64_t length_before(std::span<const Piece> pieces, size_t piece) {
  if (piece == 0) return 0;
  return static_cast<uint64_t>(pieces[piece].start_ns) -
         static_cast<uint64_t>(pieces[piece - 1].end_ns);
}

// Calls sink(pieces of a stretch) for each. Short pieces, below `width`, are put together until
// they are that long; width 0: none are.
template <class Sink>
void for_each_segment(std::span<const Piece> pieces, std::span<const int64_t> cuts, uint64_t width,
                      Sink sink) {
  auto cut = cuts.begin();
  size_t first = 0;
  uint64_t gathered = 0;
  const auto flush = [&](size_t end) {
    if (end > first) sink(pieces.subspan(first, end - first));
    first = end;
    gathered = 0;
  };
  for (size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    while (cut != cuts.end() && *cut < piece.start_ns) ++cut;
    const bool at_start = cut != cuts.end() && *cut == piece.start_ns;
    while (cut != cuts.end() && *cut <= piece.start_ns) ++cut;
    const bool inside = cut != cuts.end() && *cut < piece.end_ns;
    const bool alone = inside || length_of(piece) >= width;
    if (at_start || alone || length_before(pieces, i) > 0) flush(i);
    gathered += length_of(piece);
    if (alone || gathered >= width) flush(i + 1);
  }
  flush(pieces.size());
}

size_t count_segments(std::span<const Piece> pieces, std::span<const int64_t> cuts,
                      uint64_t width) {
  size_t count = 0;
  for_each_segment(pieces, cuts, width, [&](std::span<const Piece>) { ++count; });
  return count;
}

// How long a piece is to stand by itself.
uint64_t width_for(std::span<const Piece> pieces, std::span<const int64_t> cuts, size_t most) {
  if (pieces.size() <= most) return 0;
  const auto wall =
      static_cast<uint64_t>(pieces.back().end_ns) - static_cast<uint64_t>(pieces.front().start_ns);
  // Where most pieces are short they are put together far below the mean. Cuts may keep more apart
  // than is wanted.
  uint64_t width = std::max<uint64_t>(1, wall / most / 64);
  while (width < wall && count_segments(pieces, cuts, width) > most) width += width / 4 + 1;
  return width;
}

class Writer {
 public:
  explicit Writer(uint64_t unit) : unit_(unit) {}

  void put(std::span<const Piece> segment) {
    const auto start = static_cast<uint64_t>(segment.front().start_ns);
    if (segments_ > 0) put_one((start - end_) / unit_, kNotCounted);
    end_ = static_cast<uint64_t>(segment.back().end_ns);
    if (segment.size() == 1) {
      return put_one(length_of(segment[0]) / unit_, static_cast<uint64_t>(segment[0].part));
    }
    std::array<uint64_t, kParts> lengths{};
    for (const Piece& piece : segment) lengths[size_t(piece.part)] += length_of(piece) / unit_;
    uint64_t mask = 0;
    for (size_t part = 0; part < kParts; ++part) mask |= uint64_t{lengths[part] > 0} << part;
    if (mask == 0) return;
    put_number(mask * 16 + kSeveral);
    for (const uint64_t length : lengths) {
      if (length > 0) put_number(length);
    }
    ++segments_;
  }

  size_t segments() const { return segments_; }
  const std::string& bytes() const { return bytes_; }

 private:
  void put_one(uint64_t length, uint64_t code) {
    while (length > 0) {
      const uint64_t taken = std::min(length, kLongest);
      put_number(taken * 16 + code);
      length -= taken;
      ++segments_;
    }
  }

  void put_number(uint64_t value) {
    for (; value >= 128; value /= 128) bytes_ += static_cast<char>(value % 128 + 128);
    bytes_ += static_cast<char>(value);
  }

  uint64_t unit_;
  uint64_t end_ = 0;  // of what was put last
  size_t segments_ = 0;
  std::string bytes_;
};

}  // namespace

PackedTime packed(std::span<const Piece> pieces, std::span<const int64_t> cuts, size_t most) {
  PackedTime time;
  if (pieces.empty()) return time;
  uint64_t unit = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    unit = std::gcd(std::gcd(unit, length_of(pieces[i])), length_before(pieces, i));
  }
  Writer writer(std::max<uint64_t>(1, unit));
  for_each_segment(pieces, cuts, width_for(pieces, cuts, most),
                   [&](std::span<const Piece> segment) { writer.put(segment); });
  time.start_ns = pieces.front().start_ns;
  time.unit_ns = static_cast<int64_t>(std::max<uint64_t>(1, unit));
  time.segments = writer.segments();
  time.pieces = pieces.size();
  time.base64 = base::base64(writer.bytes());
  return time;
}

}  // namespace batchscope::charts
