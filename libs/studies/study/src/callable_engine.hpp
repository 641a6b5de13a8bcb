#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "batchscope/engine/engine.hpp"
#include "batchscope/ranges/profiler.hpp"

namespace batchscope::study {

// A function as a model.
struct Callable {
  std::string name;
  std::string device;
  std::function<void(int64_t batch_size)> prepare;  // may be empty
  std::function<void(int64_t batch_size, ranges::Profiler& profiler)> run;
  ranges::DeviceClock* device_clock = nullptr;
};

// An engine with the callable as its only model, on the steady clock. What the callable throws
// becomes an error of Model::prepare or Model::run: out_of_memory for std::bad_alloc, else failed.
// `callable` outlives the engine.
std::unique_ptr<engine::Engine> make_callable_engine(const Callable& callable);

}  // namespace batchscope::study
