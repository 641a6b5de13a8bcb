#include "communicating_names.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "batchscope/base/strings.hpp"
#include "name_words.hpp"

namespace batchscope::attribution {
namespace {

using base::contains_any_text;
using base::contains_text;

// Libraries and engines, as names hold them in small letters.
constexpr std::array<std::string_view, 19> kLibraries{
    "nccl",         "rccl",      "oneccl",      "xccl",       "hccl_",
    "hcom_",        "cncl",      "c10d::",      "symm_mem",   "record_param_comms",
    "nvshmem",      "rocshmem",  "msccl",       "deep_ep",    "cross_device_reduce",
    "_custom_ar::", "multimem_", "quickreduce", "userbuffers"};

constexpr std::array<std::string_view, 10> kCollectives{
    "all_reduce",    "allreduce",  "all_gather", "allgather", "reduce_scatter",
    "reducescatter", "all_to_all", "alltoall",   "all2all",   "collective_permute"};

// What threads of one kernel do among themselves is called so, too.
constexpr std::array<std::string_view, 7> kWithinAKernel{"warp", "block", "thread", "lane",
                                                         "tile", "wave",  "cluster"};

// Of a stream that communicates these communicate too.
constexpr std::array<std::string_view, 11> kPerhaps{"reduce",   "gather",   "scatter", "broadcast",
                                                    "barrier",  "dispatch", "combine", "signal",
                                                    "exchange", "send",     "recv"};

// "<built-in method all_reduce of PyCapsule object at 0x1>" stands in brackets as a whole.
std::string reported_by(std::string_view name) {
  return name.starts_with('<') ? std::string(name) : outside_brackets(name);
}

bool is_within_a_kernel(std::string_view before) {
  while (before.ends_with('_')) before.remove_suffix(1);
  return std::any_of(kWithinAKernel.begin(), kWithinAKernel.end(),
                     [&](std::string_view word) { return before.ends_with(word); });
}

bool names_a_collective(std::string_view name, std::string_view plain) {
  return std::any_of(kCollectives.begin(), kCollectives.end(), [&](std::string_view word) {
    const size_t at = plain.find(word);
    return at != std::string_view::npos && begins_word(name, at) &&
           !is_within_a_kernel(plain.substr(0, at));
  });
}

// A compiler names its kernels after all that they are made of, and FSDP's operators put together
// what is then sent.
bool only_prepares(std::string_view plain) {
  const bool is_fused = plain.starts_with("triton_") && contains_text(plain, "_fused_");
  return is_fused || contains_text(plain, "copy_in") || contains_text(plain, "copy_out");
}

}  // namespace

bool names_communication(std::string_view name) {
  const std::string reported = reported_by(name);
  const std::string plain = folded(reported);
  if (only_prepares(plain)) return false;
  return contains_any_text(plain, kLibraries) || names_a_collective(reported, plain);
}

bool may_communicate(std::string_view kernel) {
  return contains_any_text(folded(outside_brackets(kernel)), kPerhaps);
}

}  // namespace batchscope::attribution
