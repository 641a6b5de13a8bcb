#include "batchscope/engine/tokenizer.hpp"

#include <algorithm>

#include "plugin_library.hpp"

namespace batchscope::engine {

base::Result<std::unique_ptr<Tokenizer>> load_tokenizer(const TokenizerSpec& spec,
                                                        const InstallPaths& places) {
  const auto& engines = own_engines();
  const auto tokenizing = std::find_if(engines.begin(), engines.end(),
                                       [](const auto& engine) { return engine.tokenizes; });
  const auto library = open_plugin(tokenizing == engines.end() ? "" : tokenizing->name, places);
  if (!library) return library.error();
  auto* load = library->find<TokenizerEntry>(kTokenizerEntry);
  base::Result<std::unique_ptr<Tokenizer>> loaded(
      base::Error{base::ErrorKind::failed, "the plugin has no tokenizers", library->path.string(),
                  "rebuild the plugin together with the program"});
  if (load != nullptr) load(spec, loaded);
  return loaded;
}

}  // namespace batchscope::engine
