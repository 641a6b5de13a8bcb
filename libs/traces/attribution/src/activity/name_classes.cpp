#include "name_classes.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "batchscope/attribution/attribution.hpp"
#include "batchscope/base/strings.hpp"
#include "communicating_names.hpp"
#include "name_words.hpp"

namespace batchscope::attribution {
namespace {

using base::contains_any_text;
using base::contains_text;

// PyTorch's own range is enumerate(DataLoader)#..., tf.data's operator IteratorGetNext; the others
// are what people name theirs.
constexpr std::array<std::string_view, 17> kLoading{
    "dataloader", "data_load",  "load_data", "load_batch",    "next_batch",      "get_batch",
    "fetch_data", "data_fetch", "data_wait", "wait_for_data", "iteratorgetnext", "prefetch",
    "loadbatch",  "nextbatch",  "getbatch",  "fetchdata",     "loaddata"};

// `plain`: the name as folded() has it.
bool names_loading(std::string_view name, std::string_view plain) {
  for (const char* const other :
       {"batch_norm", "batchnorm", "batch_size", "batch_loss", "parallel"}) {
    if (contains_text(plain, other)) return false;
  }
  return std::any_of(kLoading.begin(), kLoading.end(), [&](std::string_view word) {
    const size_t at = plain.find(word);
    return at != std::string_view::npos && begins_word(name, at);
  });
}

bool is_loader_function(std::string_view name) {
  if (!contains_text(name, "torch/utils/data/dataloader.py")) return false;
  return name.ends_with(": __next__") || name.ends_with(": _next_data") ||
         name.ends_with(": __iter__") || name.ends_with(": _get_iterator");
}

// Those of CUDA (cudaX, cuX), HIP, XPU (urX, zeX), MTIA (enqueueCommand ..., runFunction ...) and
// others.
constexpr std::array<std::string_view, 9> kRuntimes{
    "cu", "hip", "ur", "ze", "acl", "musa", "mtia", "enqueueCommand", "runFunction"};

constexpr std::array<std::string_view, 2> kSynchronising{"Synchronize", "synchronize"};

bool is_runtime_name(std::string_view name) {
  return contains_any_text(name, kSynchronising) ||
         std::any_of(kRuntimes.begin(), kRuntimes.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

// They return once the device got somewhere, or are asked again and again until it did.
constexpr std::array<std::string_view, 7> kWaiting{"Synchronize",  "synchronize", "EventQuery",
                                                   "StreamQuery",  "EventWait",   "QueueFinish",
                                                   "EventHostSync"};

bool waits_for_device(std::string_view name) {
  return contains_any_text(name, kWaiting) && !contains_text(name, "EnqueueEventsWait");
}

constexpr std::array<std::string_view, 8> kAllocating{
    "Malloc", "Free", "HostAlloc", "MemAlloc", "MemMap", "MemUnmap", "MemCreate", "HostRegister"};

}  // namespace

bool is_recorded_step(std::string_view name) {
  return name.starts_with("ProfilerStep#");
}

NameClass class_of(std::string_view name) {
  NameClass result;
  const std::string plain = folded(name);
  result.loads_data = names_loading(name, plain) && !name.ends_with(')');
  result.loads_data_in_python = is_loader_function(name);
  result.communicates = names_communication(name);
  result.is_recorded_step = is_recorded_step(name);
  if (!is_runtime_name(name)) return result;
  const bool asynchronous = contains_text(name, "Async");
  result.copies = contains_text(name, "Memcpy") || contains_text(name, "memcpy");
  result.launches = contains_text(name, "Launch") || contains_text(name, "runFunction");
  result.allocates = !asynchronous && contains_any_text(name, kAllocating);
  result.waits = waits_for_device(name) || (result.copies && !asynchronous);
  return result;
}

std::vector<NameClass> classes_of(const std::vector<std::string>& names) {
  std::vector<NameClass> classes;
  classes.reserve(names.size());
  for (const std::string& name : names) classes.push_back(class_of(name));
  return classes;
}

}  // namespace batchscope::attribution
