#include "batchscope/schema/json_line.hpp"

#include <gmock/gmock.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "batchscope/schema/describe.hpp"

namespace batchscope::schema {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

struct Inner {
  int64_t count = 0;
};

// A field of each kind.
struct All {
  bool flag = false;
  int32_t small = 7;
  int64_t large = 0;
  uint64_t seed = 0;
  double ratio = 0;
  std::string text;
  std::optional<int64_t> maybe;
  std::vector<int64_t> times;
  std::vector<double> ratios;
  std::vector<std::string> texts;
  std::map<std::string, std::string> names;
  std::map<std::string, int64_t> counts;
  Inner inner;
  std::vector<Inner> inners;
};

}  // namespace

template <>
const Table& table_of<Inner>() {
  static constexpr std::array kFields = {field<&Inner::count>("count", {.required = true})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<All>() {
  static constexpr std::array kFields = {
      field<&All::flag>("flag", {.omit = Omit::empty}),
      field<&All::small>("small", {.least = 1, .most = 9}),
      field<&All::large>("large", {.omit = Omit::empty}),
      field<&All::seed>("seed", {.omit = Omit::empty}),
      field<&All::ratio>("ratio", {.omit = Omit::empty}),
      field<&All::text>("text", {.omit = Omit::empty}),
      field<&All::maybe>("maybe", {.least = 2}),
      field<&All::times>("times", {.omit = Omit::empty}),
      field<&All::ratios>("ratios", {.omit = Omit::empty}),
      field<&All::texts>("texts", {.omit = Omit::empty}),
      field<&All::names>("names", {.omit = Omit::empty}),
      field<&All::counts>("counts", {.omit = Omit::empty}),
      field<&All::inner>("inner", {.when = is_set<&All::inner, &Inner::count>}),
      field<&All::inners>("inners", {.omit = Omit::empty})};
  static constexpr Table kTable{kFields};
  return kTable;
}

namespace {

bool is_object(const std::string& text) {
  JsonLine line;
  std::string problem;
  return line.take(text) && line.read(Table{}, nullptr, problem);
}

All read(const std::string& text) {
  JsonLine line;
  All all;
  std::string problem;
  EXPECT_TRUE(line.take(text) && line.read(all, problem)) << text;
  EXPECT_EQ(problem, "") << text;
  return all;
}

std::string problem_in(const std::string& text) {
  JsonLine line;
  All all;
  std::string problem;
  EXPECT_TRUE(line.take(text) && line.read(all, problem)) << text;
  return problem;
}

const std::vector<std::string> kJsonAndNot = {"{}",
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
                                              "nulll",
                                              "truex",
                                              "fals",
                                              "{\"a\":1}",
                                              "{\"a\":1,}",
                                              "{a:1}",
                                              "{\"a\" 1}",
                                              "{\"a\":}",
                                              "{\"a\":1 \"b\":2}",
                                              "[",
                                              "]",
                                              "{",
                                              "}",
                                              "[[[]]]",
                                              "[01]",
                                              "[-]",
                                              "[-01]",
                                              "[1.0,2]",
                                              "[1e5]",
                                              "1e999",
                                              "\"\\u00e4\"",
                                              "\"\\ud83d\\ude00\"",
                                              "\"\\ud83d\"",
                                              "\"\\ude00\"",
                                              "\"\\x\"",
                                              "\"\\u12\"",
                                              "\"a",
                                              "\"a\"b",
                                              "\"\t\"",
                                              " 1 ",
                                              "1 1",
                                              "",
                                              " ",
                                              "[1}",
                                              "{\"a\":[1,\"b\",{\"c\":null}]}",
                                              "[18446744073709551616]",
                                              "[\"a\",[1],{}]"};

// 1e999 is JSON, and only other parsers have no value for it.
TEST(JsonLine, AgreesWithAnotherParserOnWhatIsJson) {
  for (const std::string& value : kJsonAndNot) {
    for (const std::string name : {"unknown", "text", "small", "times", "names", "inners"}) {
      const std::string text = R"({")" + name + "\":" + value + "}";
      EXPECT_EQ(is_object(text), value == "1e999" || nlohmann::json::accept(text)) << text;
      JsonLine line;
      All all;
      std::string problem;
      EXPECT_EQ(line.take(text) && line.read(all, problem), is_object(text)) << text;
    }
  }
}

TEST(JsonLine, IsOneObject) {
  for (const std::string& text : kJsonAndNot) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    EXPECT_EQ(is_object(text), json.is_object()) << text;
  }
  EXPECT_TRUE(is_object(" {\"a\" : 1 }\t\r"));
  EXPECT_FALSE(is_object("{}{}"));
  EXPECT_FALSE(is_object("{} 1"));
  EXPECT_FALSE(is_object("{\"a\":1}}"));
  EXPECT_FALSE(is_object("{\"a\":{\"b\":1}"));
}

TEST(JsonLine, RefusesEndlessNesting) {
  const auto nested = [](std::size_t levels) {
    return "{\"a\":" + std::string(levels, '[') + std::string(levels, ']') + "}";
  };
  EXPECT_TRUE(is_object(nested(60)));
  EXPECT_FALSE(is_object(nested(100)));
  EXPECT_FALSE(is_object("{\"a\":" + std::string(1'000'000, '[')));
  EXPECT_FALSE(is_object("{\"a\":" + std::string(1'000'000, '[') + "}"));
}

TEST(JsonLine, KnowsTheTypeWhereverItIs) {
  JsonLine line;
  const auto type_of = [&](std::string_view text) { return line.take(text) ? line.type() : "-"; };
  EXPECT_EQ(type_of(R"({"type":"visit","a":1})"), "visit");
  EXPECT_EQ(type_of(R"({"a":{"type":"x"},"b":[1,"]"],"ty\u0070e":"visit"})"), "visit");
  EXPECT_EQ(type_of(R"({"type":7})"), "");
  EXPECT_EQ(type_of(R"({})"), "");
  EXPECT_EQ(type_of(R"({"a":1 2,"type":"visit"})"), "");
  std::string problem;
  EXPECT_FALSE(line.read(Table{}, nullptr, problem));
  EXPECT_EQ(type_of("[1]"), "-");
}

TEST(JsonLine, ReadsEachKind) {
  const All all =
      read(R"({"flag":true,"small":9,"large":-9223372036854775808,"seed":18446744073709551615,)"
           R"("ratio":-1.5e-3,"text":"a","maybe":2,"times":[0,-1,9223372036854775807],)"
           R"("ratios":[1,0.5],"texts":["x",""],"names":{"a":"b"},"counts":{"c":1,"d":null},)"
           R"("inner":{"count":3},"inners":[{"count":4},{"count":5}]})");
  EXPECT_TRUE(all.flag);
  EXPECT_EQ(all.small, 9);
  EXPECT_EQ(all.large, std::numeric_limits<int64_t>::min());
  EXPECT_EQ(all.seed, std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(all.ratio, -1.5e-3);
  EXPECT_EQ(all.text, "a");
  EXPECT_EQ(all.maybe, 2);
  EXPECT_THAT(all.times, ElementsAre(0, -1, 9223372036854775807));
  EXPECT_THAT(all.ratios, ElementsAre(1, 0.5));
  EXPECT_THAT(all.texts, ElementsAre("x", ""));
  EXPECT_THAT(all.names, ElementsAre(Pair("a", "b")));
  EXPECT_THAT(all.counts, ElementsAre(Pair("c", 1), Pair("d", 0)));
  EXPECT_EQ(all.inner.count, 3);
  ASSERT_THAT(all.inners, SizeIs(2));
  EXPECT_EQ(all.inners[1].count, 5);
}

// They are read by words of 8 digits where they are short, and else one by one.
TEST(JsonLine, ReadsIntegersOfAnyLengthBetweenAnySpaces) {
  int64_t number = 0;
  for (int digits = 1; digits <= 18; ++digits) {
    number = number * 10 + digits % 10;
    for (const int64_t value : {number, -number}) {
      const std::string text = std::to_string(value);
      EXPECT_THAT(read(R"({"times":[)" + text + "]}").times, ElementsAre(value));
      EXPECT_THAT(read(R"({"times": [ 0 ,)" + text + "\t,\r" + text + " ] }").times,
                  ElementsAre(0, value, value));
    }
  }
  EXPECT_THAT(read(R"({"times":[-0,-9223372036854775808]})").times,
              ElementsAre(0, std::numeric_limits<int64_t>::min()));
  EXPECT_THAT(read(R"({"times":[ ]})").times, IsEmpty());
  for (const std::string wrong : {"00", "-", "- 1", "1 2", "1,", "1]", "0x1", "1.", "+1", "--1"}) {
    EXPECT_FALSE(is_object(R"({"times":[)" + wrong + "]}")) << wrong;
    JsonLine line;
    All all;
    std::string problem;
    EXPECT_FALSE(line.take(R"({"times":[)" + wrong + "]}") && line.read(all, problem)) << wrong;
  }
}

TEST(JsonLine, LeavesWhatIsAbsentOrNullAsItIs) {
  for (const std::string text :
       {"{}", R"({"small":null,"maybe":null,"times":null,"inner":null,"text":null})"}) {
    const All all = read(text);
    EXPECT_EQ(all.small, 7);
    EXPECT_FALSE(all.maybe);
    EXPECT_THAT(all.times, IsEmpty());
  }
}

TEST(JsonLine, SaysWhatIsWrongByItsField) {
  const std::map<std::string, std::string> printed = {
      {R"({"flag":1})", "flag is not true or false"},
      {R"({"small":1.5})", "small is not an integer that fits 32 bits"},
      {R"({"small":4294967297})", "small is not an integer that fits 32 bits"},
      {R"({"small":0})", "small is too small"},
      {R"({"small":10})", "small is too large"},
      {R"({"large":9223372036854775808})", "large is not an integer that fits 64 bits"},
      {R"({"large":"1"})", "large is not an integer that fits 64 bits"},
      {R"({"seed":-1})", "seed is not a non-negative integer that fits 64 bits"},
      {R"({"seed":18446744073709551616})", "seed is not a non-negative integer that fits 64 bits"},
      {R"({"ratio":1e999})", "ratio is not a number"},
      {R"({"text":1})", "text is not a text"},
      {R"({"maybe":1})", "maybe is too small"},
      {R"({"times":[1,2.0]})", "times is not an array of integers"},
      {R"({"times":[9223372036854775808]})", "times is not an array of integers"},
      {R"({"times":{"a":5}})", "times is not an array of integers"},
      {R"({"ratios":[1,"2"]})", "ratios is not an array of numbers"},
      {R"({"texts":["1",2]})", "texts is not an array of texts"},
      {R"({"names":{"a":1}})", "names is not an object of texts"},
      {R"({"names":[]})", "names is not an object of texts"},
      {R"({"counts":{"a":"1"}})", "a is not an integer that fits 64 bits"},
      {R"({"inner":[]})", "inner is not an object"},
      {R"({"inner":{}})", "count is missing"},
      {R"({"inners":[{"count":1},2]})", "inners is not an array of objects"},
      {R"({"inners":[{"count":null}]})", "count is missing"},
      // Of several things the first by the table.
      {R"({"inners":7,"text":7,"ratio":"x"})", "ratio is not a number"}};
  for (const auto& [text, problem] : printed) EXPECT_EQ(problem_in(text), problem) << text;
}

TEST(JsonLine, TakesFieldsInAnyOrderAndTheFirstOfTwo) {
  const All all =
      read(R"({"inners":[{"count":1}],"new":[{"text":"no"}],"te\u0078t":"yes","small":2,"large":3,)"
           R"("small":4,"inners":[{"count":2}],"text":5})");
  EXPECT_EQ(all.text, "yes");
  EXPECT_EQ(all.small, 2);
  EXPECT_EQ(all.large, 3);
  ASSERT_THAT(all.inners, SizeIs(1));
  EXPECT_EQ(all.inners[0].count, 1);
}

TEST(JsonLine, DecodesStrings) {
  const All all = read(R"({"texts":["a\"\\\/\b\f\n\r\t", "\u0041\u00e4\u20ac\ud83d\ude00", "x"]})");
  EXPECT_THAT(all.texts,
              ElementsAre("a\"\\/\b\f\n\r\t", "A\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", "x"));
}

TEST(JsonLine, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(read("{\"text\":\"a\xFF\xC3\xA4\xC3\"}").text, "a\xEF\xBF\xBD\xC3\xA4\xEF\xBF\xBD");
  EXPECT_EQ(read("{\"new\":\"\xED\xA0\x80\",\"text\":\"b\"}").text, "b");
  EXPECT_FALSE(is_object("{\"text\xFF:1}"));
}

TEST(JsonLine, ServesOneLineAfterAnother) {
  JsonLine line;
  std::string problem;
  All all;
  EXPECT_FALSE(line.take("{\"text"));
  ASSERT_TRUE(line.take(R"({"text":"first","times":[1,2,3]})"));
  EXPECT_EQ(line.type(), "");
  ASSERT_TRUE(line.read(all, problem));
  All second;
  ASSERT_TRUE(line.take(R"({"text":"second"})"));
  ASSERT_TRUE(line.read(second, problem));
  EXPECT_EQ(second.text, "second");
  EXPECT_EQ(all.text, "first");
  EXPECT_THAT(second.times, IsEmpty());
}

TEST(JsonLine, WritesWhatIsThere) {
  EXPECT_EQ(json_line("", All{}), R"({"small":7})");
  All all;
  all.inner.count = 1;
  all.inners = {{2}};
  all.maybe = 0;
  all.counts = {{"b", 0}, {"a", 1}};
  all.text = "\"\n\xFF";
  EXPECT_EQ(json_line("all", all),
            "{\"type\":\"all\",\"small\":7,\"text\":\"\\\"\\n\xEF\xBF\xBD\",\"maybe\":0,"
            "\"counts\":{\"a\":1,\"b\":0},\"inner\":{\"count\":1},\"inners\":[{\"count\":2}]}");
}

}  // namespace
}  // namespace batchscope::schema
