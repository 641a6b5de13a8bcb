#include "made_up_texts.hpp"

#include <fmt/format.h>

#include <array>
#include <random>
#include <string_view>

namespace batchscope::engines {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// Common enough that most vocabularies have them as one token.
constexpr std::array<std::string_view, 48> kWords = {
    "time", "year",   "people", "way",      "day",   "man",     "thing",  "woman",
    "life", "child",  "world",  "school",   "state", "family",  "group",  "country",
    "hand", "part",   "place",  "case",     "week",  "company", "system", "question",
    "work", "number", "night",  "point",    "home",  "water",   "room",   "mother",
    "area", "money",  "story",  "fact",     "month", "right",   "study",  "book",
    "eye",  "job",    "word",   "business", "side",  "kind",    "head",   "house"};

std::string words(int64_t count, std::mt19937_64& generator) {
  std::string text;
  for (int64_t i = 0; i < count; ++i) {
    if (!text.empty()) text += ' ';
    text += kWords[generator() % kWords.size()];
  }
  return text;
}

Error out_of_reach(int64_t length, std::string why) {
  return {ErrorKind::usage, fmt::format("no text has {} tokens: {}", length, why), "--text-lengths",
          "choose other lengths, or give texts of your own with --texts"};
}

}  // namespace

Result<void> check_length(int64_t length, const engine::TokenizerFacts& facts) {
  if (length < facts.special_tokens) {
    return out_of_reach(length, fmt::format("an empty one has {}", facts.special_tokens));
  }
  if (length <= facts.max_length) return {};
  return out_of_reach(length, fmt::format("the tokenizer cuts at {}", facts.max_length));
}

Result<std::vector<std::string>> make_up_texts(engine::Tokenizer& tokenizer,
                                               std::span<const int64_t> lengths, uint64_t seed) {
  const engine::TokenizerFacts& facts = tokenizer.facts();
  std::mt19937_64 generator(seed);
  std::vector<std::string> texts;
  for (const int64_t length : lengths) {
    if (auto made = check_length(length, facts); !made) return made.error();
    texts.push_back(words(length - facts.special_tokens, generator));
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto rows = tokenizer.tokenize(views);
  if (!rows) return rows.error();
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const auto got = static_cast<int64_t>((*rows)[i].size());
    if (got == lengths[i]) continue;
    return out_of_reach(lengths[i], fmt::format("its everyday words have {} here", got));
  }
  return texts;
}

}  // namespace batchscope::engines
