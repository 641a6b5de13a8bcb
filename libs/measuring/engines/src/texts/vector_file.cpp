#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cstring>
#include <span>

#include "batchscope/engines/embed_texts.hpp"

namespace batchscope::engines {

std::string as_npy(const Embedded& embedded) {
  static_assert(std::endian::native == std::endian::little);
  std::string header =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}",
                  embedded.tokens.size(), embedded.width);
  constexpr std::size_t kBefore = 10;  // magic, version, length
  header.append(63 - (kBefore + header.size()) % 64, ' ');
  header += '\n';
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size() & 0xFFU);
  text += static_cast<char>(header.size() >> 8U);
  text += header;
  const std::size_t bytes = embedded.vectors.size() * sizeof(float);
  text.resize(text.size() + bytes);
  std::memcpy(text.data() + text.size() - bytes, embedded.vectors.data(), bytes);
  return text;
}

std::string as_json_lines(const Embedded& embedded) {
  std::string text;
  const auto width = static_cast<std::size_t>(embedded.width);
  for (std::size_t i = 0; i < embedded.tokens.size(); ++i) {
    const std::span vector = std::span(embedded.vectors).subspan(i * width, width);
    text += fmt::format("{{\"text\":{},\"tokens\":[{}],\"vector\":[{}]}}\n", i + 1,
                        fmt::join(embedded.tokens[i], ","), fmt::join(vector, ","));
  }
  return text;
}

}  // namespace batchscope::engines
