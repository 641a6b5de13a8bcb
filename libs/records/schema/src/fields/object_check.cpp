#include "object_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace batchscope::schema {
namespace {

double number_in(FieldKind kind, const void* value) {
  if (kind == FieldKind::int32) return *static_cast<const int32_t*>(value);
  if (kind == FieldKind::number) return *static_cast<const double*>(value);
  return static_cast<double>(*static_cast<const int64_t*>(value));
}

}  // namespace

std::size_t ObjectCheck::find(std::string_view name) {
  const auto& fields = table_.fields;
  const auto of_name = [&](std::size_t from, std::size_t to) {
    while (from < to && fields[from].name != name) ++from;
    return from;
  };
  std::size_t index = of_name(next_, fields.size());
  if (index == fields.size()) {
    index = of_name(0, next_);
    if (index == next_) return fields.size();
  }
  next_ = index + 1;
  return (seen_ >> index & 1U) != 0 ? fields.size() : index;
}

void ObjectCheck::is_wrong(std::size_t index, std::string what) {
  if (index >= wrong_) return;
  wrong_ = index;
  what_ = std::move(what);
}

// Bounds are those of integers below 2^53 and of numbers: exact as doubles.
std::string_view ObjectCheck::lacks_or_exceeds(std::size_t index, const void* of) const {
  const Field& field = table_.fields[index];
  const FieldRules& rules = field.rules;
  if (rules.required && (seen_ >> index & 1U) == 0) return "is missing";
  if (!rules.least && !rules.most) return "";
  const void* value = field.value(of);
  if (value == nullptr) return "";
  const double number = number_in(field.kind, value);
  if (rules.least && number < *rules.least) return "is too small";
  if (rules.most && number > *rules.most) return "is too large";
  return "";
}

void ObjectCheck::finish(void* of) {
  if (!problem_.empty()) return;
  for (std::size_t i = 0; i < std::min(wrong_, table_.fields.size()); ++i) {
    if (const std::string_view what = lacks_or_exceeds(i, of); !what.empty()) {
      problem_ = fmt::format("{} {}", table_.fields[i].name, what);
      return;
    }
  }
  problem_ = std::move(what_);
  if (!problem_.empty() || table_.check == nullptr) return;
  ReadFields fields(table_, seen_, problem_);
  table_.check(fields, of);
}

}  // namespace batchscope::schema
