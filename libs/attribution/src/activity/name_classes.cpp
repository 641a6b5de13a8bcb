#include "name_classes.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "batchscope/base/strings.hpp"

namespace batchscope::attribution {
namespace {

using base::contains_any_text;
using base::contains_text;
std::string folded(std::string_view text) {
  std::string result = base::to_lower(text);
  for (char& c : result) c = c == ' ' || c == '-' ? '_' : c;
  return result;
}

// PyTorch's own range is enumerate(DataLoader)#..., tf.data's operator IteratorGetNext; the others
// are what people name theirs.
constexpr std::array<std::string_view, 11> kLoading{
    "dataloader", "data_load",  "load_data", "load_batch",    "next_batch",     "get_batch",
    "fetch_data", "data_fetch", "data_wait", "wait_for_data", "iteratorgetnext"};

bool is_loader_function(std::string_view name) {
  if (!contains_text(name, "torch/utils/data/dataloader.py")) return false;
  return name.ends_with(": __next__") || name.ends_with(": _next_data") ||
         name.ends_with(": __iter__") || name.ends_with(": _get_iterator");
}

// CUDA's and HIP's names, as cudaX, cuX, hipX.
bool is_runtime_name(std::string_view name) {
  return name.starts_with("cu") || name.starts_with("hip") || contains_text(name, "Synchronize");
}

constexpr std::array<std::string_view, 8> kAllocating{
    "Malloc", "Free", "HostAlloc", "MemAlloc", "MemMap", "MemUnmap", "MemCreate", "HostRegister"};

constexpr std::array<std::string_view, 7> kCommunicating{
    "nccl", "rccl", "oneccl", "hccl_", "c10d::", "record_param_comms", "nvshmem"};

}  // namespace

NameClass class_of(std::string_view name) {
  NameClass result;
  const std::string plain = folded(name);
  result.loads_data = contains_any_text(plain, kLoading) && !name.ends_with(')');
  result.loads_data_in_python = is_loader_function(name);
  result.communicates = contains_any_text(plain, kCommunicating);
  result.is_recorded_step = name.starts_with("ProfilerStep#");
  if (!is_runtime_name(name)) return result;
  const bool asynchronous = contains_text(name, "Async");
  result.copies = contains_text(name, "Memcpy");
  result.launches = contains_text(name, "Launch");
  result.allocates = !asynchronous && contains_any_text(name, kAllocating);
  result.waits = contains_text(name, "Synchronize") || (result.copies && !asynchronous);
  return result;
}

std::vector<NameClass> classes_of(const std::vector<std::string>& names) {
  std::vector<NameClass> classes;
  classes.reserve(names.size());
  for (const std::string& name : names) classes.push_back(class_of(name));
  return classes;
}

}  // namespace batchscope::attribution
