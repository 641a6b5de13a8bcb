#include "batchscope/interpreter/model_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "batchscope/base/strings.hpp"

namespace batchscope::interpreter {
namespace {

constexpr std::string_view kPickle = "pickle:";
constexpr std::array<std::string_view, 4> kPrefixes{"hf:", "st:", "timm:", kPickle};

bool is_identifier(std::string_view text) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::all_of(text.begin(), text.end(), fits);
}

// "a.b.c"
bool is_dotted(std::string_view text) {
  const auto parts = base::split(text, '.');
  return std::all_of(parts.begin(), parts.end(), is_identifier);
}

}  // namespace

bool names_python(std::string_view model) {
  const auto is_prefix = [&](std::string_view prefix) {
    return model.starts_with(prefix) && model.size() > prefix.size();
  };
  if (std::any_of(kPrefixes.begin(), kPrefixes.end(), is_prefix)) return true;
  const std::size_t colon = model.rfind(':');
  if (colon == std::string_view::npos || !is_dotted(model.substr(colon + 1))) return false;
  const std::string_view module = model.substr(0, colon);
  if (module.find_first_of("=,") != std::string_view::npos) return false;  // an engine's file
  return module.ends_with(".py") || is_dotted(module);
}

std::string name_of(const std::string& model) {
  if (!model.starts_with(kPickle)) return model;
  return std::filesystem::path(model.substr(kPickle.size())).stem().string();
}

}  // namespace batchscope::interpreter
