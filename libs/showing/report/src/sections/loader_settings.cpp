#include "loader_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/lists.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::report {
namespace {

using findings::Group;

schema::RunConfig without_loader(const Group& group) {
  schema::RunConfig config = group.rows.front().config;
  config.loader.reset();
  return config;
}

// The parts of their labels that all of them have.
std::string shared_label(const std::vector<Group>& groups) {
  const auto parts_of = [](const Group& group) {
    const std::vector<std::string_view> parts = base::split(group.label, ',');
    return std::vector<std::string>(parts.begin(), parts.end());
  };
  std::vector<std::string> shared = parts_of(groups.front());
  for (const Group& group : groups) {
    const std::vector<std::string> parts = parts_of(group);
    std::erase_if(shared, [&](const std::string& part) { return !base::contains(parts, part); });
  }
  return base::join(shared, ",");
}

}  // namespace

std::optional<Group> as_loader_settings(const std::vector<Group>& groups) {
  if (groups.size() < 2) return std::nullopt;
  const bool are_settings = std::ranges::all_of(groups, [&](const Group& group) {
    return group.rows.size() == 1 && group.key.loader && group.set_aside.empty() &&
           group.level == groups.front().level &&
           without_loader(group) == without_loader(groups.front());
  });
  if (!are_settings) return std::nullopt;
  Group all;
  for (const Group& group : groups) all.rows.push_back(group.rows.front());
  all.key = groups.front().key;
  all.label =
      fmt::format("{}, batch {}", shared_label(groups), all.rows.front().config.shape.batch_size);
  all.level = groups.front().level;
  all.is_open = true;  // a table names the best of batch sizes alone
  return all;
}

void name_settings(const std::vector<Group>& groups, document::Document& document) {
  for (document::Block& block : document) {
    auto* const table = std::get_if<document::TextTable>(&block);
    if (table == nullptr) continue;
    table->columns.front() = {"setting", "", true};
    for (std::size_t i = 0; i < groups.size(); ++i) {
      table->rows[i].front() = document::cell_of(groups[i].table);
    }
  }
}

}  // namespace batchscope::report
