#pragma once

#include <map>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::exporter {

// Of tls_server_config; no files: no TLS.
struct TlsFiles {
  std::string certificate;  // PEM, with those that sign it
  std::string key;          // PEM
  bool only_tls13 = false;
};

struct WebConfig {
  TlsFiles tls;
  std::map<std::string, std::string> users;  // with the bcrypt hashes of their passwords
  std::vector<std::string> warnings;         // of files that others may read

  bool has_tls() const { return !tls.certificate.empty(); }
};

// As Prometheus' own exporters are configured (web.yml of their exporter toolkit): cert_file,
// key_file and min_version of tls_server_config, and basic_auth_users. Files that it names count
// from its folder. Errors: input, also for a setting that is not known here: one that guards
// something must not be passed over.
base::Result<WebConfig> read_web_config(const std::string& path);

}  // namespace batchscope::exporter
