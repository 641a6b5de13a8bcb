#include "batchscope/engines/model_names.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "batchscope/base/strings.hpp"
#include "batchscope/schema/not_stated.hpp"

namespace batchscope::engines {
namespace {

constexpr std::string_view kPickle = "pickle:";

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

// "net.py:factory", "package.module:factory"
bool names_factory(std::string_view model) {
  const std::size_t colon = model.rfind(':');
  if (colon == std::string_view::npos || !is_dotted(model.substr(colon + 1))) return false;
  const std::string_view module = model.substr(0, colon);
  if (module.find_first_of("=,") != std::string_view::npos) return false;  // an engine's file
  return module.ends_with(".py") || is_dotted(module);
}

// "hf:folder/model". Which libraries there are, the Python package knows.
bool names_model_of_library(std::string_view model) {
  const std::size_t colon = model.find(':');
  if (colon == std::string_view::npos || colon + 1 == model.size()) return false;
  const std::string_view library = model.substr(0, colon);
  std::error_code ignored;
  return is_identifier(library) && library != schema::kEngineOfLaws &&
         !std::filesystem::exists(model, ignored);
}

}  // namespace

bool names_python(std::string_view model) {
  return names_factory(model) || names_model_of_library(model);
}

std::string name_of(const std::string& model) {
  if (!model.starts_with(kPickle)) return model;
  return std::filesystem::path(model.substr(kPickle.size())).stem().string();
}

}  // namespace batchscope::engines
