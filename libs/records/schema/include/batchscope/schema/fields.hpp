#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// A struct that stands in a file as a JSON object is described once, by a table of its fields.
// Reader and writer (json_line.hpp) and the published JSON Schema (tools/published.hpp) go by it.
namespace batchscope::schema {

// What stands in the file.
enum class FieldKind {
  boolean,
  int32,
  int64,
  uint64,
  number,  // finite
  text,
  word,  // a text that is a value of an enum
  int64s,
  numbers,
  texts,
  text_by_name,   // an object of names of somebody's own
  int64_by_name,  // the same
  object,         // has a table of its own
  objects
};

// What is not written: nothing; 0, false, empty texts, arrays and objects; 1.
enum class Omit { never, empty, one };

// In what a number is typed: as a number, or as "1.5s", "2%", "8GiB".
enum class Unit { none, seconds, share, bytes };

// The flag that asks for a field. Verbs have it, read it and hold a resumed run to it by this row.
struct Setting {
  std::string_view flag = {};  // "--min-visit-time"; empty: no flag asks for the field
  std::string_view help = {};
  // What it stands under in the help of a verb; empty: the verb has no such flag. `compare` has
  // those that `profile` has under kHowToMeasure.
  std::string_view profile = {}, tune = {};
  Unit unit = Unit::none;
  std::string_view word = {};     // what stands for its value, where that is not "N" or the unit's
  std::string_view example = {};  // of a value, for errors
  std::optional<double> least = {}, most = {};  // that may be typed, where FieldRules allow more
  std::string_view needs = {}, excludes = {};   // other flags
  bool may_differ = false;                      // whether a resumed run may be asked for another
  std::string_view help_of_tune = {};           // where its default is another there
};
inline constexpr std::string_view kHowToMeasure = "How to measure", kFindingOut = "Finding out why",
                                  kBest = "What is best", kHowToSearch = "How to search",
                                  kLargestBatch = "The largest batch";
// Ways to tune that some settings say nothing of.
inline constexpr std::string_view kMaxBatchOnly = "--max-batch-only", kReplay = "--replay";

// All but the kind and the place of the value. A field that is absent or null leaves its value as
// it is; an optional one without a value is never written.
struct FieldRules {
  bool required = false;  // without it the object is wrong
  bool always = false;    // readers do without, but it is published as required
  Omit omit = Omit::never;
  bool (*when)(const void*) = {};    // written only where this is true of the struct
  std::optional<double> least = {};  // numbers: what is below or above is wrong
  std::optional<double> most = {};
  std::string_view description = {};
  // What the JSON Schema says, and no reader refuses: a lower bound (instead of `least`), that of
  // every value in an array or object, the lengths of an array, the only value, and that a word has
  // no others than those that are known.
  std::optional<double> stated_least = {}, each_least = {};
  std::optional<int> fewest = {}, most_values = {}, only_value = {};
  bool no_other_words = false;
  Setting setting = {};
};

struct Table;

// The values of an enum as texts. They count up from 0, and to_string says "?" of what is none.
struct Words {
  std::string_view (*text)(const void* value);
  bool (*read)(std::string_view text, void* value);  // false: it has no such value
  std::string_view (*name)(int i);                   // "?" behind the last
  bool is_open;                                      // later versions may add to them
};

// A vector of structs.
struct Elements {
  void (*clear)(void* vector);
  void* (*add)(void* vector);  // a new one at the end
  std::size_t (*size)(const void* vector);
  const void* (*at)(const void* vector, std::size_t i);
};

struct Field {
  std::string_view name;
  FieldKind kind;
  const void* (*get)(const void* of);  // null where an optional value is absent
  void* (*make)(void* of);             // an optional value is there afterwards
  FieldRules rules;
  const Words* words = nullptr;          // word
  const Elements* elements = nullptr;    // objects
  const Table& (*table)() = nullptr;     // object, objects
  void* (*outer)(void* full) = nullptr;  // where the struct is part of another one

  // In the struct, or in what it is part of.
  const void* value(const void* full) const { return get(struct_in(full)); }
  void* place(void* full) const { return make(outer == nullptr ? full : outer(full)); }
  bool is_wanted(const void* full) const {
    return rules.when == nullptr || rules.when(struct_in(full));
  }

 private:
  const void* struct_in(const void* full) const {
    return outer == nullptr ? full : outer(const_cast<void*>(full));
  }
};

// What a struct's own check sees of an object that was read, and where it says what is wrong.
class ReadFields {
 public:
  ReadFields(const Table& table, uint64_t seen, std::string& problem)
      : table_(table), seen_(seen), problem_(problem) {}
  bool has(std::string_view name) const;  // and not null
  // "samples_ns is empty"; the first one counts.
  void fail(std::string_view name, std::string_view what);

 private:
  const Table& table_;
  uint64_t seen_;
  std::string& problem_;
};

inline constexpr std::size_t kMostFields = 64;  // of one table

struct Table {
  std::span<const Field> fields;  // in the order in which they are written
  std::string_view description = {};
  // Looks at all of it together, where each field by itself is right; null: nothing to look at.
  void (*check)(ReadFields& fields, void* of) = nullptr;
};

// Of numbers, texts, words and flags the value as a text: numbers in as few digits as tell them
// apart, true and false as 1 and 0. Empty: the field has no value.
std::optional<std::string> text_of(const Field& field, const void* of);
// Sets it. False: that is no value of the field.
bool set_from_text(const Field& field, std::string_view text, void* of);

// Specialized for each struct that has one.
template <class Struct>
const Table& table_of();

}  // namespace batchscope::schema
