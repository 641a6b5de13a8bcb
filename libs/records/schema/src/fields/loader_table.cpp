#include <array>

#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::schema {
namespace {

constexpr FieldRules kTime = {.least = 0, .most = kLongestNs};

}  // namespace

template <>
const Table& table_of<LoopTime>() {
  static constexpr std::array kFields = {
      field<&LoopTime::step_ns>("step_ns", kTime),
      field<&LoopTime::iteration_ns>("iteration_ns",
                                     {.required = true, .least = 1, .most = kLongestNs}),
      field<&LoopTime::wait_ns>("wait_ns", kTime),
      field<&LoopTime::batches>("batches", {.least = 1, .most = kLargestNumber})};
  static constexpr Table kTable{kFields, "The mean iteration beside a step of another length."};
  return kTable;
}

template <>
const Table& table_of<WorkerMemory>() {
  static constexpr std::array kFields = {
      field<&WorkerMemory::pss_bytes>("pss_bytes", {.least = 0}),
      field<&WorkerMemory::private_dirty_bytes>("private_dirty_bytes", {.least = 0})};
  static constexpr Table kTable{kFields, "Of one worker process, without its shared batches."};
  return kTable;
}

template <>
const Table& table_of<BatchCopies>() {
  static constexpr std::array kFields = {field<&BatchCopies::pin_ns>("pin_ns", kTime),
                                         field<&BatchCopies::pageable_ns>("pageable_ns", kTime),
                                         field<&BatchCopies::pinned_ns>("pinned_ns", kTime)};
  static constexpr Table kTable{kFields, "Of one batch to the device, each timed by itself."};
  return kTable;
}

template <>
const Table& table_of<LoaderFacts>() {
  static constexpr std::array kFields = {
      field<&LoaderFacts::samples>("samples", {.least = 0, .description = "of an epoch"}),
      field<&LoaderFacts::batch_bytes>("batch_bytes", {.least = 0}),
      field<&LoaderFacts::first_batch_ns>("first_batch_ns", kTime),
      field<&LoaderFacts::new_epoch_ns>("new_epoch_ns", kTime),
      field<&LoaderFacts::handover_ns>("handover_ns", kTime),
      field<&LoaderFacts::fetch_ns>("fetch_ns", kTime),
      field<&LoaderFacts::collate_ns>("collate_ns", kTime),
      field<&LoaderFacts::typical_ns>("typical_ns", kTime),
      field<&LoaderFacts::slow_ns>("slow_ns", kTime),
      field<&LoaderFacts::cpu_ns>("cpu_ns", kTime),
      field<&LoaderFacts::copies>("copies"),
      field<&LoaderFacts::memory_begun>("memory_begun", {.omit = Omit::empty}),
      field<&LoaderFacts::memory_ended>("memory_ended", {.omit = Omit::empty}),
      field<&LoaderFacts::epoch_share>("epoch_share"),
      field<&LoaderFacts::step_ns>("step_ns", kTime),
      field<&LoaderFacts::other_steps>("other_steps", {.omit = Omit::empty})};
  static constexpr Table kTable{kFields, "Times of a batch, and of the workers of a DataLoader."};
  return kTable;
}

}  // namespace batchscope::schema
