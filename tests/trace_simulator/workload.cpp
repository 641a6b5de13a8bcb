#include "workload.hpp"

#include <algorithm>
#include <string>

#include "operations.hpp"

namespace batchscope::trace_simulator {
namespace {

constexpr int64_t kMainStream = 7;
constexpr int64_t kBesideStream = 20;
constexpr int64_t kCollectiveStream = 30;

// Writes one loop: on a thread of its own and, where it trains, one of autograd's.
class Loop {
 public:
  Loop(const Workload& workload, HostThread& main, HostThread& autograd, Random& random,
       Place place)
      : w_(workload),
        main_(main, random, workload.noise),
        autograd_(autograd, random, workload.noise),
        do_(workload, main_),
        do_backward_(workload, autograd_),
        place_(place),
        mark_(1'000'000 * static_cast<int>(main.id)) {}

  void write() {
    if (w_.has_prologue) {
      step(-1);
      main_.start_recording();
    }
    main_.within(HostKind::python, "train.py(10): <module>", [&] {
      for (int i = 0; i < w_.steps; ++i) {
        step(i);
        const Disturbance& disturbance = w_.disturbance;
        if (disturbance.hole_ns > 0 && i == disturbance.hole_after) {
          main_.spend_ns(Effort::host_work, disturbance.hole_ns);
        }
      }
    });
  }

 private:
  void step(int number) {
    main_.launching(20);
    main_.within(HostKind::range, "ProfilerStep#" + std::to_string(number + 10), [&] {
      main_.launching(15);
      if (number == 0 && w_.disturbance.first_ns > 0) begin();
      load();
      do_.copy_input(place_);
      if (!w_.host_work_is_last) do_.host_work();
      if (w_.graph_kernels > 0) {
        do_.replay_graph(place_);
      } else {
        const auto kind = w_.names_forward ? HostKind::range : HostKind::python;
        main_.within(kind, w_.names_forward ? "## forward ##" : "model.py(52): forward",
                     [&] { forward(); });
        do_.allocate(place_);
        if (w_.trains) backward();
        if (w_.trains) optimize();
      }
      if (w_.host_work_is_last) do_.host_work();
      wait();
      main_.launching(10);
    });
  }

  // What only the first step does.
  void begin() {
    const auto work = [&] { main_.spend_ns(Effort::host_work, w_.disturbance.first_ns); };
    switch (w_.disturbance.first) {
      case First::compiles:
        return main_.within(HostKind::range, "_compile.compile_inner (dynamo_timed)", work);
      case First::captures:
        main_.call("cudaStreamBeginCapture", 10);
        work();
        return main_.call("cudaStreamEndCapture", 10);
      case First::loads_modules:
        return main_.within(HostKind::runtime, "cuModuleLoadData", work);
    }
  }

  void load() {
    if (w_.loading == Loading::none) return;
    const bool torch = w_.loader_name == LoaderName::torch;
    const bool workers = w_.loading == Loading::by_workers;
    std::string name = "load_batch";
    if (torch) {
      name = workers ? "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
                     : "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
    }
    const auto frame = torch ? "torch/utils/data/dataloader.py(631): __next__" : "data.py(7): get";
    main_.within(HostKind::python, frame, [&] {
      if (workers) return main_.take_batch(name, 80);
      main_.within(HostKind::range, name, [&] { do_.make_batch(); });
    });
    main_.launching(8);
  }

  Place place_of(int index, int count) const {
    if (w_.devices == Devices::dependent && index * 2 >= count) return {1, kMainStream};
    if (w_.second_stream && index % 3 == 2) return {place_.device, kBesideStream};
    return place_;
  }

  // What runs elsewhere next needs what ran here before.
  void follow(Script& script, Place to) {
    if (last_ != to) {
      script.record(++mark_, last_);
      script.wait_for_record(mark_, to);
    }
    last_ = to;
  }

  void forward() {
    for (int i = 0; i < w_.operators; ++i) {
      follow(main_, place_of(i, w_.operators));
      do_.run(static_cast<size_t>(i), false, last_);
      if (w_.waits_every > 0 && i % w_.waits_every == w_.waits_every - 1) do_.item(last_);
      if (w_.pause_us > 0 && i % (w_.operators / 4 + 1) == 3) {
        main_.spend(Effort::host_work, w_.pause_us);
      }
    }
  }

  void backward() {
    const int begin = ++mark_;
    const int end = ++mark_;
    main_.within(HostKind::python, "torch/_tensor.py(466): backward", [&] {
      main_.launching(30);
      main_.post(begin);
      main_.await(end);
    });
    autograd_.await(begin);
    const int count = 2 * w_.operators;
    const int until_reduced = w_.collectives > 0 ? std::max(1, count / w_.collectives) : count + 1;
    for (int i = 0; i < count; ++i) {
      follow(autograd_, place_of(count - 1 - i, count));
      do_backward_.run(static_cast<size_t>(i), true, last_);
      if (i % until_reduced == until_reduced - 1) reduce();
    }
    if (w_.collectives > 0) join_collectives();
    autograd_.post(end);
  }

  void reduce() {
    const Place before = last_;
    const Place collectives{place_.device, kCollectiveStream};
    follow(autograd_, collectives);
    do_backward_.reduce(collectives);
    last_ = before;
  }

  // The optimizer needs what was reduced.
  void join_collectives() {
    const Place before = last_;
    last_ = {place_.device, kCollectiveStream};
    follow(autograd_, before);
  }

  void optimize() {
    main_.within(HostKind::range, "Optimizer.step#AdamW.step", [&] {
      main_.launching(25);
      for (int i = 0; i < 6; ++i) do_.run(5, false, last_);
    });
    follow(main_, place_);
  }

  void wait() {
    switch (w_.waiting) {
      case Waiting::none:
        return;
      case Waiting::item:
        return do_.item(last_);
      case Waiting::to_host:
        return do_.copy_to_host(last_);
      case Waiting::device:
        return main_.within(HostKind::python, "torch/cuda/__init__.py(783): synchronize",
                            [&] { main_.synchronise_device("cudaDeviceSynchronize", last_); });
      case Waiting::late:
        if (step_mark_ > 0) main_.synchronise_record(step_mark_, last_);
        step_mark_ = ++mark_;
        return main_.record(step_mark_, last_);
    }
  }

  const Workload& w_;
  Script main_;
  Script autograd_;
  Operations do_;
  Operations do_backward_;
  Place place_;
  Place last_ = place_;
  int mark_;
  int step_mark_ = 0;
};

// One copies samples to pinned memory, one watches for collectives that hang.
void write_others(HostThread& pinning, HostThread& watching, Random& random, int steps) {
  Script pin(pinning, random, 0.5);
  Script watch(watching, random, 0.5);
  for (int i = 0; i < steps; ++i) {
    pin.within(
        HostKind::python, "torch/utils/data/_utils/pin_memory.py(18): _pin_memory_loop", [&] {
          pin.spend(Effort::host_work, 700);
          pin.within(HostKind::op, "aten::pin_memory", [&] { pin.call("cudaHostAlloc", 120); });
        });
    watch.spend(Effort::host_work, 900);
    watch.call("cudaEventQuery", 2);
  }
}

void name_thread(HostThread& thread, int64_t id, std::string name) {
  thread.id = id;
  thread.name = std::move(name);
}

}  // namespace

Program make_program(const Workload& workload, Random& random) {
  Program program;
  const bool two = workload.devices == Devices::independent || workload.devices == Devices::shared;
  const size_t loops = two ? 2 : 1;
  program.threads.resize(2 * loops + 2);
  const int64_t first_id = random.full(1, 2000);
  for (size_t i = 0; i < loops; ++i) {
    HostThread& main = program.threads[2 * i];
    HostThread& autograd = program.threads[2 * i + 1];
    name_thread(main, first_id + 30 * static_cast<int64_t>(i), "python");
    name_thread(autograd, main.id + 17, "pt_autograd_" + std::to_string(i));
    Place place{
        0, kMainStream + (workload.devices == Devices::shared ? 6 * static_cast<int64_t>(i) : 0)};
    if (workload.devices == Devices::independent) place.device = static_cast<int>(i);
    Loop(workload, main, autograd, random, place).write();
  }
  HostThread& pinning = program.threads[2 * loops];
  HostThread& watching = program.threads[2 * loops + 1];
  name_thread(pinning, first_id + 5, "python");
  name_thread(watching, first_id + 6, "pt_nccl_watchdg");
  if (workload.has_other_threads) write_others(pinning, watching, random, 4 * workload.steps);
  program.loader.workers = workload.workers;
  program.loader.ready = workload.workers * program.loader.prefetched / 2;
  for (int i = 0; i < 64; ++i) {
    program.loader.batch_ns.push_back(random.around(workload.batch_us * 1000, workload.noise));
  }
  program.latency_ns = random.full(-1500, 7000);
  program.spacing_ns = random.full(600, 1800);
  program.return_ns = random.full(1500, 6000);
  program.wake_ns = random.full(8000, 40'000);
  return program;
}

}  // namespace batchscope::trace_simulator
