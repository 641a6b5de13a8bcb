#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace batchscope::schema {

// A word of the run file out of a set that a later version may add to: its value, and for one that
// this version does not know `T::other` with the text, which is written back as it was read. T is
// an enum whose values count up from 0 to `other`, the last, and which has a to_string.
template <class T>
class OpenEnum {
 public:
  OpenEnum() = default;  // no word at all
  // Not explicit, so that it is set to and compared with the values of T.
  OpenEnum(T value) : value_(value) {}
  // Takes any text.
  explicit OpenEnum(std::string_view text) {
    int i = 0;
    while (i < static_cast<int>(T::other) && to_string(static_cast<T>(i)) != text) ++i;
    value_ = static_cast<T>(i);
    if (value_ == T::other) other_ = text;
  }

  T value() const { return value_; }
  // As it stands in the file; lives as long as this.
  std::string_view text() const { return value_ == T::other ? other_ : to_string(value_); }
  bool empty() const { return text().empty(); }
  bool operator==(const OpenEnum&) const = default;
  // By text, so that words of later versions have their place too.
  std::strong_ordering operator<=>(const OpenEnum& than) const { return text() <=> than.text(); }

 private:
  T value_ = T::other;
  std::string other_{};
};

}  // namespace batchscope::schema
