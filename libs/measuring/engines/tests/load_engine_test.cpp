#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/engines/text_engine.hpp"

namespace batchscope::engines {
namespace {

using testing::HasSubstr;

TEST(LoadEngine, SyntheticIsBuiltIn) {
  const auto engine = load_engine("synthetic", {});
  ASSERT_TRUE(engine) << base::to_string(engine.error());
  EXPECT_EQ((*engine)->name(), "synthetic");
  EXPECT_EQ((*engine)->clock().kind(), schema::ClockKind::virtual_time);
}

TEST(LoadEngine, SaysWhichEnginesThereAre) {
  for (const char* name : {"absent", "no/name"}) {
    const auto engine = load_engine(name, {});
    ASSERT_FALSE(engine) << name;
    EXPECT_EQ(engine.error().kind, base::ErrorKind::usage);
    for (const char* known : {"torch", "openvino", "synthetic"}) {
      EXPECT_THAT(engine.error().fix, HasSubstr(known));
    }
  }
}

}  // namespace
}  // namespace batchscope::engines
