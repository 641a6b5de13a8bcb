#include "json/json_line.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

namespace batchscope::schema {
namespace {

using ::testing::ElementsAre;

TEST(JsonLine, AgreesWithAnotherParserOnWhatIsJson) {
  for (const std::string text : {"{}",
                                 "[]",
                                 "null",
                                 "true",
                                 "false",
                                 "0",
                                 "-0",
                                 "1.5e-3",
                                 "1E+2",
                                 "\"\"",
                                 "[1,2]",
                                 "[ 1 ]",
                                 "[1,]",
                                 "[,1]",
                                 "[1 2]",
                                 "01",
                                 "-",
                                 "1.",
                                 ".5",
                                 "1e",
                                 "+1",
                                 "nul",
                                 "truex",
                                 "{\"a\":1}",
                                 "{\"a\":1,}",
                                 "{a:1}",
                                 "{\"a\" 1}",
                                 "{\"a\":}",
                                 "[",
                                 "]",
                                 "{",
                                 "[[[]]]",
                                 "[01]",
                                 "[-]",
                                 "[-01]",
                                 "[1.0,2]",
                                 "[1e5]",
                                 "\"\\u00e4\"",
                                 "\"\\ud83d\\ude00\"",
                                 "\"\\ud83d\"",
                                 "\"\\ude00\"",
                                 "\"\\x\"",
                                 "\"\\u12\"",
                                 "\"a",
                                 "\"\t\"",
                                 " 1 ",
                                 "1 1",
                                 "",
                                 " ",
                                 "[1}",
                                 "{\"a\":[1,\"b\",{\"c\":null}]}",
                                 "[18446744073709551616]",
                                 "[\"a\",[1],{}]"}) {
    JsonLine line;
    EXPECT_EQ(line.parse(text), nlohmann::json::accept(text)) << text;
  }
}

TEST(JsonLine, DecodesStrings) {
  JsonLine line;
  ASSERT_TRUE(line.parse(R"(["a\"\\\/\b\f\n\r\t", "\u0041\u00e4\u20ac\ud83d\ude00", "x"])"));
  EXPECT_EQ(line.node(1).text, "a\"\\/\b\f\n\r\t");
  EXPECT_EQ(line.node(2).text, "A\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(line.node(3).text, "x");
}

TEST(JsonLine, FindsKeysWhereverTheSearchStarts) {
  JsonLine line;
  ASSERT_TRUE(line.parse(R"({"a":{"b":1},"b":[1,2],"c":["x",{"d":3}],"\u0064":4})"));
  for (const size_t hint : {size_t{0}, line.find(0, "a", 0), line.find(0, "c", 0)}) {
    EXPECT_EQ(line.node(line.find(0, "b", hint)).count, 2U);
    EXPECT_EQ(line.node(line.find(0, "d", hint)).text, "4");
    EXPECT_EQ(line.find(0, "e", hint), 0U);
  }
  const size_t inner = line.find(0, "a", 0);
  EXPECT_EQ(line.node(line.find(inner, "b", 0)).text, "1");
}

TEST(JsonLine, KeepsIntegerArraysWholeAndOthersAsNodes) {
  JsonLine line;
  ASSERT_TRUE(line.parse("[[0,-1,9223372036854775807],[1,2.0],[1,[2]],[]]"));
  EXPECT_THAT(line.integers(line.node(1)), ElementsAre(0, -1, 9223372036854775807));
  EXPECT_EQ(line.node(2).kind, JsonNode::Kind::array);
  EXPECT_EQ(line.node(4).text, "2.0");
  const size_t third = line.next(2);
  EXPECT_EQ(line.node(third).kind, JsonNode::Kind::array);
  EXPECT_THAT(line.integers(line.node(third + 2)), ElementsAre(2));
  EXPECT_EQ(line.node(line.next(third)).count, 0U);
}

TEST(JsonLine, RefusesEndlessNesting) {
  JsonLine line;
  EXPECT_TRUE(line.parse(std::string(60, '[') + std::string(60, ']')));
  EXPECT_FALSE(line.parse(std::string(100, '[') + std::string(100, ']')));
  EXPECT_FALSE(line.parse(std::string(1'000'000, '[')));
}

}  // namespace
}  // namespace batchscope::schema
