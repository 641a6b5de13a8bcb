#include "batchscope/commandline/usage_error.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "some_parser.hpp"

namespace batchscope::commandline {
namespace {

// The message of what was typed, which is wrong.
std::string printed_of(std::vector<std::string> typed) {
  SomeParser parser;
  std::reverse(typed.begin(), typed.end());
  try {
    parser.app.parse(typed);
  } catch (const CLI::ParseError& error) {
    const base::Error made = usage_error(parser.app, error);
    EXPECT_EQ(made.kind, base::ErrorKind::usage);
    return base::to_string(made);
  }
  ADD_FAILURE() << "nothing was wrong";
  return "";
}

constexpr const char* kList = "oven help bake lists the flags";

TEST(UsageError, OfAnUnknownFlag) {
  EXPECT_EQ(
      printed_of({"--salt", "1", "--flor", "rye"}),
      std::string("'--flor' is not a flag of oven bake (did you mean --flour? ") + kList + ")");
  EXPECT_EQ(printed_of({"--salt", "1", "--tea"}),
            std::string("'--tea' is not a flag of oven bake (") + kList + ")");
  EXPECT_EQ(printed_of({"--sal=1"}),
            std::string("'--sal' is not a flag of oven bake (did you mean --salt? ") + kList + ")")
      << "before what is missing for it";
}

TEST(UsageError, OfAWrongValue) {
  EXPECT_EQ(printed_of({"--salt", "1", "--crust", "hrad"}),
            "--crust: invalid value 'hrad' (did you mean hard? choose soft, hard)");
  EXPECT_EQ(printed_of({"--salt", "1", "--minutes", "0"}),
            "--minutes: '0' is not an integer from 1 to 600 (write --minutes N)");
  EXPECT_EQ(printed_of({"--salt", "1", "--minutes", "ten"}),
            "--minutes: 'ten' is not an integer from 1 to 600 (write --minutes N)");
  EXPECT_EQ(printed_of({"--salt", "much"}), "--salt: 'much' is not a number (write --salt X)");
}

TEST(UsageError, OfAValueThatIsMissingOrTooMany) {
  EXPECT_EQ(printed_of({"--salt"}), "--salt: needs a value (write --salt X)");
  EXPECT_EQ(printed_of({"--salt", "1", "--minutes", "2", "--minutes", "3"}),
            "--minutes: appears 2 times (give it once)");
  EXPECT_EQ(printed_of({"--salt", "1", "--fan=maybe"}),
            "--fan: takes no value (write --fan alone)");
}

TEST(UsageError, OfWhatIsMissing) {
  EXPECT_EQ(printed_of({}), std::string("--salt: is missing (add --salt X; ") + kList + ")");
}

TEST(UsageError, OfTwoFlags) {
  EXPECT_EQ(printed_of({"--salt", "1", "--fan-speed", "2"}),
            "--fan-speed: needs --fan (add --fan, or omit this flag)");
  SomeParser parser;
  CLI::Option* gas = parser.app.add_flag("--gas");
  parser.app.add_flag("--wood")->excludes(gas);
  std::vector<std::string> typed{"--gas", "--wood", "1", "--salt"};  // last first
  try {
    parser.app.parse(typed);
    ADD_FAILURE();
  } catch (const CLI::ParseError& error) {
    EXPECT_EQ(base::to_string(usage_error(parser.app, error)),
              "--gas, --wood: exclude each other (omit one)");
  }
}

TEST(UsageError, OfAFlagAndWhatIsBehindTwoDashes) {
  SomeParser parser;
  parser.app.get_option("--fan")->excludes("LOAF");
  std::vector<std::string> typed{"rye.loaf", "--", "--fan", "1", "--salt"};  // last first
  try {
    parser.app.parse(typed);
    ADD_FAILURE();
  } catch (const CLI::ParseError& error) {
    EXPECT_EQ(usage_error(parser.app, error).where, "LOAF, --fan");
  }
}

}  // namespace
}  // namespace batchscope::commandline
