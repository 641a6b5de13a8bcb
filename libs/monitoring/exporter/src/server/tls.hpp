#pragma once

#include <filesystem>
#include <memory>

#include "batchscope/base/result.hpp"
#include "security/web_config.hpp"
#include "server/asio.hpp"

namespace batchscope::exporter {

// The certificate and its key. A certificate lasts for weeks, a monitor for longer: files that were
// replaced are read anew, and where they are wrong, the old ones stay.
class Tls {
 public:
  // Errors: input (no certificate, no key, or they do not belong together).
  static base::Result<std::unique_ptr<Tls>> open(const TlsFiles& files);

  net::ssl::context& context();

 private:
  using Context = std::unique_ptr<net::ssl::context>;
  using Times = std::pair<std::filesystem::file_time_type, std::filesystem::file_time_type>;

  explicit Tls(TlsFiles files) : files_(std::move(files)) {}
  base::Result<Context> load() const;
  Times changed() const;

  TlsFiles files_;
  Context context_;
  Times read_at_;
};

}  // namespace batchscope::exporter
