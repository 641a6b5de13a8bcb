#include "testing/machines/fixture_root.hpp"

#include <stdlib.h>

#include <fstream>
#include <stdexcept>

namespace batchscope::host {
namespace {

// In memory where that can be had: a fixture has hundreds of files, which a disk makes slow.
std::filesystem::path new_folder() {
  for (const std::filesystem::path& parent :
       {std::filesystem::path("/dev/shm"), std::filesystem::temp_directory_path()}) {
    std::string name = (parent / "batchscope-device-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) return name;
  }
  throw std::runtime_error("no temporary folder");
}

std::string block(std::istream& lines) {
  std::string text;
  for (std::string line; std::getline(lines, line) && line != ">>";) text += line + '\n';
  return text;
}

}  // namespace

FixtureRoot::FixtureRoot() : folder_(new_folder()), root_(folder_) {}

FixtureRoot::FixtureRoot(const std::string& name) : FixtureRoot() {
  load(name);
}

FixtureRoot::~FixtureRoot() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void FixtureRoot::load(const std::string& name) {
  std::ifstream lines(std::filesystem::path(FIXTURES) / (name + ".tree"));
  if (!lines) throw std::runtime_error("no fixture " + name);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.ends_with(" <<")) {
      write(line.substr(0, line.size() - 3), block(lines));
      continue;
    }
    const size_t equals = line.find(" =");
    if (equals == std::string::npos) throw std::runtime_error("bad line in " + name + ": " + line);
    const std::string text = line.substr(equals + 2);
    write(line.substr(0, equals), text.substr(text.empty() ? 0 : 1) + '\n');
  }
}

void FixtureRoot::write(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path real = root_.resolve(path);
  std::filesystem::create_directories(real.parent_path());
  std::ofstream(real) << text;
}

void FixtureRoot::remove(const std::filesystem::path& path) {
  std::filesystem::remove_all(root_.resolve(path));
}

}  // namespace batchscope::host
