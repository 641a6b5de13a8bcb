#include "batchscope/commandline/merged_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "batchscope/base/strings.hpp"

namespace batchscope::commandline {
namespace {

using Words = std::vector<std::string>;

struct Item {
  const MergedPart* part;
  std::string value;
  bool has_value;
};

const MergedPart* part_of(const MergedFlag& flag, std::string_view key) {
  const auto at = std::ranges::find(flag.parts, key, &MergedPart::key);
  return at == flag.parts.end() ? nullptr : &*at;
}

base::Error unknown_part(const MergedFlag& flag, std::string_view text) {
  std::vector<std::string_view> keys;
  for (const MergedPart& part : flag.parts) keys.push_back(part.key);
  return {base::ErrorKind::usage, fmt::format("'{}' is not one of its values", text),
          std::string(flag.flag), fmt::format("choose from {}", fmt::join(keys, ", "))};
}

// Parts in their order; what belongs to none is part of the source, or of the list before it.
base::Result<std::vector<Item>> items_of(const MergedFlag& flag, std::string_view value,
                                         std::string& source) {
  std::vector<Item> items;
  for (const std::string_view each : base::split(value, ',')) {
    const auto equals = each.find('=');
    const MergedPart* part = part_of(flag, base::trim(each.substr(0, equals)));
    const bool has_value = equals != std::string_view::npos;
    if (part != nullptr && (has_value || !part->value.empty())) {
      items.push_back(
          {part, std::string(has_value ? each.substr(equals + 1) : part->value), has_value});
    } else if (!items.empty() && items.back().has_value) {
      items.back().value.append(",").append(each);
    } else if (flag.takes == Takes::source) {
      source.append(source.empty() ? "" : ",").append(each);
    } else {
      return unknown_part(flag, each);
    }
  }
  return items;
}

// A part whose flag takes no value has "yes" for one.
void add_flag(Words& words, std::string_view flag, std::string_view value) {
  words.emplace_back(flag);
  if (value != "yes") words.emplace_back(value);
}

base::Result<void> write_out(const MergedFlag& flag, std::string_view value, Words& words) {
  std::string source;
  const auto items = items_of(flag, value, source);
  if (!items) return items.error();
  if (flag.takes == Takes::source) words.insert(words.end(), {std::string(flag.flag), source});
  if (flag.takes == Takes::optional_parts) words.emplace_back(flag.flag);
  const auto is_named = [&](const MergedPart& part) {
    return std::ranges::find(*items, &part, &Item::part) != items->end();
  };
  const bool selects = std::ranges::any_of(
      flag.parts, [&](const MergedPart& part) { return !part.if_none.empty() && is_named(part); });
  for (const Item& item : *items) {
    if (!item.part->flag.empty()) add_flag(words, item.part->flag, item.value);
  }
  for (const MergedPart& part : flag.parts) {
    if (selects && !part.if_none.empty() && !is_named(part))
      add_flag(words, part.flag, part.if_none);
  }
  return {};
}

// The value of that flag at this word, and where the next word is.
struct Found {
  std::string_view value;
  std::size_t next;
};

std::optional<Found> value_at(const Words& words, std::size_t at, const MergedFlag& flag) {
  const std::string_view word = words[at];
  if (word.starts_with(flag.flag) && word.substr(flag.flag.size()).starts_with('=')) {
    return Found{word.substr(flag.flag.size() + 1), at + 1};
  }
  if (word != flag.flag || flag.takes == Takes::optional_parts || at + 1 >= words.size()) return {};
  return Found{words[at + 1], at + 2};
}

std::string in_place_of(const MergedFlag& flag, const MergedPart& part) {
  const bool has_key_alone = !part.value.empty();
  const std::string key = fmt::format("{}{}", part.key, has_key_alone ? "" : "=VALUE");
  const char* const joined = flag.takes == Takes::source  ? " SOURCE,"
                             : flag.takes == Takes::parts ? " "
                                                          : "=";
  return fmt::format("{} is now {}{}{}", part.flag, flag.flag, joined, key);
}

}  // namespace

base::Result<Words> written_out(const Words& arguments, std::span<const MergedFlag> flags) {
  Words words;
  for (std::size_t at = 0; at < arguments.size();) {
    if (arguments[at] == "--") {
      words.insert(words.end(), arguments.begin() + static_cast<std::ptrdiff_t>(at),
                   arguments.end());
      break;
    }
    std::optional<Found> found;
    const auto flag = std::ranges::find_if(flags, [&](const MergedFlag& each) {
      found = value_at(arguments, at, each);
      return found.has_value();
    });
    if (flag == flags.end()) {
      words.push_back(arguments[at++]);
      continue;
    }
    if (auto written = write_out(*flag, found->value, words); !written) return written.error();
    at = found->next;
  }
  return words;
}

bool is_old_flag(std::string_view name, std::span<const MergedFlag> flags) {
  return std::ranges::any_of(flags, [&](const MergedFlag& flag) {
    return std::ranges::find(flag.parts, name, &MergedPart::flag) != flag.parts.end();
  });
}

std::vector<std::string> notes_on_old_flags(const Words& arguments,
                                            std::span<const MergedFlag> flags) {
  std::vector<std::string> notes;
  for (const std::string& word : arguments) {
    if (word == "--") break;
    const std::string_view name = std::string_view(word).substr(0, word.find('='));
    for (const MergedFlag& flag : flags) {
      for (const MergedPart& part : flag.parts) {
        if (!part.flag.empty() && part.flag == name) notes.push_back(in_place_of(flag, part));
      }
    }
  }
  return notes;
}

}  // namespace batchscope::commandline
