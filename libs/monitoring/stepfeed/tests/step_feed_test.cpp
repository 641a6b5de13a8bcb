#include "batchscope/stepfeed/step_feed.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>

namespace batchscope::stepfeed {
namespace {

using telemetry::TrainingStep;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

std::string line_of(int64_t step) {
  return "{\"step\": " + std::to_string(step) + ", \"seconds\": 0.5}\n";
}

auto is_step(int64_t step) {
  return Field(&TrainingStep::step, step);
}

class Feeds : public testing::Test {
 protected:
  void SetUp() override {
    // Short, because a socket's path is.
    char name[] = "/tmp/feed_XXXXXX";
    folder_ = mkdtemp(name);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path at(const char* name) const { return folder_ / name; }

  std::filesystem::path folder_;
};

// What a training loop does.
class Client {
 public:
  explicit Client(const std::filesystem::path& path)
      : fd_(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    is_connected_ = connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { leave(); }

  // How much the other side takes.
  ssize_t write(std::string_view text) { return send(fd_, text.data(), text.size(), MSG_NOSIGNAL); }
  void leave() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  bool is_connected() const { return is_connected_; }
  bool is_closed_by_peer() const {
    char byte = 0;
    return recv(fd_, &byte, 1, 0) == 0 || errno == ECONNRESET;
  }

 private:
  int fd_;
  bool is_connected_ = false;
};

using SocketFeeds = Feeds;

std::string why_not(const std::filesystem::path& path) {
  const auto feed = StepFeed::listen(path);
  return feed ? "" : feed.error().what;
}

TEST_F(SocketFeeds, GiveTheStepsOfAllClients) {
  auto feed = StepFeed::listen(at("s"));
  ASSERT_TRUE(feed) << to_string(feed.error());
  EXPECT_THAT(feed->poll(1), testing::IsEmpty());
  Client a(at("s")), b(at("s"));
  a.write(line_of(1) + line_of(2).substr(0, 9));
  b.write(line_of(7) + "\n  \n");
  EXPECT_THAT(feed->poll(1), ElementsAre(is_step(1), is_step(7)));
  a.write(line_of(2).substr(9));
  a.leave();
  EXPECT_THAT(feed->poll(1), ElementsAre(is_step(2)));
  EXPECT_EQ(feed->counts().steps, 3);
  EXPECT_EQ(feed->counts().bad_lines, 0);
}

TEST_F(SocketFeeds, PassOverNonsenseAndSayTheFirstOfIt) {
  auto feed = StepFeed::listen(at("s"));
  ASSERT_TRUE(feed);
  Client bad(at("s")), good(at("s"));
  bad.write("GET / HTTP/1.1\r\n{\"step\": 1}\n" + std::string("\0\xff\n", 3));
  good.write(line_of(1));
  EXPECT_THAT(feed->poll(1), ElementsAre(is_step(1)));
  EXPECT_EQ(feed->counts().bad_lines, 3);
  EXPECT_EQ(feed->counts().first_problem, "is not a JSON object");
}

TEST_F(SocketFeeds, PassOverALineWithoutAnEndInBoundedMemory) {
  auto feed = StepFeed::listen(at("s"));
  ASSERT_TRUE(feed);
  Client endless(at("s")), good(at("s"));
  const std::string part(60'000, '{');
  for (int i = 0; i < 20; ++i) {
    EXPECT_GT(endless.write(part), 0);
    EXPECT_THAT(feed->poll(1), testing::IsEmpty());
  }
  endless.write("\n" + line_of(3));
  good.write(line_of(4));
  EXPECT_THAT(feed->poll(1), ElementsAre(is_step(3), is_step(4)));
  EXPECT_EQ(feed->counts().bad_lines, 1);
  EXPECT_EQ(feed->counts().first_problem, "is longer than 64 KiB");
}

TEST_F(SocketFeeds, GiveEachClientItsTurn) {
  auto feed = StepFeed::listen(at("s"));
  ASSERT_TRUE(feed);
  Client flood(at("s")), good(at("s"));
  std::string lines;
  while (lines.size() < 100'000) lines += line_of(1);
  while (flood.write(lines) > 0) {
  }
  good.write(line_of(2));
  const auto steps = feed->poll(1);
  EXPECT_THAT(steps, testing::Contains(is_step(2)));
  EXPECT_LE(steps.size(), 66'000 / line_of(1).size());
}

TEST_F(SocketFeeds, RefuseThe65thClient) {
  auto feed = StepFeed::listen(at("s"));
  ASSERT_TRUE(feed);
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t i = 0; i <= StepFeed::kMostClients; ++i) {
    clients.push_back(std::make_unique<Client>(at("s")));
    ASSERT_TRUE(clients.back()->is_connected());
    feed->poll(1);
  }
  EXPECT_EQ(feed->counts().refused_clients, 1);
  EXPECT_TRUE(clients.back()->is_closed_by_peer());
  clients[0]->leave();
  feed->poll(1);
  Client next(at("s"));
  next.write(line_of(5));
  EXPECT_THAT(feed->poll(1), ElementsAre(is_step(5)));
}

TEST_F(SocketFeeds, AreForThisUserAlone) {
  const mode_t old = umask(0);
  auto feed = StepFeed::listen(at("s"));
  umask(old);
  ASSERT_TRUE(feed);
  struct stat info {};
  ASSERT_EQ(lstat(at("s").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(SocketFeeds, TakeTheirNameAwayButNoOtherOnes) {
  {
    auto feed = StepFeed::listen(at("s"));
    ASSERT_TRUE(feed);
    auto moved = *std::move(feed);
    EXPECT_TRUE(std::filesystem::exists(at("s")));
  }
  EXPECT_FALSE(std::filesystem::exists(at("s")));
  {
    auto feed = StepFeed::listen(at("s"));
    ASSERT_TRUE(feed);
    std::filesystem::rename(at("s"), at("old"));
    std::ofstream(at("s")) << "somebody else's";
  }
  EXPECT_TRUE(std::filesystem::exists(at("s")));
}

TEST_F(SocketFeeds, ReplaceWhatADeadProcessLeft) {
  {
    auto feed = StepFeed::listen(at("s"));
    ASSERT_TRUE(feed);
    std::filesystem::rename(at("s"), at("stale"));
  }
  ASSERT_TRUE(std::filesystem::exists(at("stale")));
  auto feed = StepFeed::listen(at("stale"));
  ASSERT_TRUE(feed) << to_string(feed.error());
  EXPECT_TRUE(Client(at("stale")).is_connected());
}

TEST_F(SocketFeeds, RefuseWhatIsNotTheirs) {
  auto first = StepFeed::listen(at("s"));
  ASSERT_TRUE(first);
  EXPECT_THAT(why_not(at("s")), HasSubstr("another process listens"));
  EXPECT_TRUE(Client(at("s")).is_connected());

  std::ofstream(at("file")) << "x";
  EXPECT_THAT(why_not(at("file")), HasSubstr("not a socket"));
  EXPECT_TRUE(std::filesystem::exists(at("file")));
  std::filesystem::create_symlink(at("s"), at("link"));
  EXPECT_THAT(why_not(at("link")), HasSubstr("not a socket"));
  EXPECT_EQ(StepFeed::listen(folder_ / std::string(120, 'x')).error().kind, base::ErrorKind::usage);
  EXPECT_FALSE(StepFeed::listen(at("no/such/folder")));
}

using FileFeeds = Feeds;

void append(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::app) << text;
}

TEST_F(FileFeeds, FollowWhatIsAppended) {
  auto feed = StepFeed::follow(at("steps"));
  ASSERT_TRUE(feed) << to_string(feed.error());
  EXPECT_THAT(feed->poll(1), testing::IsEmpty());
  append(at("steps"), line_of(1) + line_of(2).substr(0, 5));
  EXPECT_THAT(feed->poll(1), ElementsAre(is_step(1)));
  append(at("steps"), line_of(2).substr(5));
  EXPECT_THAT(feed->poll(1), ElementsAre(is_step(2)));
  EXPECT_THAT(feed->poll(1), testing::IsEmpty());
}

TEST_F(FileFeeds, SeeAFileThatIsCutOff) {
  append(at("steps"), line_of(1) + line_of(2) + "{\"step\":");
  auto feed = StepFeed::follow(at("steps"));
  ASSERT_TRUE(feed);
  EXPECT_THAT(feed->poll(1), ElementsAre(is_step(1), is_step(2)));
  std::filesystem::resize_file(at("steps"), 0);
  append(at("steps"), line_of(3));
  EXPECT_THAT(feed->poll(1), ElementsAre(is_step(3)));
  EXPECT_EQ(feed->counts().bad_lines, 0);
}

TEST_F(FileFeeds, ReadTheRestOfAFileThatIsReplaced) {
  append(at("steps"), line_of(1));
  auto feed = StepFeed::follow(at("steps"));
  ASSERT_TRUE(feed);
  EXPECT_THAT(feed->poll(1), ElementsAre(is_step(1)));
  append(at("steps"), line_of(2));
  std::filesystem::rename(at("steps"), at("steps.1"));
  EXPECT_THAT(feed->poll(1), ElementsAre(is_step(2)));
  append(at("steps.1"), line_of(3));
  append(at("steps"), line_of(4));
  EXPECT_THAT(feed->poll(1), ElementsAre(is_step(3), is_step(4)));
}

TEST_F(FileFeeds, ReadOnlyTheEndOfAHugeFile) {
  const std::string line(999, ' ');
  {
    std::ofstream file(at("steps"));
    for (int i = 0; i < 20'000; ++i) file << line << '\n';
    file << line_of(9);
  }
  auto feed = StepFeed::follow(at("steps"));
  ASSERT_TRUE(feed);
  std::vector<TrainingStep> all;
  int polls = 0;
  for (; polls < 40 && all.empty(); ++polls) all = feed->poll(1);
  EXPECT_THAT(all, ElementsAre(is_step(9)));
  EXPECT_EQ(polls, 16);  // a MiB at a time
  EXPECT_EQ(feed->counts().bad_lines, 0);
}

TEST_F(FileFeeds, FollowNothingThatIsCompressed) {
  std::ofstream(at("steps.gz"), std::ios::binary) << "\x1f\x8b\x08 and more";
  const auto feed = StepFeed::follow(at("steps.gz"));
  ASSERT_FALSE(feed);
  EXPECT_THAT(feed.error().fix, testing::HasSubstr("--replay"));
}

TEST_F(FileFeeds, FollowNoLinkAndWaitForNoPipe) {
  append(at("steps"), line_of(1));
  std::filesystem::create_symlink(at("steps"), at("link"));
  EXPECT_FALSE(StepFeed::follow(at("link")));
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(StepFeed::follow(at("pipe")));
  EXPECT_FALSE(StepFeed::follow(folder_));

  auto feed = StepFeed::follow(at("later"));
  ASSERT_TRUE(feed);
  std::filesystem::create_symlink(at("steps"), at("later"));
  EXPECT_THAT(feed->poll(1), testing::IsEmpty());
}

}  // namespace
}  // namespace batchscope::stepfeed
