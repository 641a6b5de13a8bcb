#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "batchscope/base/base64.hpp"
#include "security/passwords.hpp"
#include "security/web_config.hpp"
#include "testing/files/temp_folder.hpp"

namespace batchscope::exporter {
namespace {

using testing::HasSubstr;

// Of "hello", at the least cost, so that a test takes a millisecond.
constexpr char kHello[] = "$2y$04$abcdefghijklmnopqrstuuwHJMEGjfAzmL1lWmUmlphguIbWfjYey";

using Hashes = std::map<std::string, std::string>;
const Hashes kAlice{{"alice", kHello}};

class WebConfigTest : public testing::Test {
 protected:
  base::Result<WebConfig> read(const std::string& text, mode_t mode = 0600) {
    const std::string path = folder_.path() / "web.yml";
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    return read_web_config(path);
  }
  std::string problem(const std::string& text) {
    const auto config = read(text);
    return config ? "" : base::to_string(config.error());
  }

  base::TempFolder folder_;
};

TEST_F(WebConfigTest, IsReadAsPrometheusExportersDo) {
  const auto config = read(
      "# comment\ntls_server_config:\n  cert_file: a.crt\n  key_file: /etc/b.key\n"
      "  min_version: TLS13\nbasic_auth_users:\n  alice: \"" +
      std::string(kHello) + "\"\n");
  ASSERT_TRUE(config) << base::to_string(config.error());
  EXPECT_EQ(config->tls.certificate, folder_.path() / "a.crt");
  EXPECT_EQ(config->tls.key, "/etc/b.key");
  EXPECT_TRUE(config->tls.only_tls13);
  EXPECT_EQ(config->users.at("alice"), kHello);
  EXPECT_TRUE(config->warnings.empty());
}

TEST_F(WebConfigTest, MayBeEmpty) {
  for (const char* text : {"", "# nothing\n", "tls_server_config:\n", "basic_auth_users: {}\n"}) {
    const auto config = read(text);
    ASSERT_TRUE(config) << text;
    EXPECT_FALSE(config->has_tls());
    EXPECT_TRUE(config->users.empty());
  }
}

TEST_F(WebConfigTest, ASettingThatGuardsIsNeverPassedOver) {
  EXPECT_THAT(problem("tls_server_config:\n  client_ca_file: ca.pem\n"), HasSubstr("web.yml:2"));
  EXPECT_THAT(problem("http_server_config:\n  http2: false\n"), HasSubstr("http2"));
  EXPECT_THAT(problem("basic_auth_user:\n  a: b\n"), HasSubstr("basic_auth_user"));
  EXPECT_THAT(problem("tls_server_config:\n  min_version: TLS10\n"), HasSubstr("TLS10"));
}

TEST_F(WebConfigTest, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(problem("basic_auth_users:\n  alice: secret\n"), HasSubstr("htpasswd"));
  EXPECT_THAT(problem("tls_server_config:\n  cert_file: a\n"), HasSubstr("key_file"));
  EXPECT_THAT(problem("a: [\n"), HasSubstr("web.yml:"));
  EXPECT_THAT(problem("- a\n"), HasSubstr("web.yml:1"));
  EXPECT_THAT(problem("basic_auth_users:\n  a: [b]\n"), HasSubstr("web.yml:2"));
  EXPECT_THAT(problem("basic_auth_users:\n  [a]: b\n"), HasSubstr("web.yml:2"));
  EXPECT_THAT(problem("tls_server_config: on\n"), HasSubstr("section"));
  const std::string user = "  a: " + std::string(kHello) + "\n";
  EXPECT_THAT(problem("basic_auth_users:\n" + user + user), HasSubstr("twice"));
}

TEST_F(WebConfigTest, SecretsThatOthersReadAreReportedOf) {
  const std::string users = "basic_auth_users:\n  a: " + std::string(kHello) + "\n";
  const auto config = read(users, 0644);
  ASSERT_TRUE(config);
  ASSERT_EQ(config->warnings.size(), 1U);
  EXPECT_THAT(config->warnings[0], HasSubstr("chmod o-r"));
  EXPECT_TRUE(read(users, 0640)->warnings.empty());
}

TEST(Passwords, OnlyWhatHasItsHashIsRight) {
  Passwords passwords(kAlice);
  EXPECT_TRUE(passwords.check({"alice", "hello"}));
  EXPECT_FALSE(passwords.check({"alice", "Hello"}));
  EXPECT_FALSE(passwords.check({"alice", ""}));
  EXPECT_FALSE(passwords.check({"bob", "hello"}));
  EXPECT_FALSE(Passwords(Hashes()).check({"", ""}));
}

TEST(Passwords, WhatWasRightIsRememberedAndNothingElse) {
  Passwords passwords(kAlice);
  EXPECT_FALSE(passwords.remembers({"alice", "hello"}));
  passwords.check({"alice", "hello"});
  passwords.check({"alice", "wrong"});
  EXPECT_TRUE(passwords.remembers({"alice", "hello"}));
  EXPECT_FALSE(passwords.remembers({"alice", "wrong"}));
  EXPECT_FALSE(passwords.remembers({"alic", "ehello"}));
}

TEST(Passwords, OnlyHashesThatCanBeCheckedInASecond) {
  EXPECT_TRUE(is_bcrypt(kHello));
  std::string hash = kHello;
  for (const char* cost : {"03", "15", "31", "1x", "  "}) {
    EXPECT_FALSE(is_bcrypt(hash.replace(4, 2, cost))) << cost;
  }
  EXPECT_FALSE(is_bcrypt(""));
  EXPECT_FALSE(is_bcrypt("hello"));
  EXPECT_FALSE(is_bcrypt("$6$" + std::string(57, 'a')));
}

TEST(BasicCredential, IsTakenFromTheHeader) {
  const auto printed = basic_credential("bAsIc " + base::base64("a:b:c"));
  ASSERT_TRUE(printed);
  EXPECT_EQ(printed->user, "a");
  EXPECT_EQ(printed->password, "b:c");
  for (const std::string wrong : {"", "Basic", "Basic ", "Basic !!!", "Bearer abc", "Basic YWI="}) {
    EXPECT_FALSE(basic_credential(wrong)) << wrong;
  }
  EXPECT_FALSE(basic_credential("Basic " + base::base64(std::string("a:b\0c", 5))));
}

}  // namespace
}  // namespace batchscope::exporter
