#include "server/tls.hpp"

#include <openssl/ssl.h>

#include <utility>

namespace batchscope::exporter {
namespace {

base::Error unusable(const std::string& file, const std::string& why) {
  return {base::ErrorKind::input, "is unusable for TLS: " + why, file,
          "give a certificate and its key as PEM files that this user may read"};
}

}  // namespace

base::Result<std::unique_ptr<Tls>> Tls::open(const TlsFiles& files) {
  std::unique_ptr<Tls> tls(new Tls(files));
  tls->read_at_ = tls->changed();
  auto context = tls->load();
  if (!context) return context.error();
  tls->context_ = std::move(*context);
  return tls;
}

net::ssl::context& Tls::context() {
  const Times now = changed();
  if (now != read_at_) {
    read_at_ = now;
    // A connection that has begun keeps what it began with.
    if (auto anew = load()) context_ = std::move(*anew);
  }
  return *context_;
}

base::Result<Tls::Context> Tls::load() const {
  auto context = std::make_unique<net::ssl::context>(net::ssl::context::tls_server);
  SSL_CTX* raw = context->native_handle();
  SSL_CTX_set_min_proto_version(raw, files_.only_tls13 ? TLS1_3_VERSION : TLS1_2_VERSION);
  SSL_CTX_set_options(
      raw, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  // Of a key with a passphrase nobody could be asked.
  SSL_CTX_set_default_passwd_cb(raw, [](char*, int, int, void*) { return 0; });
  SystemError problem;
  context->use_certificate_chain_file(files_.certificate, problem);
  if (problem) return unusable(files_.certificate, problem.message());
  context->use_private_key_file(files_.key, net::ssl::context::pem, problem);
  if (problem) return unusable(files_.key, problem.message());
  if (SSL_CTX_check_private_key(raw) != 1)
    return unusable(files_.key, "the key does not belong to the certificate");
  return context;
}

Tls::Times Tls::changed() const {
  std::error_code absent;
  return {std::filesystem::last_write_time(files_.certificate, absent),
          std::filesystem::last_write_time(files_.key, absent)};
}

}  // namespace batchscope::exporter
