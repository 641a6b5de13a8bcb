#pragma once

#include <string>

namespace batchscope::schema {

// The JSON Schema of a line of a run file, as docs/reference/schema/run-file.schema.json has it,
// made of the tables of fields that the file is read and written by.
std::string run_file_json_schema();

}  // namespace batchscope::schema
