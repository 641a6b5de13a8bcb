#pragma once

#include "batchscope/schema/run_file.hpp"
#include "json_fields.hpp"

namespace batchscope::schema::former {

// Each reads one line of its type; what is wrong is noted in the fields' problem.
void read_header(const JsonFields& fields, Header& header);
void read_config(const JsonFields& fields, int& index, RunConfig& config);
void read_visit(const JsonFields& fields, Visit& visit);
void read_event(const JsonFields& fields, Event& event);
void read_outputs(const JsonFields& fields, OutputDifference& outputs);
void read_probe(const JsonFields& fields, Probe& probe);
void read_end(const JsonFields& fields, End& end);

}  // namespace batchscope::schema::former
