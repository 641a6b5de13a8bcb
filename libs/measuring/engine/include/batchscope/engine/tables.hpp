#pragma once

#include "batchscope/engine/engine.hpp"
#include "batchscope/schema/fields.hpp"

// How a model, and which visit it is loaded for, cross from one process to another.
namespace batchscope::schema {

template <>
const Table& table_of<engine::InputSpec>();
template <>
const Table& table_of<engine::ModelSpec>();
template <>
const Table& table_of<engine::VisitContext>();

}  // namespace batchscope::schema
