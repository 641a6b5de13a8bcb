#include "batchscope/exporter/metrics_server.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <string>

#include "batchscope/base/base64.hpp"
#include "scene.hpp"
#include "server/session.hpp"
#include "testing/files/temp_folder.hpp"

namespace batchscope::exporter {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A client that sends what it likes and waits; deadlines are reached only by a failure.
class Client {
 public:
  explicit Client(const std::string& address) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
    const timeval deadline{20, 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &deadline, sizeof(deadline));
    const void* name = &to;
    EXPECT_EQ(connect(fd_, static_cast<const sockaddr*>(name), sizeof(to)), 0);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { close(fd_); }

  void send_text(const std::string& text) {
    EXPECT_EQ(send(fd_, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
  }
  // Until the server closes.
  std::string rest() {
    std::string all;
    for (std::string part = some(); !part.empty(); part = some()) all += part;
    return all;
  }
  std::string some() {
    char part[65536];
    const ssize_t bytes = recv(fd_, part, sizeof(part), 0);
    return bytes > 0 ? std::string(part, static_cast<std::size_t>(bytes)) : std::string();
  }

 private:
  int fd_;
};

std::string request(const std::string& line, const std::string& fields = "") {
  return line + " HTTP/1.1\r\nHost: localhost\r\n" + fields;
}

class MetricsServerTest : public testing::Test {
 protected:
  void start() {
    options_.address = "127.0.0.1:0";
    options_.origin = {"1.2.3", "node1"};
    auto started = MetricsServer::start(options_);
    ASSERT_TRUE(started) << base::to_string(started.error());
    server_ = std::move(*started);
  }
  std::string answer(const std::string& text) {
    Client client(server_->address());
    client.send_text(text);
    return client.rest();
  }
  std::string get(const std::string& path, const std::string& fields = "") {
    return answer(request("GET " + path, "Connection: close\r\n" + fields) + "\r\n");
  }
  // With "hello" as alice's password.
  void ask_for_password() {
    options_.web_config = folder_ / "web.yml";
    std::ofstream(options_.web_config)
        << "basic_auth_users:\n  alice: "
           "$2y$04$abcdefghijklmnopqrstuuwHJMEGjfAzmL1lWmUmlphguIbWfjYey\n";
    chmod(options_.web_config.c_str(), 0600);
  }

  base::TempFolder folder_;
  ServerOptions options_;
  std::unique_ptr<MetricsServer> server_;
};

TEST_F(MetricsServerTest, ShowsWhatWasPublished) {
  start();
  EXPECT_THAT(get("/metrics"), StartsWith("HTTP/1.1 503"));
  server_->publish(scene::at(8, 10));
  const std::string text = get("/metrics");
  EXPECT_THAT(text, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(text, HasSubstr("batchscope_gpu_up{gpu=\"7\""));
  EXPECT_THAT(text,
              EndsWith(prometheus_text(scene::at(8, 10), Names::batchscope, options_.origin)));
  EXPECT_THAT(get("/metrics?name[]=x"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(get("/healthz"), EndsWith("\r\n\r\nok\n"));
  EXPECT_THAT(get("/"), HasSubstr("href=\"metrics\""));
}

TEST_F(MetricsServerTest, RemembersWhatOneSampleDoesNotTell) {
  options_.names = Names::batchscope;
  start();
  server_->publish(scene::at(1, 10));
  auto lost = scene::at(1, 20);
  scene::lose(lost.sample.gpus[0]);
  server_->publish(lost);
  EXPECT_THAT(get("/metrics"), HasSubstr("batchscope_gpu_last_success_timestamp_seconds"));
  EXPECT_THAT(get("/metrics"), HasSubstr("} 1785000010\n"));
}

TEST_F(MetricsServerTest, TheLastXidIsTheOneThatWasCountedLast) {
  options_.names = Names::dcgm;
  start();
  auto exposition = scene::at(1, 10);
  exposition.sample.gpus[0].xid_errors_total = {{"94", 1}};
  server_->publish(exposition);
  exposition.sample.gpus[0].xid_errors_total = {{"31", 1}, {"94", 1}};
  server_->publish(exposition);
  server_->publish(exposition);
  EXPECT_THAT(get("/metrics"), HasSubstr("Hostname=\"node1\"} 31\n"));
}

TEST_F(MetricsServerTest, AnswersOneRequestAfterAnother) {
  start();
  server_->publish(scene::at(1, 10));
  Client client(server_->address());
  client.send_text(request("GET /healthz") + "\r\n");
  EXPECT_THAT(client.some(), EndsWith("ok\n"));
  client.send_text(request("GET /healthz", "Connection: close\r\n") + "\r\n");
  EXPECT_THAT(client.rest(), EndsWith("ok\n"));
}

TEST_F(MetricsServerTest, HeadSaysHowLongItWouldBe) {
  start();
  server_->publish(scene::at(1, 10));
  const std::string head = answer(request("HEAD /healthz", "Connection: close\r\n") + "\r\n");
  EXPECT_THAT(head, HasSubstr("Content-Length: 3\r\n"));
  EXPECT_THAT(head, EndsWith("\r\n\r\n"));
}

TEST_F(MetricsServerTest, RefusesWhatIsNoScrape) {
  start();
  EXPECT_THAT(get("/nothing"), StartsWith("HTTP/1.1 404"));
  const std::string post = answer(request("POST /metrics", "Content-Length: 3\r\n") + "\r\nabc");
  EXPECT_THAT(post, StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(post, HasSubstr("Allow: GET, HEAD\r\n"));
  EXPECT_THAT(answer(request("GET /metrics", "Content-Length: 3\r\n") + "\r\nabc"),
              StartsWith("HTTP/1.1 413"));
  EXPECT_THAT(answer("\x16\x03\x01 nonsense\r\n\r\n"), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(answer(request("GET /", "X: " + std::string(20'000, 'x') + "\r\n") + "\r\n"),
              StartsWith("HTTP/1.1 431"));
}

TEST_F(MetricsServerTest, WhoIsSlowIsLeftAlone) {
  options_.request_timeout = std::chrono::milliseconds(50);
  start();
  Client silent(server_->address()), half(server_->address());
  half.send_text("GET /metr");
  EXPECT_EQ(silent.rest(), "");
  EXPECT_EQ(half.rest(), "");
}

TEST_F(MetricsServerTest, SilentClientsKeepNobodyOut) {
  options_.most_connections = 8;
  options_.request_timeout = std::chrono::hours(1);
  start();
  server_->publish(scene::at(1, 10));
  std::vector<std::unique_ptr<Client>> silent;
  for (int n = 0; n < 40; ++n) {
    silent.push_back(std::make_unique<Client>(server_->address()));
    silent.back()->send_text("GET /");
  }
  EXPECT_THAT(get("/healthz"), EndsWith("ok\n"));
}

TEST_F(MetricsServerTest, LetsInWhoKnowsThePassword) {
  ask_for_password();
  start();
  server_->publish(scene::at(1, 10));
  const std::string refused = get("/metrics");
  EXPECT_THAT(refused, StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(refused, HasSubstr("WWW-Authenticate: Basic realm=\"batchscope\""));
  EXPECT_THAT(refused, Not(HasSubstr("batchscope_gpu")));
  const auto with = [&](const std::string& credential) {
    return get("/metrics", "Authorization: Basic " + base::base64(credential) + "\r\n");
  };
  EXPECT_THAT(with("alice:wrong"), StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(with("bob:hello"), StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(with("alice:hello"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(with("alice:hello"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(get("/"), StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(get("/healthz"), StartsWith("HTTP/1.1 200"));
}

TEST_F(MetricsServerTest, WarnsOfWhatEverybodyCanRead) {
  start();
  EXPECT_EQ(server_->address(), "http://127.0.0.1:" + server_->address().substr(17));
  EXPECT_TRUE(server_->warnings().empty());
  options_.address = "0.0.0.0:0";
  auto open = MetricsServer::start(options_);
  ASSERT_TRUE(open);
  ASSERT_EQ((*open)->warnings().size(), 1U);
  EXPECT_THAT((*open)->warnings()[0], HasSubstr("no password"));
  ask_for_password();
  auto plain = MetricsServer::start(options_);
  ASSERT_TRUE(plain);
  ASSERT_EQ((*plain)->warnings().size(), 1U);
  EXPECT_THAT((*plain)->warnings()[0], HasSubstr("TLS is off"));
}

TEST_F(MetricsServerTest, EveryInterfaceIsMeantOfIpv4Too) {
  start();
  options_.address = ":0";
  auto open = MetricsServer::start(options_);
  ASSERT_TRUE(open) << base::to_string(open.error());
  Client client((*open)->address());
  client.send_text(request("GET /", "Connection: close\r\n") + "\r\n");
  EXPECT_THAT(client.rest(), StartsWith("HTTP/1.1 200"));
}

TEST_F(MetricsServerTest, EndsWhileClientsAreThere) {
  ask_for_password();
  start();
  std::vector<std::unique_ptr<Client>> clients;
  for (int n = 0; n < 20; ++n) {
    clients.push_back(std::make_unique<Client>(server_->address()));
    clients.back()->send_text(
        request("GET /metrics",
                "Authorization: Basic " + base::base64("alice:" + std::to_string(n)) + "\r\n") +
        (n % 2 == 0 ? "\r\n" : ""));
  }
  server_.reset();
  for (const auto& client : clients) client->rest();
}

TEST_F(MetricsServerTest, SaysWhyItCannotStart) {
  start();
  const auto problem = [&](const std::string& address) {
    options_.address = address;
    const auto started = MetricsServer::start(options_);
    return started ? "" : base::to_string(started.error());
  };
  EXPECT_THAT(problem(server_->address().substr(7)), HasSubstr("in use"));
  for (const char* wrong : {"", "localhost", "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1:9x"}) {
    EXPECT_THAT(problem(wrong), HasSubstr("HOST:PORT")) << wrong;
  }
  EXPECT_THAT(problem("192.0.2.1:0"), HasSubstr("192.0.2.1"));
  EXPECT_EQ(problem("localhost:0"), "");
  options_.web_config = folder_ / "none.yml";
  EXPECT_THAT(problem("127.0.0.1:0"), HasSubstr("none.yml"));
  std::ofstream(options_.web_config) << "tls_server_config:\n  cert_file: a\n  key_file: b\n";
  EXPECT_THAT(problem("127.0.0.1:0"), HasSubstr("TLS"));
}

TEST(Patience, IsWhatTheScraperSaysLessAMargin) {
  const auto most = std::chrono::seconds(5);
  const auto of = [&](const char* printed) {
    Request request;
    request.set("X-Prometheus-Scrape-Timeout-Seconds", printed);
    return std::chrono::duration<double>(scrape_timeout(request, most)).count();
  };
  EXPECT_DOUBLE_EQ(of("1.2"), 1.0);
  EXPECT_DOUBLE_EQ(of("0.2"), 0.1);
  for (const char* other : {"10", "", "x", "-1", "nan", "1s", "1e9"})
    EXPECT_EQ(of(other), 5) << other;
}

}  // namespace
}  // namespace batchscope::exporter
