#include "batchscope/engine/install_paths.hpp"

#include <gtest/gtest.h>

namespace batchscope::engine {
namespace {

using Paths = std::vector<std::filesystem::path>;

TEST(InstallPaths, AnInstalledProgramHasThemBelowItsPrefix) {
  const InstallPaths places = places_beside("/opt/it/bin/batchscope");
  EXPECT_EQ(places.plugins, (Paths{"/opt/it/lib/batchscope/plugins", "/opt/it/lib"}));
  EXPECT_EQ(places.models.front(), "/opt/it/share/batchscope/models");
}

TEST(InstallPaths, ABuiltOneHasTheModelsOfItsSourceFolder) {
  EXPECT_EQ(places_beside("/src/build/dev/bin/batchscope").models.back(), "/src/models");
}

}  // namespace
}  // namespace batchscope::engine
