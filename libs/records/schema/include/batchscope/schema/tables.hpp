#pragma once

#include "batchscope/base/result.hpp"
#include "batchscope/schema/fields.hpp"
#include "batchscope/schema/run_file.hpp"

// What has a table of fields in a run file. They stand in src/fields/, those of axes in src/axes/.
namespace batchscope::schema {

// A configuration with the number that visits and events call it by.
struct ConfigRecord {
  int index = 0;
  RunConfig config{};
};

// The same of a node, that placements call it by.
struct NodeRecord {
  int index = 0;
  Node node{};
};

// The lines of a run file.
template <>
const Table& table_of<Header>();
template <>
const Table& table_of<ConfigRecord>();
template <>
const Table& table_of<Visit>();
template <>
const Table& table_of<Event>();
template <>
const Table& table_of<OutputDifference>();
template <>
const Table& table_of<Probe>();
template <>
const Table& table_of<NodeRecord>();
template <>
const Table& table_of<Placement>();
template <>
const Table& table_of<End>();

// What processes of the program tell each other.
template <>
const Table& table_of<base::Error>();

// Parts of the header.
template <>
const Table& table_of<Machine>();
template <>
const Table& table_of<ModelInfo>();
template <>
const Table& table_of<MeasurementPlan>();
// Texts among the axes of the header.
template <>
const Table& table_of<TuneSettings>();
template <>
const Table& table_of<MaxBatchSettings>();

// A configuration without its number, and its parts.
template <>
const Table& table_of<RunConfig>();
template <>
const Table& table_of<Loader>();
template <>
const Table& table_of<TextPipeline>();

// Parts of a visit.
template <>
const Table& table_of<Phase>();
template <>
const Table& table_of<Memory>();
template <>
const Table& table_of<Collections>();
template <>
const Table& table_of<Compilation>();
template <>
const Table& table_of<LoaderFacts>();
template <>
const Table& table_of<LoopTime>();
template <>
const Table& table_of<WorkerMemory>();
template <>
const Table& table_of<BatchCopies>();
template <>
const Table& table_of<Usage>();
template <>
const Table& table_of<Fitness>();
template <>
const Table& table_of<Tokens>();
template <>
const Table& table_of<Diagnosis>();
template <>
const Table& table_of<Operation>();
template <>
const Table& table_of<Primitive>();

}  // namespace batchscope::schema
