#include "errors.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "batchscope/base/strings.hpp"

namespace batchscope::openvino_plugin {
namespace {

constexpr size_t kLongest = 400;

bool is_position(std::string_view line) {
  return line.starts_with("Exception from ") || line.starts_with("Check '");
}

bool speaks_of_memory(std::string_view what) {
  constexpr std::array<std::string_view, 8> kPhrases{"bad_alloc",
                                                     "out of memory",
                                                     "ot enough memory",
                                                     "ailed to allocate",
                                                     "annot allocate memory",
                                                     "CL_MEM_OBJECT_ALLOCATION_FAILURE",
                                                     "CL_OUT_OF_RESOURCES",
                                                     "Exceeded max size of memory"};
  return std::any_of(kPhrases.begin(), kPhrases.end(), [&](std::string_view phrase) {
    return what.find(phrase) != std::string_view::npos;
  });
}

// Its plugin for GPUs names itself, or the OpenCL call that failed.
bool is_of_gpu(std::string_view what) {
  return what.find("[GPU]") != std::string_view::npos || what.find("CL_") != std::string_view::npos;
}

// No limit holds a device's memory that could be raised.
const char* fix_of_memory(bool of_gpu) {
  return of_gpu
             ? "use a smaller batch size or a shorter sequence, or end what else takes memory of "
               "the device"
             : "use a smaller batch size or a shorter sequence, or raise --memory-limit";
}

}  // namespace

std::string useful_message(std::string_view what) {
  std::string message, last;
  for (const std::string_view each : base::split(what, '\n')) {
    const std::string_view line = base::trim(each);
    if (line.empty()) continue;
    last = line;
    if (is_position(line)) continue;
    message += (message.empty() ? "" : " ") + std::string(line);
  }
  if (message.empty()) message = last.empty() ? "OpenVINO gave no reason" : last;
  if (message.size() > kLongest) message = message.substr(0, kLongest) + "...";
  return message;
}

base::Error to_error(const std::exception_ptr& thrown, base::ErrorKind kind, std::string where,
                     std::string fix) {
  std::string what = "something was thrown that is not a std::exception";
  bool memory = false, of_gpu = false;
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    what = "the host has no memory left";
    memory = true;
  } catch (const std::exception& e) {
    what = useful_message(e.what());
    of_gpu = is_of_gpu(e.what());
    memory = speaks_of_memory(e.what());
  } catch (...) {
  }
  if (memory) {
    return {base::ErrorKind::out_of_memory, std::move(what), std::move(where),
            fix_of_memory(of_gpu)};
  }
  return {kind, std::move(what), std::move(where), std::move(fix)};
}

}  // namespace batchscope::openvino_plugin
