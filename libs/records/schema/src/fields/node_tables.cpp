#include <array>

#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/tables.hpp"

// Of a run that several machines measured.

namespace batchscope::schema {

template <>
const Table& table_of<NodeRecord>() {
  static constexpr std::array kFields = {
      field<&NodeRecord::index>(
          "index",
          {.required = true, .least = 0, .description = "by which place lines refer to it"}),
      field<&NodeRecord::node, &Node::name>(
          "name", {.required = true,
                   .description = "BATCHSCOPE_NODE, SLURMD_NODENAME, else host and boot id"}),
      field<&NodeRecord::node, &Node::machine>("machine"),
      field<&NodeRecord::node, &Node::boot_id>(
          "boot_id", {.omit = Omit::empty, .description = "of this boot of the machine"}),
      field<&NodeRecord::node, &Node::allowed_cpus>(
          "allowed_cpus",
          {.omit = Omit::empty,
           .least = 0,
           .description = "logical CPUs that its blocks may use; absent: not recorded"}),
      field<&NodeRecord::node, &Node::gpu_uuids>(
          "gpu_uuids", {.omit = Omit::empty, .description = "of machine.gpus, in their order"}),
      field<&NodeRecord::node, &Node::versions>(
          "versions", {.omit = Omit::empty, .description = "as in the header, of this machine"})};
  static constexpr Table kTable{
      kFields,
      "A machine that measured blocks of the run; precedes its first place. One whose driver or "
      "allowed CPUs changed between two blocks has two lines of one name."};
  return kTable;
}

template <>
const Table& table_of<Placement>() {
  static constexpr std::array kFields = {
      field<&Placement::block>("block", {.required = true, .least = 0, .most = kLargestNumber}),
      field<&Placement::node>(
          "node", {.required = true, .description = "index of its line", .stated_least = 0}),
      field<&Placement::devices>(
          "devices", {.omit = Omit::empty, .description = "that it used: cpu, UUIDs of GPUs"}),
      field<&Placement::cpus>(
          "cpus", {.omit = Omit::empty, .description = "that it was allowed to use: 0-3,8"}),
      field<&Placement::job>(
          "job", {.omit = Omit::empty,
                  .description = "of the engine that started it: slurm 123_4; absent: none known"}),
      field<&Placement::begin_ns>("begin_ns", {.least = 0, .description = "since 1970, UTC"}),
      field<&Placement::end_ns>("end_ns", {.least = 0, .description = "since 1970, UTC"}),
      field<&Placement::nice>("nice", {.omit = Omit::empty}),
      field<&Placement::lock_wait_s>("lock_wait_s",
                                     {.omit = Omit::empty,
                                      .least = 0,
                                      .most = kMostSeconds,
                                      .description = "for another block to leave the device"}),
      field<&Placement::cpu_quota>(
          "cpu_quota", {.least = 0, .description = "CPUs' worth of time; absent: unlimited"}),
      field<&Placement::restarts>("restarts",
                                  {.omit = Omit::empty,
                                   .least = 0,
                                   .most = kLargestNumber,
                                   .description = "how often the engine had started it before"})};
  static constexpr Table kTable{
      kFields, "Where and when a block was measured: the node of each visit of that block."};
  return kTable;
}

}  // namespace batchscope::schema
