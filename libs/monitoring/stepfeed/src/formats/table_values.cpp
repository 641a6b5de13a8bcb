#include <algorithm>
#include <nlohmann/json.hpp>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"
#include "formats/values.hpp"
#include "lines/step_line.hpp"

namespace batchscope::stepfeed {
namespace {

using Json = nlohmann::json;

bool is_between(std::string_view name, std::string_view begin, std::string_view end) {
  return name.size() >= begin.size() + end.size() && name.starts_with(begin) && name.ends_with(end);
}

void add(std::optional<double> value, std::optional<double>& to) {
  if (value) to = to.value_or(0) + *value;
}

// Some write numbers as texts; of groups of parameters each has its own.
std::optional<double> number_of(const Json& value, int depth = 0) {
  if (value.is_number()) return value.get<double>();
  if (value.is_string())
    return base::parse_number<double>(base::trim(value.get_ref<const std::string&>()));
  const bool has_parts = value.is_array() || value.is_object();
  if (!has_parts || value.empty() || depth > 2) return std::nullopt;
  return number_of(*value.begin(), depth + 1);
}

class JsonValues : public Values {
 public:
  explicit JsonValues(Json json) : json_(std::move(json)) {}

  std::optional<Value> find(std::string_view name) const override {
    const auto found = json_.find(name);
    const auto number = found == json_.end() ? std::nullopt : number_of(*found);
    return number ? std::optional(Value{*number, {}, 0}) : std::nullopt;
  }
  bool has(std::string_view name) const override { return json_.contains(name); }
  std::optional<double> sum(std::string_view begin, std::string_view end) const override {
    std::optional<double> all;
    for (const auto& [name, value] : json_.items()) {
      if (is_between(name, begin, end)) add(number_of(value), all);
    }
    return all;
  }
  std::string text(std::string_view name) const override {
    const auto found = json_.find(name);
    return found != json_.end() && found->is_string() ? found->get<std::string>() : std::string();
  }

 private:
  Json json_;
};

class CsvValues : public Values {
 public:
  CsvValues(std::span<const std::string> names, std::string_view line)
      : names_(names), cells_(base::split(line, ',')) {}

  std::optional<Value> find(std::string_view name) const override {
    const auto found = std::ranges::find(names_, name);
    const auto number = number_in(static_cast<std::size_t>(found - names_.begin()));
    return number ? std::optional(Value{*number, {}, 0}) : std::nullopt;
  }
  bool has(std::string_view name) const override {
    return std::ranges::find(names_, name) != names_.end();
  }
  std::optional<double> sum(std::string_view begin, std::string_view end) const override {
    std::optional<double> all;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (is_between(names_[i], begin, end)) add(number_in(i), all);
    }
    return all;
  }
  std::string text(std::string_view) const override { return {}; }

 private:
  std::optional<double> number_in(std::size_t cell) const {
    if (cell >= std::min(names_.size(), cells_.size())) return std::nullopt;
    return base::parse_number<double>(base::trim(cells_[cell]));
  }

  std::span<const std::string> names_;
  std::vector<std::string_view> cells_;
};

}  // namespace

std::unique_ptr<Values> json_values(std::string_view line) {
  Json json = Json::parse(as_json(line), nullptr, false);
  return json.is_object() ? std::make_unique<JsonValues>(std::move(json)) : nullptr;
}

std::unique_ptr<Values> csv_values(std::span<const std::string> names, std::string_view line) {
  return std::make_unique<CsvValues>(names, line);
}

std::vector<std::string> csv_names(std::string_view line) {
  constexpr std::size_t kMostNames = 1024;
  std::vector<std::string> names;
  for (std::string_view name : base::split(line, ',')) {
    name = base::trim(name);
    if (name.size() > 1 && name.front() == '"' && name.back() == '"') {
      name = name.substr(1, name.size() - 2);
    }
    names.emplace_back(name);
  }
  const bool is_head = names.size() > 1 && names.size() <= kMostNames &&
                       std::ranges::none_of(names, [](const std::string& name) {
                         return base::parse_number<double>(name).has_value();
                       });
  return is_head ? names : std::vector<std::string>();
}

}  // namespace batchscope::stepfeed
