#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace batchscope::ranges {

// Keeps one copy of each name, whose address stays. Looking up a name that was used lately costs
// one comparison of its characters.
class NameTable {
 public:
  const std::string* find(std::string_view name) {
    const std::string*& recent = recent_[slot(name)];
    if (recent != nullptr && *recent == name) return recent;
    const auto known = known_.find(name);
    if (known != known_.end()) return recent = known->second;
    const std::string* copy = &names_.emplace_back(name);
    known_.emplace(*copy, copy);
    return recent = copy;
  }

 private:
  static constexpr std::size_t kSlots = 64;

  // Names are literals nearly always, whose address tells them apart.
  static std::size_t slot(std::string_view name) {
    const auto address = std::hash<const char*>()(name.data());
    return ((address >> 3) ^ (address >> 9) ^ name.size()) % kSlots;
  }

  std::deque<std::string> names_;
  std::unordered_map<std::string_view, const std::string*> known_;
  std::array<const std::string*, kSlots> recent_{};
};

}  // namespace batchscope::ranges
