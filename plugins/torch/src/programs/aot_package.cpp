#include "aot_package.hpp"

#include <caffe2/serialize/inline_container.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "batchscope/base/algorithms.hpp"
#include "libtorch/errors.hpp"

namespace batchscope::torch_plugin {
namespace {

using Json = nlohmann::json;

// A pytree's node is {"type", "context", "children_spec"}; a leaf has no type.
bool is_leaf(const Json& node) {
  return node.at("type").is_null();
}

size_t count_leaves(const Json& node) {
  if (is_leaf(node)) return 1;
  size_t count = 0;
  for (const Json& child : node.at("children_spec")) count += count_leaves(child);
  return count;
}

std::vector<Argument> read_call_spec(const Json& spec) {
  const Json& root = spec.at(1);  // before it stands the version of the form
  const Json& positional = root.at("children_spec").at(0);
  const Json& keywords = root.at("children_spec").at(1);
  std::vector<Argument> arguments(count_leaves(positional));
  const Json names = Json::parse(keywords.at("context").get<std::string>());
  for (size_t i = 0; i < names.size(); ++i) {
    const size_t leaves = count_leaves(keywords.at("children_spec").at(i));
    const std::string name = leaves == 1 ? names.at(i).get<std::string>() : std::string();
    arguments.insert(arguments.end(), leaves, Argument{name, true});
  }
  return arguments;
}

}  // namespace

std::optional<std::vector<Argument>> parse_call_spec(std::string_view json) {
  try {
    return read_call_spec(Json::parse(json));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::vector<int> fixed_threads(std::string_view source) {
  constexpr std::string_view kClause = "num_threads(";
  std::vector<int> found;
  for (auto at = source.find(kClause); at != std::string_view::npos;
       at = source.find(kClause, at + 1)) {
    const char* number = source.data() + at + kClause.size();
    int threads = 0;
    const auto parsed = std::from_chars(number, source.data() + source.size(), threads);
    if (parsed.ec == std::errc()) base::add_if_new(found, threads);
  }
  return found;
}

std::string compiled_device(std::string_view metadata) {
  const Json json = Json::parse(metadata, nullptr, /*allow_exceptions=*/false);
  return json.is_object() ? json.value("AOTI_DEVICE_KEY", std::string()) : std::string();
}

base::Result<PackageText> read_package(const std::string& path) {
  return guarded(base::ErrorKind::input, path, std::string(kPackageFix),
                 [&]() -> base::Result<PackageText> {
                   caffe2::serialize::PyTorchStreamReader archive(path);
                   PackageText package;
                   for (const std::string& record : archive.getAllRecords()) {
                     const bool source = record.ends_with(".cpp");
                     if (!source && !record.ends_with("_metadata.json")) continue;
                     const auto [data, size] = archive.getRecord(record);
                     const std::string_view text(static_cast<const char*>(data.get()), size);
                     if (source) package.sources += text;
                     if (!source) package.device = compiled_device(text);
                   }
                   return package;
                 });
}

}  // namespace batchscope::torch_plugin
