#include "batchscope/engines/interpreted_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "testing/files/scratch_folder.hpp"

namespace batchscope::engines {
namespace {

using testing::HasSubstr;

// A program that takes the place of an interpreter, in a shell: `says` goes through the connection.
class InterpretedEngine : public testing::Test {
 protected:
  Interpreter that(const std::string& script) {
    return {"/bin/sh", folder_.write("python.sh", script)};
  }
  Interpreter saying(const std::string& line) {
    return that("read question <&3\necho '" + line + "' >&3\n");
  }

  ScratchFolder folder_;
};

TEST_F(InterpretedEngine, KnowsWhatTheInterpreterSays) {
  const auto engine = make_interpreted_engine(
      saying(R"({"protocol":2,"versions":{"python":"3.11.2"},"devices":["cpu","cuda:0"],)"
             R"("parameters":42,"hash":"sha256:00","description":"Net","inputs":["x:Bx16"]})"));
  ASSERT_TRUE(engine) << base::to_string(engine.error());
  EXPECT_EQ((*engine)->versions().at("python"), "3.11.2");
  EXPECT_THAT((*engine)->devices(), testing::ElementsAre("cpu", "cuda:0"));
  const engine::ModelSpec spec{.name = "net", .path = "net.py:net"};
  const auto info = (*engine)->inspect(spec);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->parameters, 42);
  EXPECT_EQ(info->hash, "sha256:00");
  const auto inputs = (*engine)->inputs_of(spec);
  ASSERT_TRUE(inputs);
  EXPECT_EQ(inputs->front().name, "x");
}

TEST_F(InterpretedEngine, AsksOnceAboutAModelThatTellsItsInputs) {
  const std::string asked = folder_.file("asked");
  const auto engine = make_interpreted_engine(
      that("read question <&3\necho \"$question\" >>" + asked +
           "\necho '{\"protocol\":2,\"inputs\":[\"x:Bx16:int64=0-9\"]}' >&3\n"));
  ASSERT_TRUE(engine);
  engine::ModelSpec spec{.name = "net", .path = "net.py:net"};
  auto reported = (*engine)->inputs_of(spec);
  ASSERT_TRUE(reported);
  spec.inputs = *std::move(reported);
  EXPECT_TRUE((*engine)->inspect(spec));
  EXPECT_TRUE((*engine)->describe_model(spec));
  std::ifstream file(asked);
  const auto lines = std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  EXPECT_EQ(lines, 2);  // of the interpreter itself, and of the model
}

TEST_F(InterpretedEngine, PassesARefusalOn) {
  const auto engine = make_interpreted_engine(saying(
      R"({"protocol":2,"refusal":{"kind":"usage","what":"no such name","where":"net.py","fix":"f"}})"));
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().kind, base::ErrorKind::usage);
  EXPECT_EQ(engine.error().what, "no such name");
  EXPECT_EQ(engine.error().where, "net.py");
}

// Of itself it answers; whoever asks about a model ends it.
TEST_F(InterpretedEngine, AModelThatEndsItsInterpreterIsNamed) {
  const auto engine = make_interpreted_engine(that(
      "read question <&3\ncase \"$question\" in *net.py*) echo last words >&2; kill -SEGV $$;; "
      "esac\necho '{\"protocol\":2}' >&3\n"));
  ASSERT_TRUE(engine) << base::to_string(engine.error());
  const auto info = (*engine)->inspect({.name = "net", .path = "net.py:net"});
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().kind, base::ErrorKind::failed);
  EXPECT_EQ(info.error().where, "net.py:net");
  EXPECT_THAT(info.error().what, HasSubstr("SIGSEGV ended its interpreter: last words"));
}

// The file is there once the limits are gone.
TEST_F(InterpretedEngine, WhoeverIsAskedAboutAModelIsConfinedAsLongAsItLives) {
  const std::string gone = folder_.file("gone");
  int confined = 0;
  const auto engine =
      make_interpreted_engine(that("read question <&3\n[ -e " + gone + " ] && LIMITED=no\n" +
                                   "echo '{\"protocol\":2,\"description\":\"'$LIMITED'\"}' >&3\n"),
                              [&](base::ChildSpec& spec) {
                                ++confined;
                                spec.environment["LIMITED"] = "yes";
                                return std::shared_ptr<const void>(
                                    &confined, [&](const void*) { std::ofstream file(gone); });
                              });
  ASSERT_TRUE(engine) << base::to_string(engine.error());
  EXPECT_EQ(confined, 0);
  const auto info = (*engine)->inspect({.name = "net", .path = "net.py:net"});
  ASSERT_TRUE(info) << base::to_string(info.error());
  EXPECT_EQ(info->description, "yes");
  EXPECT_EQ(confined, 1);
  EXPECT_TRUE(std::ifstream(gone)) << "they end with it";
}

TEST_F(InterpretedEngine, AnInterpreterWithoutThePackageIsNamed) {
  const auto engine = make_interpreted_engine(
      that("echo \"ModuleNotFoundError: No module named 'batchscope'\" >&2; exit 1\n"));
  ASSERT_FALSE(engine);
  EXPECT_THAT(engine.error().what, HasSubstr("No module named 'batchscope'"));
  EXPECT_EQ(engine.error().where, "/bin/sh");
  EXPECT_THAT(engine.error().fix, HasSubstr("pip install"));
}

TEST_F(InterpretedEngine, AnotherVersionIsRefused) {
  const auto engine = make_interpreted_engine(saying(R"({"protocol":99})"));
  ASSERT_FALSE(engine);
  EXPECT_THAT(engine.error().what, HasSubstr("another version"));
}

TEST_F(InterpretedEngine, NonsenseIsRefused) {
  EXPECT_FALSE(make_interpreted_engine(saying("hello")));
}

}  // namespace
}  // namespace batchscope::engines
