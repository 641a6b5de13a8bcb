#pragma once

#include <array>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace batchscope::exporter {

// Whether it is one that can be checked within a second: "$2y$10$...", cost 4 to 14.
bool is_bcrypt(std::string_view hash);

struct Credential {
  std::string user, password;
};
// Of a header `Authorization: Basic ...`; nothing where it is none.
std::optional<Credential> basic_credential(std::string_view header);

// Whether somebody may read. A hash takes tens of milliseconds to check by intention, so what was
// right is remembered: whoever scrapes every second is checked once, and never waits for others who
// try passwords. Safe to call from several threads.
class Passwords {
 public:
  explicit Passwords(std::map<std::string, std::string> hashes);

  bool asked_for() const { return !hashes_.empty(); }
  // Whether it was found right before. Takes microseconds.
  bool remembers(const Credential& credential) const;
  // Takes as long for a user that is not known.
  bool check(const Credential& credential);

 private:
  using Digest = std::array<unsigned char, 32>;
  Digest digest(const Credential& credential) const;

  std::map<std::string, std::string> hashes_;
  std::array<unsigned char, 32> key_{};  // of the digests, of this process alone
  mutable std::mutex mutex_;
  std::deque<Digest> right_;
};

}  // namespace batchscope::exporter
