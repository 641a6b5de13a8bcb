#include "batchscope/engine/plugin.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace batchscope::engine {
namespace {

class Plugin : public testing::Test {
 protected:
  void SetUp() override { setenv("BATCHSCOPE_PLUGIN_PATH", "/absent:" TEST_PLUGINS, 1); }
  void TearDown() override { unsetenv("BATCHSCOPE_PLUGIN_PATH"); }
};

TEST_F(Plugin, FoldersOfTheEnvironmentComeFirst) {
  const auto folders = plugin_folders();
  ASSERT_GE(folders.size(), 4u);
  EXPECT_EQ(folders[0], "/absent");
  EXPECT_EQ(folders[1], TEST_PLUGINS);
  EXPECT_EQ(folders[2].filename(), "plugins");
  EXPECT_EQ(folders[3].filename(), "lib");
}

TEST_F(Plugin, LoadsOneThatFits) {
  const auto engine = load_engine("good");
  ASSERT_TRUE(engine) << base::to_string(engine.error());
  EXPECT_EQ((*engine)->name(), "stub");
}

TEST_F(Plugin, RefusesAnotherVersionOfTheInterface) {
  const auto engine = load_engine("old");
  ASSERT_FALSE(engine);
  EXPECT_NE(engine.error().what.find("version -1"), std::string::npos) << engine.error().what;
}

TEST_F(Plugin, RefusesALibraryThatIsNoPlugin) {
  const auto engine = load_engine("stranger");
  ASSERT_FALSE(engine);
  EXPECT_NE(engine.error().what.find("not a batchscope plugin"), std::string::npos);
}

TEST_F(Plugin, SaysWhereItLookedAndHowToGetAnAbsentOne) {
  const auto engine = load_engine("absent");
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().kind, base::ErrorKind::usage);
  EXPECT_NE(engine.error().where.find(TEST_PLUGINS), std::string::npos);
  EXPECT_FALSE(engine.error().fix.empty());
}

TEST_F(Plugin, SaysHowToGetAKnownOne) {
  setenv("BATCHSCOPE_PLUGIN_PATH", TEST_PLUGINS, 1);
  const auto engine = load_engine("openvino");
  if (engine) GTEST_SKIP() << "it is beside this program";
  EXPECT_EQ(engine.error().kind, base::ErrorKind::failed);
  EXPECT_NE(engine.error().fix.find("pip install"), std::string::npos);
}

TEST_F(Plugin, TakesNoPathForAName) {
  for (const char* name : {"", "../good", "a/b", "Good"}) {
    const auto engine = load_engine(name);
    ASSERT_FALSE(engine) << name;
    EXPECT_EQ(engine.error().kind, base::ErrorKind::usage);
  }
}

}  // namespace
}  // namespace batchscope::engine
