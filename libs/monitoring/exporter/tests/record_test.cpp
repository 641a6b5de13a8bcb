#include "tensorboard/record.hpp"

#include <gtest/gtest.h>

#include <string>

namespace batchscope::exporter {
namespace {

// RFC 3720, B.4, and the check value of the CRC catalogue.
TEST(Crc32c, IsThatOfTheKnownVectors) {
  std::string ascending;
  for (int i = 0; i < 32; ++i) ascending.push_back(static_cast<char>(i));
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(crc32c(ascending), 0x46dd794eu);
  EXPECT_EQ(crc32c(std::string(ascending.rbegin(), ascending.rend())), 0x113fdb5cu);
}

TEST(Record, HasLengthDataAndTheirMaskedChecksums) {
  const std::string record = record_of("123456789");
  ASSERT_EQ(record.size(), 8u + 4 + 9 + 4);
  EXPECT_EQ(record.substr(0, 8), std::string("\x09\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(record.substr(12, 9), "123456789");
  // 0xe3069283 rotated right by 15 bits is 0x2507c60d; plus 0xa282ead8 it is 0xc78ab0e5.
  EXPECT_EQ(record.substr(21), "\xe5\xb0\x8a\xc7");
}

}  // namespace
}  // namespace batchscope::exporter
