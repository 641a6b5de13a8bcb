#include "setting_flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/schema/run_file.hpp"
#include "named_flag.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using schema::Field;
using schema::FieldKind;
using schema::Unit;

constexpr const char* kExamplesOfTimes = "write for example 200ms, 1.5s, 10m or 2h";

// What stands for its value in the help.
std::string word_of(const Field& field) {
  const schema::Setting& setting = field.rules.setting;
  if (!setting.word.empty()) return std::string(setting.word);
  constexpr const char* kWords[] = {"", "TIME", "SHARE", "BYTES"};
  if (setting.unit != Unit::none) return kWords[static_cast<int>(setting.unit)];
  return field.kind == FieldKind::word ? "TEXT" : "INT";
}

std::vector<std::string> choices_of(const Field& field) {
  std::vector<std::string> choices;
  for (const auto word : base::split(field.rules.setting.word, '|')) choices.emplace_back(word);
  if (choices.size() > 1) return choices;
  choices.clear();
  for (int i = 0; field.words->name(i) != "?"; ++i) choices.emplace_back(field.words->name(i));
  return choices;
}

CLI::Range range_of(const Field& field) {
  const schema::Setting& setting = field.rules.setting;
  const auto full = [](const auto& own, const auto& rule) {
    return static_cast<int64_t>(own.value_or(rule.value_or(0)));
  };
  return {full(setting.least, field.rules.least), full(setting.most, field.rules.most)};
}

CLI::Option* add_setting(CLI::App& app, const Field& field, std::string help, std::string& typed) {
  const std::string flag(field.rules.setting.flag);
  if (field.kind == FieldKind::boolean) return app.add_flag(flag, typed, std::move(help));
  CLI::Option* const option = app.add_option(flag, typed, std::move(help));
  option->type_name(word_of(field));
  if (field.rules.setting.unit != Unit::none || field.kind == FieldKind::number) return option;
  if (field.kind == FieldKind::word) {
    const std::vector<std::string> choices = choices_of(field);
    return choices.empty() ? option : option->check(CLI::IsMember(choices));
  }
  return option->check(range_of(field));
}

Result<double> read_share(std::string_view typed, const schema::Setting& setting) {
  auto share = named(base::parse_ratio(typed), setting.flag);
  const bool fits = share && (setting.most ? *share <= *setting.most : *share > 0);
  if (fits || !share) return share;
  return Error{ErrorKind::usage,
               setting.most ? "must be from 0% to " + fmt::format("{:g}%", 100 * *setting.most)
                            : "must be above 0",
               std::string(setting.flag), fmt::format("use {} {}", setting.flag, setting.example)};
}

Result<int64_t> read_bytes(std::string_view typed, const schema::Setting& setting) {
  auto bytes = named(base::parse_bytes(typed), setting.flag);
  if (!bytes || *bytes > 0) return bytes;
  return Error{ErrorKind::usage, "must be above 0", std::string(setting.flag),
               fmt::format("use {} {}", setting.flag, setting.example)};
}

Result<double> read_number(std::string_view typed, const schema::Setting& setting) {
  const double number = base::parse_number<double>(typed).value_or(0);
  if (number > 0 && std::isfinite(number)) return number;
  return Error{ErrorKind::usage, fmt::format("'{}' is not a number above 0", typed),
               std::string(setting.flag), fmt::format("use {} {}", setting.flag, setting.example)};
}

template <class T>
Result<std::string> as_text(const Result<T>& value) {
  if (!value) return value.error();
  return fmt::format("{}", *value);
}

// In the unit of the field.
Result<std::string> in_the_file(std::string_view typed, const Field& field) {
  const schema::Setting& setting = field.rules.setting;
  if (setting.unit == Unit::seconds) return as_text(read_seconds(typed, setting.flag));
  if (setting.unit == Unit::share) return as_text(read_share(typed, setting));
  if (setting.unit == Unit::bytes) return as_text(read_bytes(typed, setting));
  if (field.kind == FieldKind::number) return as_text(read_number(typed, setting));
  return std::string(field.kind == FieldKind::boolean ? "1" : typed);
}

Result<void> read_setting(std::string_view typed, const Field& field, void* of) {
  auto text = in_the_file(typed, field);
  if (!text) return std::move(text).error();
  if (schema::set_from_text(field, *text, of)) return {};
  return Error{ErrorKind::usage, fmt::format("'{}' is not one of its values", typed),
               std::string(field.rules.setting.flag), "write digits alone"};
}

}  // namespace

std::string_view TypedSettings::operator[](std::string_view flag) const {
  const auto found = texts_.find(flag);
  return found == texts_.end() ? std::string_view() : found->second;
}

std::set<std::string, std::less<>> TypedSettings::flags() const {
  std::set<std::string, std::less<>> typed;
  for (const auto& [flag, text] : texts_) {
    if (!text.empty()) typed.insert(flag);
  }
  return typed;
}

void add_settings(CLI::App& app, const schema::Table& table,
                  std::string_view schema::Setting::*verb, std::string_view heading,
                  TypedSettings& typed) {
  for (const Field& field : table.fields) {
    const schema::Setting& setting = field.rules.setting;
    if (setting.*verb != heading) continue;
    const bool own = verb == &schema::Setting::tune && !setting.help_of_tune.empty();
    add_setting(app, field, std::string(own ? setting.help_of_tune : setting.help),
                typed[setting.flag])
        ->group(std::string(heading));
  }
}

void tie_settings(CLI::App& app, const schema::Table& table) {
  for (const Field& field : table.fields) {
    const schema::Setting& setting = field.rules.setting;
    CLI::Option* const option = app.get_option_no_throw(std::string(setting.flag));
    if (setting.flag.empty() || option == nullptr) continue;
    CLI::Option* const needed = app.get_option_no_throw(std::string(setting.needs));
    CLI::Option* const excluded = app.get_option_no_throw(std::string(setting.excludes));
    if (!setting.needs.empty() && needed != nullptr) option->needs(needed);
    if (!setting.excludes.empty() && excluded != nullptr) excluded->excludes(option);
  }
}

Result<void> read_settings(const TypedSettings& typed, const schema::Table& table, void* of) {
  for (const Field& field : table.fields) {
    const std::string_view text = typed[field.rules.setting.flag];
    if (text.empty()) continue;
    if (auto read = read_setting(text, field, of); !read) return read;
  }
  return {};
}

Result<double> read_seconds(std::string_view typed, std::string_view flag) {
  const auto duration = named(base::parse_duration(typed), flag);
  if (!duration) return duration.error();
  const double seconds = std::chrono::duration<double>(*duration).count();
  if (seconds > 0 && seconds <= schema::kMostSeconds) return seconds;
  return Error{ErrorKind::usage, seconds > 0 ? "is too long for a run" : "must be above 0",
               std::string(flag), kExamplesOfTimes};
}

}  // namespace batchscope::cli
