#include "batchscope/engine/guarded.hpp"

#include <fmt/format.h>

#include <new>

namespace batchscope::engine {
namespace {

using base::MemoryLack;

constexpr size_t kLongest = 400;
constexpr std::string_view kHostFix =
    "use a smaller batch size or a shorter sequence, or raise --memory-limit";

Thrown read(const ExceptionWords& words, const std::exception_ptr& thrown) {
  if (words.read_own != nullptr) {
    if (auto own = words.read_own(thrown)) return *std::move(own);
  }
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    return {"the host is out of memory", MemoryLack::host};
  } catch (const std::exception& e) {
    return {e.what(), MemoryLack::none};
  } catch (...) {
    return {"it threw an unknown exception", MemoryLack::none};
  }
}

std::string message_of(const ExceptionWords& words, std::string_view what) {
  std::string message = shortened(words.useful(what));
  return message.empty() ? fmt::format("{} gave no reason", words.framework) : message;
}

}  // namespace

std::string shortened(std::string message) {
  if (message.size() > kLongest) message = message.substr(0, kLongest) + "...";
  return message;
}

base::Error to_error(const ExceptionWords& words, const std::exception_ptr& thrown,
                     base::ErrorKind kind, std::string where, std::string fix) {
  const Thrown read_thrown = read(words, thrown);
  const MemoryLack lack = read_thrown.lack == MemoryLack::none
                              ? base::read_memory_words(read_thrown.text).lack
                              : read_thrown.lack;
  std::string message = message_of(words, read_thrown.text);
  if (base::is_certain(lack)) {
    return {base::ErrorKind::out_of_memory, std::move(message), std::move(where),
            std::string(lack == MemoryLack::device ? words.device_fix : kHostFix)};
  }
  if (lack == MemoryLack::perhaps) message.append(" ").append(base::kPerhapsMemory);
  if (words.known_fix != nullptr) {
    if (const auto known = words.known_fix(read_thrown.text)) fix = *known;
  }
  return {kind, std::move(message), std::move(where), std::move(fix)};
}

}  // namespace batchscope::engine
