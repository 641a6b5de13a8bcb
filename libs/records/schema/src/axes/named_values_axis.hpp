#pragma once

#include "axis_row.hpp"
#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/schema/describe.hpp"
#include "plain_axis.hpp"

// All that is known of an axis whose value is a set of names with a text each, every one typed as
// NAME=VALUE.
namespace batchscope::schema {

template <auto kMember, AxisName kName, AxisName kFlag>
struct NamedValues {
  static std::string joined(const RunConfig& c, std::string_view between) {
    return base::join(
        base::mapped(c.*kMember, [](const auto& each) { return each.first + "=" + each.second; }),
        between);
  }
  static std::string described(const RunConfig& c) { return joined(c, " "); }
  static std::string words(const RunConfig& c) { return joined(c, ", "); }
  static std::string value(const RunConfig& c) {
    return (c.*kMember).empty() ? "unchanged" : described(c);
  }
  static std::string part_words(const RunConfig& c) {
    return std::string(kName.view()) + " " + value(c);
  }
  static void forget(RunConfig& c) { (c.*kMember).clear(); }
  // Commas part the values that are compared, so that one in a value is escaped.
  static std::vector<Argument> arguments(const RunConfig& c) {
    std::vector<Argument> made;
    for (const auto& [name, value] : c.*kMember) {
      std::string typed = name + "=";
      for (const char each : value) typed += each == ',' ? "\\," : std::string(1, each);
      made.push_back({std::string(kFlag.view()), std::move(typed)});
    }
    return made;
  }
};

template <auto kMember, AxisName kName, AxisName kFlag>
AxisRow named_values_axis(const PlainAxis& reported) {
  using Texts = NamedValues<kMember, kName, kFlag>;
  static const AxisPart kPart{kName.view(), reported.kind, Texts::value, Texts::part_words};
  static const Field kField =
      field<kMember>(kName.view(), {.omit = Omit::empty, .description = reported.description});
  return {{.id = reported.id,
           .name = kName.view(),
           .sets_outputs = reported.sets_outputs,
           .parts = std::span(&kPart, 1),
           .described = Texts::described,
           .words = Texts::words,
           .forget = Texts::forget,
           .arguments = Texts::arguments,
           .of_process = reported.of_process,
           .of_interpreter = reported.of_interpreter},
          std::span(&kField, 1)};
}

}  // namespace batchscope::schema
