#include "security/web_config.hpp"

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <utility>

#include "batchscope/base/file.hpp"
#include "security/passwords.hpp"
#include "security/yaml_settings.hpp"

namespace batchscope::exporter {
namespace {

constexpr int64_t kMostBytes = 1 << 20;

base::Error wrong(const std::string& path, const YamlSetting& setting, std::string what,
                  std::string fix) {
  return {base::ErrorKind::input, std::move(what), path + ':' + std::to_string(setting.line),
          std::move(fix)};
}

bool others_may_read(const std::string& path) {
  struct stat file {};
  return stat(path.c_str(), &file) == 0 && (file.st_mode & S_IROTH) != 0;
}

class Settings {
 public:
  explicit Settings(std::string path) : path_(std::move(path)) {}

  base::Result<void> take(const YamlSetting& setting) {
    if (setting.section == "basic_auth_users") return take_user(setting);
    if (setting.section == "tls_server_config") return take_tls(setting);
    return unknown(setting);
  }

  base::Result<WebConfig> full() {
    if (config_.tls.certificate.empty() != config_.tls.key.empty()) {
      return base::Error{base::ErrorKind::input, "cert_file or key_file is missing", path_,
                         "give both in tls_server_config, or neither"};
    }
    for (const auto& file : {config_.users.empty() ? std::string() : path_, config_.tls.key}) {
      if (!file.empty() && others_may_read(file)) {
        config_.warnings.push_back(
            file + " holds secrets, but every user of this machine may read it (chmod o-r " + file +
            ")");
      }
    }
    return std::move(config_);
  }

 private:
  base::Result<void> take_user(const YamlSetting& setting) {
    if (!is_bcrypt(setting.value)) {
      return wrong(path_, setting,
                   "the password of '" + setting.key + "' is not a valid bcrypt hash",
                   "make one with cost 10 to 14: htpasswd -nBC 10 " + setting.key);
    }
    config_.users[setting.key] = setting.value;
    return {};
  }

  base::Result<void> take_tls(const YamlSetting& setting) {
    if (setting.key == "cert_file") {
      config_.tls.certificate = beside(setting.value);
    } else if (setting.key == "key_file") {
      config_.tls.key = beside(setting.value);
    } else if (setting.key == "min_version" && setting.value == "TLS13") {
      config_.tls.only_tls13 = true;
    } else if (setting.key != "min_version" || setting.value != "TLS12") {
      return unknown(setting);
    }
    return {};
  }

  base::Result<void> unknown(const YamlSetting& setting) const {
    return wrong(path_, setting,
                 setting.section + ": " + setting.key + ": " + setting.value + " is not supported",
                 "use cert_file, key_file and min_version (TLS12, TLS13) in tls_server_config, and "
                 "basic_auth_users; for more, use a reverse proxy");
  }

  std::string beside(const std::string& file) const {
    if (file.empty()) return file;
    return (std::filesystem::path(path_).parent_path() / file).string();
  }

  std::string path_;
  WebConfig config_;
};

}  // namespace

base::Result<WebConfig> read_web_config(const std::string& path) {
  const auto text = base::read_file(path, kMostBytes);
  if (!text) return text.error();
  const auto settings = yaml_settings(*text, path);
  if (!settings) return settings.error();
  Settings taken(path);
  for (const auto& setting : *settings) {
    const auto done = taken.take(setting);
    if (!done) return done.error();
  }
  return taken.full();
}

}  // namespace batchscope::exporter
