#pragma once

#include <cstdint>
#include <string>

#include "batchscope/schema/fields.hpp"

namespace batchscope::schema {

// What is found out about one object while its fields are read, in the order in which they stand.
class ObjectCheck {
 public:
  ObjectCheck(const Table& table, std::string& problem) : table_(table), problem_(problem) {}

  // Where the field of that name stands in the table; its size for one that the table does not
  // have, or that was there before. Fields are mostly asked for in the order of the table.
  std::size_t find(std::string_view name);
  void has_read(std::size_t index) { seen_ |= uint64_t{1} << index; }
  // Of the wrong values the first by the table is told.
  void is_wrong(std::size_t index, std::string what);
  // When all are read: tells the first thing that is wrong, if anything is.
  void finish(void* of);

 private:
  std::string_view lacks_or_exceeds(std::size_t index, const void* of) const;

  const Table& table_;
  std::string& problem_;
  uint64_t seen_ = 0;
  std::size_t next_ = 0;  // where the next search starts
  std::size_t wrong_ = kMostFields;
  std::string what_;
};

}  // namespace batchscope::schema
