#include "batchscope/base/line_channel.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace batchscope::base {
namespace {

TEST(LineChannel, CarriesLinesBothWaysAndSeesTheEnd) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  LineChannel channel(ends[0]);
  ASSERT_EQ(write(ends[1], "one\n\ntwo\nha", 11), 11);
  EXPECT_EQ(**channel.receive_line(), "one");
  EXPECT_EQ(**channel.receive_line(), "");
  EXPECT_EQ(**channel.receive_line(), "two");
  ASSERT_TRUE(channel.send_line("reply"));
  char reply[6];
  ASSERT_EQ(read(ends[1], reply, sizeof(reply)), 6);
  EXPECT_EQ(std::string(reply, 6), "reply\n");
  close(ends[1]);
  EXPECT_EQ(*channel.receive_line(), std::nullopt);  // "ha" was never finished
  EXPECT_FALSE(channel.send_line("too late"));
}

}  // namespace
}  // namespace batchscope::base
