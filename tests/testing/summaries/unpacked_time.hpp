#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/charts/time_line.hpp"

namespace batchscope::charts {

struct UnpackedSpan {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  attribution::TimeParts parts;
};

// As the script of the page reads it: written from the description, not from the writer.
inline std::vector<UnpackedSpan> unpacked(const PackedTime& time) {
  std::string bytes;
  uint32_t bits = 0;
  int held = 0;
  for (const char letter : time.base64) {
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t value = letters.find(letter);
    if (value == std::string::npos) break;
    bits = bits << 6 | static_cast<uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 255);
  }
  std::size_t at = 0;
  const auto number = [&] {
    int64_t value = 0;
    for (int shift = 0; at < bytes.size(); shift += 7) {
      const auto byte = static_cast<uint8_t>(bytes[at++]);
      value |= static_cast<int64_t>(byte & 127) << shift;
      if (byte < 128) break;
    }
    return value;
  };
  std::vector<UnpackedSpan> segments;
  int64_t start = time.start_ns;
  while (at < bytes.size()) {
    UnpackedSpan segment{start, start, {}};
    const int64_t head = number();
    const int64_t code = head % 16;
    if (code < int64_t{attribution::kParts})
      segment.parts.ns[static_cast<std::size_t>(code)] = head / 16 * time.unit_ns;
    for (std::size_t part = 0; code == int64_t{attribution::kParts} && part < attribution::kParts;
         ++part) {
      if ((head / 16 >> part & 1) != 0) segment.parts.ns[part] = number() * time.unit_ns;
    }
    const bool counts = code <= int64_t{attribution::kParts};
    start = segment.end_ns = start + (counts ? segment.parts.wall_ns() : head / 16 * time.unit_ns);
    if (counts) segments.push_back(segment);
  }
  return segments;
}

// Of stretches of one part also what lies within a part of them.
inline attribution::TimeParts parts_between(const std::vector<UnpackedSpan>& segments, int64_t from,
                                            int64_t to) {
  attribution::TimeParts sum;
  for (const UnpackedSpan& segment : segments) {
    if (segment.start_ns >= from && segment.end_ns <= to) {
      sum += segment.parts;
      continue;
    }
    const int64_t begin = std::max(from, segment.start_ns);
    const int64_t end = std::min(to, segment.end_ns);
    if (end <= begin) continue;
    for (int64_t& ns : sum.ns) {
      const auto part = static_cast<std::size_t>(&ns - sum.ns.data());
      if (segment.parts.ns[part] == segment.end_ns - segment.start_ns) ns += end - begin;
    }
  }
  return sum;
}

}  // namespace batchscope::charts
