#pragma once

#include <string>

namespace batchscope::schema {

// The JSON Schema of a line of a run file, as docs/reference/schema/run-file.schema.json has it,
// made of the tables of fields that the file is read and written by.
std::string run_file_json_schema();

// Of a configuration, as docs/reference/schema/configuration.schema.json has it, which all other
// documents refer to.
std::string configuration_json_schema();

}  // namespace batchscope::schema
