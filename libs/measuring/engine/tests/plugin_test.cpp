#include "batchscope/engine/plugin.hpp"

#include <gtest/gtest.h>

namespace batchscope::engine {
namespace {

InstallPaths with_test_plugins() {
  return {{"/absent", TEST_PLUGINS}, {}};
}

TEST(Plugin, LoadsOneThatFits) {
  const auto engine = load_plugin("good", with_test_plugins());
  ASSERT_TRUE(engine) << base::to_string(engine.error());
  EXPECT_EQ((*engine)->name(), "stub");
}

TEST(Plugin, RefusesAnotherVersionOfTheInterface) {
  const auto engine = load_plugin("old", with_test_plugins());
  ASSERT_FALSE(engine);
  EXPECT_NE(engine.error().what.find("version -1"), std::string::npos) << engine.error().what;
}

TEST(Plugin, RefusesALibraryThatIsNoPlugin) {
  const auto engine = load_plugin("stranger", with_test_plugins());
  ASSERT_FALSE(engine);
  EXPECT_NE(engine.error().what.find("not a batchscope plugin"), std::string::npos);
}

TEST(Plugin, SaysWhereItLookedAndHowToGetAnAbsentOne) {
  const auto engine = load_plugin("absent", with_test_plugins());
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().kind, base::ErrorKind::usage);
  EXPECT_NE(engine.error().what.find(TEST_PLUGINS), std::string::npos);
  EXPECT_FALSE(engine.error().fix.empty());
}

TEST(Plugin, SaysHowToGetAKnownOne) {
  const auto engine = load_plugin("openvino", with_test_plugins());
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().kind, base::ErrorKind::failed);
  EXPECT_NE(engine.error().fix.find("pip install"), std::string::npos);
}

TEST(Plugin, TakesNoPathForAName) {
  for (const char* name : {"", "../good", "a/b", "Good"}) {
    const auto engine = load_plugin(name, with_test_plugins());
    ASSERT_FALSE(engine) << name;
    EXPECT_EQ(engine.error().kind, base::ErrorKind::usage);
  }
}

}  // namespace
}  // namespace batchscope::engine
