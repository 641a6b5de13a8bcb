// Writes the documents that follow from the tables of fields, of configurations and of run files.
//
//   publish_schemas docs/reference/schema

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "published.hpp"

namespace {

bool write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) std::cerr << "cannot write " << path << "\n";
  return !file.fail();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: publish_schemas FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  using namespace batchscope::schema;
  const bool both = write(folder / "configuration.schema.json", configuration_json_schema()) &&
                    write(folder / "run-file.schema.json", run_file_json_schema());
  return both ? 0 : 1;
}
