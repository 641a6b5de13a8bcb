#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <random>

#include "batchscope/bytes/byte_source.hpp"
#include "read_text.hpp"

namespace batchscope::trace {
namespace {

std::string gzip(const std::string& text) {
  isal_zstream stream;
  isal_deflate_init(&stream);
  std::string out(text.size() + 1000, '\0');
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.flush = NO_FLUSH;
  stream.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uint32_t>(text.size());
  stream.next_out = reinterpret_cast<uint8_t*>(out.data());
  stream.avail_out = static_cast<uint32_t>(out.size());
  EXPECT_EQ(isal_deflate(&stream), COMP_OK);
  out.resize(stream.total_out);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

struct Bytes {
  std::string text;
  std::string damage;
};

Bytes unpacked(const std::string& packed, size_t at_a_time) {
  const auto source = bytes::decompressed(bytes::bytes_of(packed));
  Bytes result;
  std::vector<char> buffer(at_a_time);
  while (const size_t got = source->read(buffer)) result.text.append(buffer.data(), got);
  result.damage = source->damage();
  return result;
}

std::string some_text(size_t size) {
  std::mt19937 random(3);
  std::string text;
  while (text.size() < size) text += "word" + std::to_string(random() % 1000) + " ";
  return text;
}

TEST(Decompress, GivesBackWhatWasPacked) {
  const std::string text = some_text(1'000'000);
  for (const size_t at_a_time : {size_t{1} << 20, size_t{4096}, size_t{777}}) {
    for (const std::string& packed : {text, gzip(text), zstd(text)}) {
      const Bytes bytes = unpacked(packed, at_a_time);
      EXPECT_EQ(bytes.text, text) << at_a_time;
      EXPECT_EQ(bytes.damage, "");
    }
  }
}

TEST(Decompress, MembersOneBehindAnotherAreOneText) {
  const std::string a = some_text(1000), b = some_text(300'000);
  EXPECT_EQ(unpacked(gzip(a) + gzip(b) + gzip(""), 5000).text, a + b);
  EXPECT_EQ(unpacked(zstd(a) + zstd(b), 5000).text, a + b);
}

TEST(Decompress, SaysThatTheDataEndEarlyOrAreDamaged) {
  const std::string text = some_text(600'000);
  for (const std::string& packed : {gzip(text), zstd(text)}) {
    const Bytes half = unpacked(packed.substr(0, packed.size() / 2), 4096);
    EXPECT_THAT(text, testing::StartsWith(half.text));
    EXPECT_GT(half.text.size(), 1000);
    EXPECT_NE(half.damage, "");
    std::string damaged = packed;
    for (size_t i = damaged.size() / 2; i < damaged.size() / 2 + 64; ++i) damaged[i] = '\x55';
    EXPECT_NE(unpacked(damaged, 4096).damage, "");
  }
}

TEST(Decompress, ATruncatedTraceIsReadAndMarked) {
  std::string text = "{\"traceEvents\":[";
  for (int i = 0; i < 5000; ++i) {
    text += (i > 0 ? "," : "") +
            std::string(R"({"ph":"X","cat":"cpu_op","name":"x","pid":1,"tid":1,"ts":)") +
            std::to_string(i) + R"(,"dur":1})";
  }
  text += "]}";
  for (const std::string& packed : {gzip(text), zstd(text)}) {
    EXPECT_EQ(read(packed).read.events, 5000);
    const Trace half = read(std::string_view(packed).substr(0, packed.size() / 2));
    EXPECT_TRUE(half.read.truncated);
    EXPECT_LT(half.read.events, 5000);
    EXPECT_FALSE(half.read.problems.empty());
  }
}

}  // namespace
}  // namespace batchscope::trace
