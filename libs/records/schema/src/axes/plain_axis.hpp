#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "axis_row.hpp"
#include "batchscope/base/parse_number.hpp"
#include "batchscope/schema/describe.hpp"

// All that is known of an axis that has one value, an optional switch, number or text of RunConfig,
// which is asked for by one word: nothing else has to know of it.
namespace batchscope::schema {

template <std::size_t N>
struct AxisName {
  char text[N];

  constexpr AxisName(const char (&name)[N]) : text{} { std::copy_n(name, N, text); }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

struct PlainAxis {
  AxisId id;
  std::string_view help = {};         // of the flag: the values, what they do, what is without
  std::string_view description = {};  // of the field
  AxisKind kind = AxisKind::setting;
  bool sets_outputs = false;
  bool of_process = false;
  bool of_interpreter = false;
  std::string (*words)(const RunConfig&) = nullptr;  // null: the name and the value
  std::optional<double> least = {}, most = {};       // of a number
};

inline std::string word_of(bool value) {
  return value ? "on" : "off";
}
inline std::string word_of(const std::string& value) {
  return value;
}
inline std::string word_of(int64_t value) {
  return std::to_string(value);
}

inline bool read_word(std::string_view word, bool& value) {
  value = word == "on";
  return word == "on" || word == "off";
}
inline bool read_word(std::string_view word, std::string& value) {
  value = word;
  return !word.empty();
}
inline bool read_word(std::string_view word, int64_t& value) {
  const auto number = base::parse_number<int64_t>(word);
  value = number.value_or(0);
  return number.has_value();
}

template <auto kMember, AxisName kName>
struct PlainTexts {
  static std::string value(const RunConfig& c) {
    return c.*kMember ? word_of(*(c.*kMember)) : "default";
  }
  static std::string described(const RunConfig& c) {
    return c.*kMember ? std::string(kName.view()) + "=" + value(c) : "";
  }
  static std::string spaced() {
    std::string name(kName.view());
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
  }
  static std::string part_words(const RunConfig& c) {
    return c.*kMember ? spaced() + " " + value(c) : "default " + spaced();
  }
  static std::string words(const RunConfig& c) { return c.*kMember ? part_words(c) : ""; }
  static void forget(RunConfig& c) { (c.*kMember).reset(); }
  static std::vector<Argument> arguments(const RunConfig& c) {
    if (!(c.*kMember)) return {};
    return {{flag_named(kName.view()), value(c)}};
  }
};

template <auto kMember, AxisName kName>
AxisRow plain_axis(const PlainAxis& reported) {
  using Texts = PlainTexts<kMember, kName>;
  static const AxisPart kPart{kName.view(), reported.kind, Texts::value,
                              reported.words == nullptr ? Texts::part_words : reported.words};
  static const Field kField = field<kMember>(
      kName.view(),
      {.least = reported.least, .most = reported.most, .description = reported.description});
  const auto read = [](std::string_view word, RunConfig& config) {
    auto& value = (config.*kMember).emplace();
    const auto outside = [&](auto number) {
      return number < kField.rules.least.value_or(number) ||
             number > kField.rules.most.value_or(number);
    };
    if (!read_word(word, value)) return false;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, int64_t>) {
      return !outside(static_cast<double>(value));
    }
    return true;
  };
  return {{.id = reported.id,
           .name = kName.view(),
           .sets_outputs = reported.sets_outputs,
           .parts = std::span(&kPart, 1),
           .described = Texts::described,
           .words = reported.words == nullptr ? Texts::words : reported.words,
           .forget = Texts::forget,
           .arguments = Texts::arguments,
           .of_process = reported.of_process,
           .plain = {reported.help, read},
           .of_interpreter = reported.of_interpreter},
          std::span(&kField, 1)};
}

}  // namespace batchscope::schema
