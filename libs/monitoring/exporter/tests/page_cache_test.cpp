#include "server/page_cache.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

namespace batchscope::exporter {
namespace {

using std::chrono::seconds;

class PageCacheTest : public testing::Test {
 protected:
  PageCache board(std::chrono::nanoseconds interval) {
    return {[this] { return now_; }, interval, "1.2.3"};
  }

  std::chrono::steady_clock::time_point now_{seconds(1000)};
};

TEST_F(PageCacheTest, BeforeTheFirstSampleNothingIsWell) {
  const PageCache empty = board(seconds(1));
  EXPECT_EQ(empty.page("/metrics").status, 503U);
  EXPECT_EQ(empty.page("/healthz").status, 503U);
  EXPECT_EQ(empty.page("/healthz").body, "no sample yet\n");
  EXPECT_EQ(empty.page("/").status, 200U);
}

TEST_F(PageCacheTest, IsWellWhileSamplesCome) {
  PageCache shown = board(seconds(5));
  shown.show("x 1\n");
  now_ += seconds(14);
  EXPECT_EQ(shown.page("/healthz").body, "ok\n");
  now_ += seconds(1);
  EXPECT_EQ(shown.page("/healthz").status, 503U);
  EXPECT_EQ(shown.page("/healthz").body, "the last sample is 15.0 s old; the interval is 5.00 s\n");
  shown.show("x 2\n");
  EXPECT_EQ(shown.page("/healthz").status, 200U);
}

TEST_F(PageCacheTest, ShortIntervalsMayBeMissed) {
  PageCache shown = board(seconds(1));
  shown.show("x 1\n");
  now_ += std::chrono::milliseconds(9999);
  EXPECT_EQ(shown.page("/healthz").status, 200U);
  now_ += std::chrono::milliseconds(1);
  EXPECT_EQ(shown.page("/healthz").status, 503U);
}

TEST_F(PageCacheTest, ShowsTheLastTextUnderItsTypeOnly) {
  PageCache shown = board(seconds(1));
  shown.show("x 1\n");
  shown.show("x 2\n");
  EXPECT_EQ(shown.page("/metrics").body, "x 2\n");
  EXPECT_EQ(shown.page("/metrics").type, "text/plain; version=0.0.4; charset=utf-8");
  for (const char* other : {"", "/metrics/", "/Metrics", "//metrics", "/../etc/passwd"}) {
    EXPECT_EQ(shown.page(other).status, 404U) << other;
  }
}

TEST_F(PageCacheTest, IsReadFullWhileItIsWritten) {
  constexpr int kPages = 500;
  PageCache shown = board(seconds(1));
  shown.show("0");
  std::thread writer([&shown] {
    for (int page = 1; page <= kPages; ++page) shown.show(std::to_string(page));
  });
  int last = 0;
  for (int read = 0; read < kPages; ++read) {
    const int page = std::stoi(shown.page("/metrics").body);
    EXPECT_GE(page, last);
    EXPECT_EQ(shown.page("/healthz").status, 200U);
    last = page;
  }
  writer.join();
  EXPECT_EQ(shown.page("/metrics").body, std::to_string(kPages));
}

}  // namespace
}  // namespace batchscope::exporter
