#include "intern.hpp"

#include <functional>

namespace batchscope::trace {
namespace {

uint32_t hash_of(std::string_view text) {
  const size_t hash = std::hash<std::string_view>()(text);
  return static_cast<uint32_t>(hash ^ (hash >> 32U));
}

}  // namespace

InternTable::InternTable() : slots_(1024) {}

uint32_t InternTable::number_of(std::string_view text) {
  const uint32_t hash = hash_of(text);
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.number == UINT32_MAX) {
      const auto number = static_cast<uint32_t>(texts_.size());
      slot = {hash, number};
      texts_.emplace_back(text);
      if (texts_.size() * 2 > slots_.size()) grow();
      return number;
    }
    if (slot.hash == hash && texts_[slot.number] == text) return slot.number;
  }
}

bool InternTable::contains(std::string_view text) const {
  const uint32_t hash = hash_of(text);
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask; slots_[at].number != UINT32_MAX; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && texts_[slots_[at].number] == text) return true;
  }
  return false;
}

void InternTable::grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  const size_t mask = larger.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.number == UINT32_MAX) continue;
    size_t at = slot.hash & mask;
    while (larger[at].number != UINT32_MAX) at = (at + 1) & mask;
    larger[at] = slot;
  }
  slots_ = std::move(larger);
}

}  // namespace batchscope::trace
