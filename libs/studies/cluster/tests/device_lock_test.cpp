#include "batchscope/cluster/device_lock.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <thread>

namespace batchscope::cluster {
namespace {

// No two tests that run at once share a device.
const std::string kNode = "test-" + std::to_string(getpid());

TEST(DeviceLock, IsOfOneBlockAtATime) {
  auto first = DeviceLock::take(kNode, {"GPU-1", "cpu"}, {});
  ASSERT_TRUE(first);
  std::stop_source source;
  std::jthread second([&] {
    const auto waits = DeviceLock::take(kNode, {"cpu"}, source.get_token());
    EXPECT_EQ(waits.error().kind, base::ErrorKind::interrupted);
  });
  EXPECT_TRUE(DeviceLock::take(kNode, {"GPU-2"}, {})) << "another device";
  EXPECT_TRUE(DeviceLock::take(kNode + "b", {"cpu"}, {})) << "another node";
  source.request_stop();
  second.join();
  first = base::Error{base::ErrorKind::failed, "let go", "", ""};
  EXPECT_TRUE(DeviceLock::take(kNode, {"cpu"}, {}));
}

}  // namespace
}  // namespace batchscope::cluster
