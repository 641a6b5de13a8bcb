#include "security/yaml_settings.hpp"

#include <yaml.h>

#include <set>
#include <utility>

namespace batchscope::exporter {
namespace {

base::Error problem(const std::string& path, std::size_t line, std::string what) {
  return {base::ErrorKind::input, std::move(what), path + ':' + std::to_string(line),
          "write sections with settings, as in the web.yml of Prometheus exporters"};
}

// libyaml's parser and what it made of the text.
class Document {
 public:
  explicit Document(const std::string& text) : text_(text) {
    yaml_parser_initialize(&parser_);
    // libyaml takes unsigned characters.
    const void* bytes = text_.data();
    yaml_parser_set_input_string(&parser_, static_cast<const unsigned char*>(bytes), text_.size());
    loaded_ = yaml_parser_load(&parser_, &document_) == 1;
  }
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;
  ~Document() {
    if (loaded_) yaml_document_delete(&document_);
    yaml_parser_delete(&parser_);
  }

  bool loaded() const { return loaded_; }
  std::string why() const {
    return parser_.problem == nullptr ? "not valid YAML" : parser_.problem;
  }
  std::size_t line() const { return parser_.problem_mark.line + 1; }
  yaml_node_t* root() { return yaml_document_get_root_node(&document_); }
  yaml_node_t* node(int number) { return yaml_document_get_node(&document_, number); }

 private:
  const std::string& text_;
  yaml_parser_t parser_{};
  yaml_document_t document_{};
  bool loaded_ = false;
};

std::size_t line_of(const yaml_node_t& node) {
  return node.start_mark.line + 1;
}

bool is_text(const yaml_node_t& node) {
  return node.type == YAML_SCALAR_NODE;
}

std::string text_of(const yaml_node_t& node) {
  const void* bytes = node.data.scalar.value;
  return {static_cast<const char*>(bytes), node.data.scalar.length};
}

bool is_empty(const yaml_node_t& node) {
  return is_text(node) && node.data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
         (text_of(node).empty() || text_of(node) == "null" || text_of(node) == "~");
}

class Reader {
 public:
  Reader(Document& document, const std::string& path) : document_(document), path_(path) {}

  base::Result<std::vector<YamlSetting>> read() {
    yaml_node_t* root = document_.root();
    if (root == nullptr || is_empty(*root)) return std::vector<YamlSetting>{};
    if (root->type != YAML_MAPPING_NODE) {
      return problem(path_, line_of(*root), "it has no sections");
    }
    for (auto* pair = root->data.mapping.pairs.start; pair < root->data.mapping.pairs.top; ++pair) {
      const auto done = read_section(*document_.node(pair->key), *document_.node(pair->value));
      if (!done) return done.error();
    }
    return std::move(settings_);
  }

 private:
  base::Result<void> read_section(const yaml_node_t& name, const yaml_node_t& section) {
    if (!is_text(name) || (section.type != YAML_MAPPING_NODE && !is_empty(section))) {
      return problem(path_, line_of(name), "expected a section with settings");
    }
    if (is_empty(section)) return {};
    const auto& pairs = section.data.mapping.pairs;
    for (auto* pair = pairs.start; pair < pairs.top; ++pair) {
      const yaml_node_t& key = *document_.node(pair->key);
      const yaml_node_t& value = *document_.node(pair->value);
      if (!is_text(key) || !is_text(value)) {
        return problem(path_, line_of(key), "expected a setting with one value");
      }
      if (!known_.emplace(text_of(name), text_of(key)).second) {
        return problem(path_, line_of(key), "'" + text_of(key) + "' appears twice");
      }
      settings_.push_back({text_of(name), text_of(key), text_of(value), line_of(key)});
    }
    return {};
  }

  Document& document_;
  const std::string& path_;
  std::vector<YamlSetting> settings_;
  std::set<std::pair<std::string, std::string>> known_;
};

}  // namespace

base::Result<std::vector<YamlSetting>> yaml_settings(const std::string& text,
                                                     const std::string& path) {
  Document document(text);
  if (!document.loaded()) return problem(path, document.line(), document.why());
  return Reader(document, path).read();
}

}  // namespace batchscope::exporter
