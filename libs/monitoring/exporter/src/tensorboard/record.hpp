#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace batchscope::exporter {

// CRC-32C (Castagnoli), as RFC 3720 has it.
uint32_t crc32c(std::string_view data);

// The data framed as TFRecord: its length (u64), the masked CRC-32C of that, the data, its masked
// CRC-32C; little-endian. Masked: rotated right by 15 bits, plus 0xa282ead8.
std::string record_of(std::string_view data);

}  // namespace batchscope::exporter
