#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "batchscope/report/machine.hpp"
#include "batchscope/schema/json.hpp"

namespace batchscope::report {

std::string checks_text(const std::vector<doctor::Check>& checks) {
  std::string text = doctor::doctor_answer(checks) + "\n";
  for (const doctor::Check& check : checks) {
    text +=
        fmt::format("{:<8} {:<20} {}\n", doctor::to_string(check.status), check.where, check.value);
    if (!check.what.empty()) text += fmt::format("{:30}{}\n", "", check.what);
    if (!check.fix.empty()) text += fmt::format("{:30}-> {}\n", "", check.fix);
  }
  return text;
}

std::string checks_json(const std::vector<doctor::Check>& checks) {
  nlohmann::json list = nlohmann::json::array();
  for (const doctor::Check& check : checks) {
    list.push_back({{"name", check.where},
                    {"status", doctor::to_string(check.status)},
                    {"value", check.value},
                    {"explanation", check.what},
                    {"fix", check.fix}});
  }
  return schema::dump(nlohmann::json{{"schema_version", 1}, {"checks", list}}) + "\n";
}

}  // namespace batchscope::report
