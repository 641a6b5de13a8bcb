#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "batchscope/attribution/time_parts.hpp"

namespace batchscope::charts {

// A device's time from piece to piece, for a script that draws it: small to carry, and quick to
// read. Base64 of varints (7 bits a byte, the lowest first, the eighth bit set on all but the
// last), a record a stretch:
//
//   length * 16 + part          a stretch that is one part
//   mask * 16 + 9, lengths...   one that is several: bit p of the mask says that a length of part p
//                               follows; in which order they were is not told
//   length * 16 + 10            between two pieces that do not follow each other: it is no part
//
// Lengths are in `unit_ns`, of which every length is a multiple. Stretches follow each other from
// `start_ns` on. Most lengths are a few thousand units, so that a piece takes two to four bytes;
// arrays of numbers would take twelve, and JSON about twenty.
struct PackedTime {
  int64_t start_ns = 0;
  int64_t unit_ns = 1;
  size_t segments = 0;
  size_t pieces = 0;  // in these; more where short ones share a stretch
  std::string base64;
};

// With at most about `most` stretches: above that, neighbours that are short are put together, so
// that the time of each part stays exact. None is put together across a time of `cuts`, which are
// in order: between any two of them sums are exact too.
PackedTime packed(std::span<const attribution::Piece> pieces, std::span<const int64_t> cuts,
                  size_t most);

// The time of each part in each of so many equal columns from start to end; a nanosecond that
// belongs to two belongs to the first. Outside of the pieces there is none.
std::vector<attribution::TimeParts> time_columns(std::span<const attribution::Piece> pieces,
                                                 int64_t start_ns, int64_t end_ns, size_t count);

}  // namespace batchscope::charts
