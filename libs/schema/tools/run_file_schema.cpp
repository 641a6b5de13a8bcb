// Prints docs/reference/schema/run-file.schema.json from the tables of fields.
//
//   run_file_schema > docs/reference/schema/run-file.schema.json

#include <cstdio>

#include "batchscope/schema/published.hpp"

int main() {
  std::fputs(batchscope::schema::run_file_json_schema().c_str(), stdout);
  return 0;
}
