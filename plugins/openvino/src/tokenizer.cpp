#include "tokenizer.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <openvino/openvino.hpp>
#include <system_error>

#include "batchscope/base/characters.hpp"
#include "errors.hpp"
#include "thread_team.hpp"
#include "tokenizer_model.hpp"

namespace batchscope::openvino_plugin {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
namespace fs = std::filesystem;
using Rows = std::vector<std::vector<int32_t>>;

constexpr const char* kLibrary = "libopenvino_tokenizers.so";

// Where the loader found OpenVINO itself.
fs::path openvino_folder() {
  Dl_info info{};
  const auto* const somewhere = reinterpret_cast<const void*>(&ov::get_openvino_version);
  if (dladdr(somewhere, &info) == 0 || info.dli_fname == nullptr) return {};
  return fs::path(info.dli_fname).parent_path();
}

std::vector<fs::path> library_places() {
  if (const char* chosen = std::getenv("BATCHSCOPE_OPENVINO_TOKENIZERS")) return {chosen};
  const fs::path libs = openvino_folder();
  return {libs.parent_path().parent_path() / "openvino_tokenizers" / "lib" / kLibrary,
          libs / kLibrary};
}

ov::AnyMap compile_options(int threads) {
  return {ov::num_streams(threads), ov::inference_num_threads(threads),
          ov::hint::enable_cpu_pinning(false)};
}

// The rows of ids of these texts, or false where OpenVINO gives another number of rows: texts that
// have no token of their own come back as a single row when there is nothing else in the batch.
bool tokenize_together(ov::InferRequest& request, std::span<const std::string_view> texts,
                       std::span<std::vector<int32_t>> rows) {
  ov::Tensor input(ov::element::string, {texts.size()});
  std::copy(texts.begin(), texts.end(), input.data<std::string>());
  request.set_input_tensor(input);
  request.infer();
  const ov::Tensor ids = request.get_tensor("input_ids");
  const ov::Tensor mask = request.get_tensor("attention_mask");
  if (ids.get_shape().at(0) != rows.size()) return false;
  const std::size_t width = ids.get_shape().at(1);
  const auto* id = ids.data<const int64_t>();
  const auto* kept = mask.data<const int64_t>();
  for (std::vector<int32_t>& row : rows) {
    row.reserve(width);
    for (std::size_t i = 0; i < width; ++i, ++id, ++kept) {
      if (*kept != 0) row.push_back(static_cast<int32_t>(*id));
    }
  }
  return true;
}

// One part of a call: the texts in, the rows of ids out.
Result<void> tokenize_part(ov::InferRequest& request, std::span<const std::string_view> texts,
                           std::span<std::vector<int32_t>> rows) {
  if (tokenize_together(request, texts, rows)) return {};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (tokenize_together(request, texts.subspan(i, 1), rows.subspan(i, 1))) continue;
    return Error{ErrorKind::failed, "the tokenizer returned no row of tokens",
                 "text " + std::to_string(i + 1), "remove this text"};
  }
  return {};
}

class OpenvinoTokenizer final : public engine::Tokenizer {
 public:
  OpenvinoTokenizer(const TokenizerModel& read, ov::Core core, std::string path, int threads)
      : facts_(read.facts),
        path_(std::move(path)),
        core_(std::move(core)),
        compiled_(core_.compile_model(read.model, "CPU", compile_options(threads))),
        team_(threads) {
    for (int i = 0; i < threads; ++i) requests_.push_back(compiled_.create_infer_request());
  }

  const engine::TokenizerFacts& facts() const override { return facts_; }

  Result<Rows> tokenize(std::span<const std::string_view> texts) override {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (base::first_not_utf8(texts[i])) {
        return Error{ErrorKind::input, "is not UTF-8", "text " + std::to_string(i + 1),
                     "convert it: iconv -t UTF-8"};
      }
    }
    const auto parts = split_by_bytes(texts, team_.size());
    Rows rows(texts.size());
    std::vector<Result<void>> done(parts.size());
    team_.run(static_cast<int>(parts.size()), [&](int index) {
      const auto part = static_cast<std::size_t>(index);
      const std::size_t first = parts[part].first, count = parts[part].second - first;
      done[part] = guarded(ErrorKind::failed, path_, "", [&] {
        return tokenize_part(requests_[part], texts.subspan(first, count),
                             std::span(rows).subspan(first, count));
      });
    });
    for (const Result<void>& part : done) {
      if (!part) return part.error();
    }
    return rows;
  }

 private:
  engine::TokenizerFacts facts_;
  std::string path_;
  ov::Core core_;  // holds the library of operations
  ov::CompiledModel compiled_;
  std::vector<ov::InferRequest> requests_;  // one for each thread
  ThreadTeam team_;
};

}  // namespace

Result<fs::path> find_tokenizers_library() {
  std::string looked;
  for (const fs::path& place : library_places()) {
    std::error_code ignored;
    if (fs::is_regular_file(place, ignored)) return place;
    looked += (looked.empty() ? "searched " : ", ") + place.string();
  }
  return Error{ErrorKind::failed, "OpenVINO's tokenizer operations are not installed", looked,
               "run ./dev models (or pip install openvino-tokenizers in openvino's version), or "
               "set BATCHSCOPE_OPENVINO_TOKENIZERS to the library"};
}

std::vector<std::pair<std::size_t, std::size_t>> split_by_bytes(
    std::span<const std::string_view> texts, int parts) {
  // A text costs something even when it is empty.
  constexpr std::size_t kEach = 16;
  std::size_t all = 0;
  for (const std::string_view text : texts) all += text.size() + kEach;
  std::vector<std::pair<std::size_t, std::size_t>> split;
  std::size_t first = 0, bytes = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    bytes += texts[i].size() + kEach;
    const std::size_t due = all * (split.size() + 1) / static_cast<std::size_t>(parts);
    if (bytes < due && i + 1 < texts.size()) continue;
    split.emplace_back(first, i + 1);
    first = i + 1;
  }
  return split;
}

Result<std::unique_ptr<engine::Tokenizer>> load_tokenizer(const engine::TokenizerSpec& spec) {
  using Loaded = Result<std::unique_ptr<engine::Tokenizer>>;
  if (spec.threads < 1) {
    return Error{ErrorKind::usage, "a tokenizer needs at least 1 thread", spec.path, ""};
  }
  const auto library = find_tokenizers_library();
  if (!library) return library.error();
  return guarded(ErrorKind::failed, spec.path, "", [&]() -> Loaded {
    ov::Core core;
    core.add_extension(*library);
    const auto read = read_tokenizer(core, spec);
    if (!read) return read.error();
    return Loaded(
        std::make_unique<OpenvinoTokenizer>(*read, std::move(core), spec.path, spec.threads));
  });
}

}  // namespace batchscope::openvino_plugin
