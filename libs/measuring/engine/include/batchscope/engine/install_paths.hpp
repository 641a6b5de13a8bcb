#pragma once

#include <filesystem>
#include <vector>

namespace batchscope::engine {

// Where plugins and stored models lie. The program says it; nothing here looks for itself, so that
// another program, or a module of Python, keeps them where it likes.
struct InstallPaths {
  std::vector<std::filesystem::path>
      plugins;                                // folders of libbatchscope_<name>.so, first one first
  std::vector<std::filesystem::path> models;  // folders that hold a folder a model
};

// Those of an installation or a build tree that has this program: ../lib/batchscope/plugins and
// ../lib beside it; ../share/batchscope/models, and models/ of the source folder it was built in.
inline InstallPaths places_beside(const std::filesystem::path& program) {
  const std::filesystem::path prefix = program.parent_path().parent_path();
  const std::filesystem::path source = prefix.parent_path().parent_path();  // of build/<preset>/bin
  return {{prefix / "lib" / "batchscope" / "plugins", prefix / "lib"},
          {prefix / "share" / "batchscope" / "models", source / "models"}};
}

}  // namespace batchscope::engine
