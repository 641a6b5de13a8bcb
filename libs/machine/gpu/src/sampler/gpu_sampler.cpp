#include "batchscope/gpu/gpu_sampler.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "batchscope/base/strings.hpp"
#include "known_gpus.hpp"
#include "xid_events.hpp"

namespace batchscope::gpu {

// All that the threads need: they hold it, and may outlive the sampler.
class GpuSampler::Threads : public std::enable_shared_from_this<GpuSampler::Threads> {
 public:
  explicit Threads(GpuSamplerOptions options)
      : options_(std::move(options)), known_(options_.clock, options_.deadline) {}

  KnownGpus& known() { return known_; }
  const GpuSamplerOptions& options() const { return options_; }

  void start() {
    const bool started = launch([](Threads& self) { self.look_for_driver(); });
    if (!started) known_.nothing_found(kNoThread);
  }

 private:
  using Library = std::shared_ptr<const nvml::Library>;
  static constexpr const char* kNoThread =
      "cannot start a thread; raise the limit of processes (ulimit -u)";
  static constexpr const char* kNoGpu =
      "the NVIDIA driver finds no GPU; start containers with access to the GPU";

  // Detached: a thread that hangs in the driver cannot be joined.
  template <class Work>
  bool launch(Work work) {
    known_.thread_began();
    try {
      std::thread([self = shared_from_this(),
                   held = std::optional<Work>(std::move(work))]() mutable {
        (*held)(*self);
        held.reset();  // and with it the library, which may end NVML
        self->known_.thread_ended();
      }).detach();
      return true;
    } catch (const std::system_error&) {
      known_.thread_ended();
      return false;
    }
  }

  void look_for_driver() {
    bool goes_on = true;
    while (goes_on) {
      known_.begin_looking();
      const bool waited = read_until_loss(load());
      goes_on = known_.pause(waited ? std::chrono::nanoseconds(0) : options_.look_again);
    }
  }

  Library load() {
    auto loaded = nvml::Library::load(options_.library);
    if (loaded) return std::move(*loaded);
    const base::Error& error = loaded.error();
    const bool says_where = base::contains_text(error.what, error.where);
    known_.nothing_found(base::in_one_line(says_where ? "" : error.where, error.what, error.fix));
    return nullptr;
  }

  // True where no GPU has answered for so long that the driver is to be loaded anew at once.
  bool read_until_loss(const Library& library) {
    if (library == nullptr) return false;
    unsigned gpus = 0;
    const nvml::Status status = library->device_count(&gpus);
    if (status != nvml::kSuccess || gpus == 0) {
      known_.nothing_found(status != nvml::kSuccess ? nvml::in_words(status) : kNoGpu);
      return false;
    }
    read_in_threads(library, gpus);
    const bool all_down = known_.wait_for_loss(options_.look_again, options_.interval);
    known_.close_session();
    return all_down;
  }

  void read_in_threads(const Library& library, unsigned gpus) {
    const int64_t session = known_.open_session(gpus);
    const auto events = std::make_shared<XidEvents>(library);
    for (unsigned gpu = 0; gpu < gpus; ++gpu) {
      const bool started = launch([session, gpu, library, events](Threads& self) {
        self.read_gpu(session, gpu, library, *events);
      });
      if (!started) known_.end_reading(session, gpu, {{}, kNoThread, false});
    }
    launch([session, events](Threads& self) { self.count_xids(session, *events); });
  }

  void read_gpu(int64_t session, unsigned gpu, const Library& library, XidEvents& events) {
    GpuReader reader(library, gpu,
                     [this](const std::string& uuid) { return known_.throttle_totals(uuid); });
    int64_t next_ns = known_.now_ns();
    while (known_.begin_reading(session, gpu)) {
      GpuAnswer answer = reader.read(known_.now_ns());
      if (reader.device() != nullptr) events.add(reader.device(), gpu);
      known_.end_reading(session, gpu, std::move(answer));
      // What took longer than an interval is not made up for.
      next_ns = std::max(next_ns + options_.interval.count(), known_.now_ns());
      known_.pause_until(next_ns, session);
    }
  }

  void count_xids(int64_t session, XidEvents& events) {
    int64_t next_ns = known_.now_ns();
    do {
      for (auto xid = events.next(); xid; xid = events.next()) {
        known_.count_xid(session, xid->index, xid->number);
      }
      next_ns = std::max(next_ns + options_.interval.count(), known_.now_ns());
    } while (known_.pause_until(next_ns, session));
  }

  GpuSamplerOptions options_;
  KnownGpus known_;
};

GpuSampler::GpuSampler(GpuSamplerOptions options)
    : threads_(std::make_shared<Threads>(std::move(options))) {}

GpuSampler::~GpuSampler() {
  threads_->known().stop();
  threads_->known().wait_for_end(threads_->options().last_wait);
}

void GpuSampler::start() {
  const GpuSamplerOptions& options = threads_->options();
  const int64_t until = options.clock->now_ns() + options.deadline.count();
  threads_->start();
  threads_->known().wait_for_first(until);
}

std::vector<telemetry::GpuReading> GpuSampler::latest() const {
  return threads_->known().latest();
}

std::string GpuSampler::absent() const {
  return threads_->known().absent();
}

}  // namespace batchscope::gpu
