#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace batchscope::trace {

// Gives equal texts equal numbers, counted from 0 in the order in which they come.
class InternTable {
 public:
  InternTable();

  uint32_t number_of(std::string_view text);
  bool contains(std::string_view text) const;
  const std::deque<std::string>& texts() const { return texts_; }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t number = UINT32_MAX;
  };
  void grow();

  std::vector<Slot> slots_;
  std::deque<std::string> texts_;
};

}  // namespace batchscope::trace
