#include "serving.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "batchscope/base/memory_words.hpp"
#include "batchscope/serving/batcher.hpp"

namespace batchscope::python {
namespace {

using base::Result;

// An object that threads without the interpreter's lock may move and drop.
class Held {
 public:
  Held() = default;
  explicit Held(nb::object object) : object_(object.release().ptr()) {}
  Held(Held&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Held& operator=(Held&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    // An interpreter that ends takes its objects along.
    if (object_ == nullptr || Py_IsInitialized() == 0) return;
    nb::gil_scoped_acquire lock;
    Py_DECREF(object_);
  }
  nb::handle get() const { return object_; }

 private:
  PyObject* object_ = nullptr;
};

base::Nanoseconds from_seconds(double seconds) {
  return std::chrono::duration_cast<base::Nanoseconds>(std::chrono::duration<double>(seconds));
}

// With a budget of tokens batches are formed by it; else up to max_batch, at once or after a delay.
std::shared_ptr<const serving::Policy> policy_of(int64_t max_batch, double max_delay_s,
                                                 std::optional<int64_t> max_cost) {
  const base::Nanoseconds delay = from_seconds(max_delay_s);
  if (max_cost) {
    return serving::make_policy(
        serving::TokenBudget{.max_tokens = *max_cost, .max_batch = max_batch, .max_delay = delay});
  }
  if (max_delay_s > 0) {
    return serving::make_policy(serving::FixedTimeout{.max_batch = max_batch, .max_delay = delay});
  }
  return serving::make_policy(serving::TakeAll{.max_batch = max_batch});
}

class PyBatcher {
 public:
  PyBatcher(nb::object run, int64_t max_batch, double max_delay_s, std::optional<int64_t> max_cost,
            int instances, size_t capacity, bool reject)
      : run_(std::make_shared<Held>(std::move(run))) {
    serving::BatcherOptions options;
    options.policy = policy_of(max_batch, max_delay_s, max_cost);
    options.instances = instances;
    options.capacity = capacity;
    options.when_full = reject ? serving::WhenFull::reject : serving::WhenFull::block;
    batcher_ = std::make_unique<Batcher>(
        [run = run_](std::span<const Held> requests, int instance) {
          return run_batch(*run, requests, instance);
        },
        std::move(options));
  }
  ~PyBatcher() { shut_down(true); }

  // done(response, None) or done(None, (reason, message)), once.
  uint64_t submit(nb::object request, nb::object done, int64_t cost,
                  std::optional<double> timeout_s) {
    serving::SubmitOptions options{.tokens = cost};
    if (timeout_s) options.timeout = from_seconds(*timeout_s);
    auto tell = std::make_shared<Held>(std::move(done));
    Held held(std::move(request));
    nb::gil_scoped_release unlocked;  // it may wait for room
    return batcher_->submit(
        std::move(held),
        [tell](serving::ResponseFuture<Held> answer) { answered(*tell, std::move(answer)); },
        options);
  }
  bool cancel(uint64_t id) {
    nb::gil_scoped_release unlocked;
    return batcher_->cancel(id);
  }
  void shut_down(bool run_pending) {
    nb::gil_scoped_release unlocked;
    batcher_->shut_down(run_pending ? serving::Pending::run : serving::Pending::refuse);
  }
  // For the garbage collector: the function that runs batches may lead back here.
  nb::handle function() const { return run_->get(); }
  void let_go() {
    shut_down(false);
    *run_ = Held();
  }
  nb::dict counters() const {
    const serving::BatcherCounters now = batcher_->counters();
    nb::dict counts;
    counts["submitted"] = now.submitted;
    counts["responses"] = now.responses;
    counts["failed"] = now.failed;
    counts["out_of_memory"] = now.out_of_memory;
    counts["deadline"] = now.deadline;
    counts["cancelled"] = now.cancelled;
    counts["queue_full"] = now.queue_full;
    counts["shut_down"] = now.shut_down;
    counts["waiting"] = now.waiting;
    counts["running"] = now.running;
    counts["batches"] = now.batches;
    nb::dict sizes;
    for (const auto& [size, runs] : now.batch_sizes) sizes[nb::int_(size)] = nb::int_(runs);
    counts["batch_sizes"] = sizes;
    return counts;
  }

 private:
  using Batcher = serving::Batcher<Held, Held>;

  static Result<std::vector<Held>> run_batch(const Held& run, std::span<const Held> requests,
                                             int instance) {
    nb::gil_scoped_acquire lock;
    return guarded([&]() -> Result<std::vector<Held>> {
      nb::list given;
      for (const Held& each : requests) given.append(each.get());
      const nb::object reported = run.get()(given, instance);
      std::vector<Held> responses;
      for (nb::handle each : nb::iter(reported)) responses.emplace_back(nb::borrow(each));
      return responses;
    });
  }

  static void answered(const Held& tell, serving::ResponseFuture<Held> answer) {
    nb::gil_scoped_acquire lock;
    try {
      if (answer) {
        tell.get()(answer.value().get(), nb::none());
        return;
      }
      const serving::Failure& failure = answer.failure();
      tell.get()(nb::none(),
                 nb::make_tuple(std::string(to_string(failure.reason)), failure.message));
    } catch (nb::python_error& raised) {
      raised.discard_as_unraisable("a batcher's answer");
    }
  }

  std::shared_ptr<Held> run_;
  std::unique_ptr<Batcher> batcher_;
};

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<PyBatcher>(self)->function().ptr());
  return 0;
}

int clear(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<PyBatcher>(self)->let_go();
  return 0;
}

PyType_Slot kCollected[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                            {Py_tp_clear, reinterpret_cast<void*>(clear)},
                            {0, nullptr}};

const char* memory_lack(const std::string& words) {
  switch (base::read_memory_words(words).lack) {
    case base::MemoryLack::none:
      return "none";
    case base::MemoryLack::perhaps:
      return "perhaps";
    case base::MemoryLack::host:
      return "host";
    case base::MemoryLack::device:
      return "device";
  }
  return "none";
}

}  // namespace

void add_serving(nb::module_& module) {
  module.def("memory_lack", memory_lack, nb::arg("words"));

  nb::class_<PyBatcher>(module, "Batcher", nb::type_slots(kCollected))
      .def(nb::init<nb::object, int64_t, double, std::optional<int64_t>, int, size_t, bool>(),
           nb::arg("run"), nb::arg("max_batch"), nb::arg("max_delay_s"), nb::arg("max_cost").none(),
           nb::arg("instances"), nb::arg("capacity"), nb::arg("reject"))
      .def("submit", &PyBatcher::submit, nb::arg("request").none(), nb::arg("done"),
           nb::arg("cost"), nb::arg("timeout_s").none())
      .def("cancel", &PyBatcher::cancel)
      .def("shut_down", &PyBatcher::shut_down, nb::arg("run_pending"))
      .def("counters", &PyBatcher::counters);
}

}  // namespace batchscope::python
