#include <fmt/format.h>

#include <set>

#include "batchscope/base/strings.hpp"
#include "batchscope/study/environments.hpp"

namespace batchscope::study {
namespace {

using base::Error;
using base::Result;
using schema::Environment;

// One variable with the values that are compared; an empty one leaves it as it is.
struct Variable {
  std::string name;
  std::vector<std::string> values;
};

// What is typed as NAME=VALUE,VALUE.
struct Typed {
  const char* flag;     // "--env"
  const char* example;  // "MALLOC_ARENA_MAX=1,2"
  const char* one;      // "variable"
};
constexpr Typed kEnvironment{"--env", "MALLOC_ARENA_MAX=1,2", "variable"};
constexpr Typed kParam{"--param", "width=256,512", "parameter"};

Error wrong(const Typed& as, std::string what, std::string fix) {
  return {base::ErrorKind::usage, std::move(what), as.flag, std::move(fix)};
}

bool is_variable_name(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kAll =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return name.find_first_not_of(kAll) == std::string_view::npos &&
         name.find_first_of(kDigits) != 0 && !name.empty();
}

std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> values(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text.substr(i, 2) == "\\,";
    if (escaped) ++i;
    if (text[i] == ',' && !escaped) {
      values.emplace_back();
    } else {
      values.back() += text[i];
    }
  }
  return values;
}

Result<Variable> parse_variable(const Typed& as, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (!is_variable_name(name)) {
    return wrong(as, fmt::format("'{}' is not the name of a {}", name, as.one),
                 fmt::format("use e.g. {} {}", as.flag, as.example));
  }
  Variable variable{name, split_values(equals == std::string::npos ? "" : text.substr(equals + 1))};
  if (variable.values == std::vector<std::string>{""}) {
    return wrong(as, fmt::format("{} has no value", name),
                 fmt::format("use {0} {1}=VALUE; {1}=,VALUE compares VALUE with the present value",
                             as.flag, name));
  }
  const std::set<std::string> different(variable.values.begin(), variable.values.end());
  if (different.size() == variable.values.size()) return variable;
  return wrong(as, fmt::format("a value of {} appears twice", name), "name each once");
}

// Each environment with each value of the variable.
std::vector<Environment> with_each_value(const std::vector<Environment>& environments,
                                         const Variable& variable) {
  std::vector<Environment> product;
  for (const Environment& each : environments) {
    for (const std::string& value : variable.values) {
      product.push_back(each);
      if (!value.empty()) product.back()[variable.name] = value;
    }
  }
  return product;
}

Result<std::vector<Environment>> parse_product(const Typed& as,
                                               std::span<const std::string> typed) {
  std::vector<Environment> environments;
  std::set<std::string> known;
  for (const std::string& text : typed) {
    const auto variable = parse_variable(as, text);
    if (!variable) return variable.error();
    if (!known.insert(variable->name).second) {
      return wrong(as, fmt::format("{} appears twice", variable->name),
                   fmt::format("give its values together: {} {}=1,2", as.flag, variable->name));
    }
    if (environments.empty()) environments.emplace_back();
    environments = with_each_value(environments, *variable);
  }
  return environments;
}

}  // namespace

Result<std::vector<Environment>> parse_environments(std::span<const std::string> typed) {
  return parse_product(kEnvironment, typed);
}

Result<std::vector<Environment>> parse_params(std::span<const std::string> typed) {
  return parse_product(kParam, typed);
}

Result<Environment> parse_environment(std::span<const std::string> typed) {
  Environment variables;
  for (const std::string& text : typed) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return wrong(kEnvironment,
                   fmt::format("'{}' is not a variable with a value", base::visible(text)),
                   "use e.g. --env MALLOC_ARENA_MAX=1");
    }
    std::string value;
    for (std::size_t i = equals + 1; i < text.size(); ++i) {
      if (text[i] == '\\' && text.substr(i + 1, 1) == ",") ++i;
      value += text[i];
    }
    if (!value.empty()) variables[text.substr(0, equals)] = std::move(value);
  }
  return variables;
}

}  // namespace batchscope::study
