#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "batchscope/watch/standing.hpp"

namespace batchscope::training {

// What stands and what ended, under keys of whoever finds it.
class Standings {
 public:
  explicit Standings(std::size_t remembered) : remembered_(remembered) {}

  // Of what stands already the finding is replaced.
  void raise(const std::string& key, findings::Finding finding, int64_t since_ns);
  void end(const std::string& key, int64_t now_ns);
  bool stands(const std::string& key) const { return standing_.contains(key); }

  std::vector<watch::Standing> standing() const;
  std::vector<watch::Standing> take_changes();
  std::vector<watch::Standing> all() const;

 private:
  std::size_t remembered_;
  std::map<std::string, watch::Standing> standing_;
  std::deque<watch::Standing> ended_, changes_;
};

}  // namespace batchscope::training
