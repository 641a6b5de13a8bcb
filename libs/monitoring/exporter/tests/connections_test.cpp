#include "server/connections.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace batchscope::exporter {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class FakeConnection final : public Connection {
 public:
  FakeConnection(Connections& all, Connections::Time now)
      : all_(all), ticket_(all.add(*this, now)) {}
  FakeConnection(const FakeConnection&) = delete;
  FakeConnection& operator=(const FakeConnection&) = delete;
  ~FakeConnection() override { all_.remove(ticket_); }
  void drop() override { dropped = true; }
  void serve(Connections::Time now) { all_.served(ticket_, now); }

  bool dropped = false;

 private:
  Connections& all_;
  Connections::Ticket ticket_;
};

class ConnectionsTest : public testing::Test {
 protected:
  Connections all_{2};
  Connections::Time now_{seconds(1000)};
};

TEST_F(ConnectionsTest, WhoSendsNothingGoesFirst) {
  FakeConnection scraper(all_, now_), silent(all_, now_ + seconds(1));
  scraper.serve(now_ + seconds(2));
  EXPECT_TRUE(all_.is_full());
  EXPECT_TRUE(all_.make_room(now_ + seconds(5)));
  EXPECT_TRUE(silent.dropped);
  EXPECT_FALSE(scraper.dropped);
}

TEST_F(ConnectionsTest, ThenWhoHasBeenIdleLongest) {
  FakeConnection busy(all_, now_), idle(all_, now_);
  busy.serve(now_);
  idle.serve(now_ + seconds(1));
  busy.serve(now_ + seconds(2));
  EXPECT_TRUE(all_.make_room(now_ + seconds(5)));
  EXPECT_TRUE(idle.dropped);
  EXPECT_FALSE(busy.dropped);
}

TEST_F(ConnectionsTest, WhoCameJustNowMaySendARequest) {
  FakeConnection first(all_, now_), second(all_, now_);
  EXPECT_FALSE(all_.make_room(now_ + milliseconds(199)));
  EXPECT_FALSE(first.dropped);
  EXPECT_TRUE(all_.make_room(now_ + milliseconds(200)));
  EXPECT_TRUE(first.dropped);
  EXPECT_FALSE(second.dropped);
}

TEST_F(ConnectionsTest, WhoWasDroppedCountsNoMore) {
  FakeConnection first(all_, now_), second(all_, now_);
  all_.make_room(now_ + seconds(1));
  EXPECT_FALSE(all_.is_full());
  first.serve(now_ + seconds(1));  // its answer was on the way
  EXPECT_FALSE(all_.is_full());
}

}  // namespace
}  // namespace batchscope::exporter
