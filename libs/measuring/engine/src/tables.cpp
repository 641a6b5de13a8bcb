#include "batchscope/engine/tables.hpp"

#include <array>

#include "batchscope/schema/describe.hpp"

namespace batchscope::schema {

template <>
const Table& table_of<engine::Dimension>() {
  using engine::Dimension;
  static constexpr std::array kFields = {
      field<&Dimension::size>("size", {.omit = Omit::empty}),
      field<&Dimension::symbol>("symbol", {.omit = Omit::empty})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<engine::InputSpec>() {
  using engine::InputSpec;
  static constexpr std::array kFields = {
      field<&InputSpec::name>("name", {.required = true}),
      field<&InputSpec::dimensions>("dimensions", {.required = true}),
      field<&InputSpec::dtype>("dtype", {.required = true}),
      field<&InputSpec::constant>("constant"),
      field<&InputSpec::low>("low"),
      field<&InputSpec::high>("high")};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<engine::ModelSpec>() {
  using engine::ModelSpec;
  static constexpr std::array kFields = {field<&ModelSpec::name>("name", {.required = true}),
                                         field<&ModelSpec::path>("path", {.required = true}),
                                         field<&ModelSpec::inputs>("inputs", {.required = true}),
                                         field<&ModelSpec::seed>("seed", {.required = true})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<engine::VisitContext>() {
  using engine::VisitContext;
  static constexpr std::array kFields = {
      field<&VisitContext::seed>("seed", {.required = true}),
      field<&VisitContext::process>("process", {.required = true}),
      field<&VisitContext::number>("number", {.required = true}),
      field<&VisitContext::elapsed_ns>("elapsed_ns", {.required = true}),
      field<&VisitContext::instance>("instance", {.required = true}),
      field<&VisitContext::previous_batch_size>("previous_batch_size", {.required = true})};
  static constexpr Table kTable{kFields};
  return kTable;
}

}  // namespace batchscope::schema
