#include "security/passwords.hpp"

#include <crypt.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

#include "batchscope/base/strings.hpp"

namespace batchscope::exporter {
namespace {

constexpr std::size_t kHashBytes = 60;
constexpr std::size_t kMostRemembered = 64;
constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Without padding, and nothing else in it.
std::optional<std::string> from_base64(std::string_view letters) {
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (const char letter : letters) {
    const std::size_t value = kLetters.find(letter);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << 6 | static_cast<uint32_t>(value)) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

}  // namespace

bool is_bcrypt(std::string_view hash) {
  if (hash.size() != kHashBytes || hash[0] != '$' || hash[1] != '2' || hash[3] != '$' ||
      hash[6] != '$' || std::string_view("aby").find(hash[2]) == std::string_view::npos) {
    return false;
  }
  const std::string_view cost = hash.substr(4, 2);
  if (cost < "04" || cost > "14") return false;
  const std::string letters = "./" + std::string(kLetters.substr(0, 62));
  return hash.substr(7).find_first_not_of(letters) == std::string_view::npos && cost[1] >= '0' &&
         cost[1] <= '9';
}

std::optional<Credential> basic_credential(std::string_view header) {
  const std::string_view text = base::trim(header);
  if (text.size() < 6 || base::to_lower(text.substr(0, 6)) != "basic ") return std::nullopt;
  std::string_view letters = base::trim(text.substr(6));
  while (letters.ends_with('=')) letters.remove_suffix(1);
  const auto plain = from_base64(letters);
  if (!plain) return std::nullopt;
  const std::size_t colon = plain->find(':');
  // A zero would end the password for crypt().
  if (colon == std::string::npos || plain->find('\0') != std::string::npos) return std::nullopt;
  return Credential{plain->substr(0, colon), plain->substr(colon + 1)};
}

Passwords::Passwords(std::map<std::string, std::string> hashes) : hashes_(std::move(hashes)) {
  if (RAND_bytes(key_.data(), static_cast<int>(key_.size())) != 1) std::abort();
}

Passwords::Digest Passwords::digest(const Credential& credential) const {
  // Neither half holds a zero.
  const std::string text = credential.user + '\0' + credential.password;
  const void* bytes = text.data();
  Digest made{};
  unsigned size = 0;
  HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
       static_cast<const unsigned char*>(bytes), text.size(), made.data(), &size);
  return made;
}

bool Passwords::remembers(const Credential& credential) const {
  const Digest asked = digest(credential);
  const std::lock_guard lock(mutex_);
  return std::any_of(right_.begin(), right_.end(), [&](const Digest& right) {
    return CRYPTO_memcmp(right.data(), asked.data(), asked.size()) == 0;
  });
}

bool Passwords::check(const Credential& credential) {
  if (remembers(credential)) return true;
  if (hashes_.empty()) return false;
  const auto user = hashes_.find(credential.user);
  // Somebody's hash for a user that is not known: the time that it takes tells not who is.
  const std::string& hash = user == hashes_.end() ? hashes_.begin()->second : user->second;
  const auto room = std::make_unique<crypt_data>();
  const char* made = crypt_r(credential.password.c_str(), hash.c_str(), room.get());
  const bool right = made != nullptr && std::string_view(made).size() == hash.size() &&
                     CRYPTO_memcmp(made, hash.data(), hash.size()) == 0 && user != hashes_.end();
  OPENSSL_cleanse(room.get(), sizeof(crypt_data));
  if (!right) return false;
  const std::lock_guard lock(mutex_);
  right_.push_back(digest(credential));
  if (right_.size() > kMostRemembered) right_.pop_front();
  return true;
}

}  // namespace batchscope::exporter
