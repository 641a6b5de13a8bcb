#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/fields.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace batchscope::cli {

// What was typed after the flags of settings (schema::Setting), by flag.
class TypedSettings {
 public:
  std::string& operator[](std::string_view flag) { return texts_[std::string(flag)]; }
  // Empty: it was not typed.
  std::string_view operator[](std::string_view flag) const;
  bool has(std::string_view flag) const { return !(*this)[flag].empty(); }
  std::set<std::string, std::less<>> flags() const;

 private:
  std::map<std::string, std::string, std::less<>> texts_;
};

// Adds those of a table that a verb has under a heading. `typed` outlives the parsing.
void add_settings(CLI::App& app, const schema::Table& table,
                  std::string_view schema::Setting::*verb, std::string_view heading,
                  TypedSettings& typed);
// Which other flags they need, and which cannot be typed beside them; once the verb has all flags.
void tie_settings(CLI::App& app, const schema::Table& table);

// Sets what was typed. Errors: usage, naming the flag.
base::Result<void> read_settings(const TypedSettings& typed, const schema::Table& table, void* of);
template <class Struct>
base::Result<void> read_settings(const TypedSettings& typed, Struct& of) {
  return read_settings(typed, schema::table_of<Struct>(), &of);
}

// A time that is typed, in seconds. Errors: usage, naming the flag.
base::Result<double> read_seconds(std::string_view typed, std::string_view flag);

}  // namespace batchscope::cli
