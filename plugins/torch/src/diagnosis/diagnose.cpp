#include "diagnose.hpp"

#include <ATen/Context.h>
#include <ATen/native/verbose_wrapper.h>
#include <ATen/record_function.h>
#include <unistd.h>

#include <algorithm>

#include "batchscope/attribution/traced_work.hpp"
#include "batchscope/trace/reader.hpp"
#include "batchscope/trace/recording_file.hpp"
#include "libtorch/device.hpp"
#include "onednn_log.hpp"
#include "output_capture.hpp"
#include "tracer.hpp"

namespace batchscope::torch_plugin {
namespace {

struct NoSink final : engine::PhaseSink {
  void phase(std::string_view, int64_t, std::optional<int64_t>) override {}
};

struct Iterations {
  int64_t count = 0;
  int64_t ns = 0;
};

// One after the other, and the device's wait at the end. In a trace each has a range, numbered from
// `first` on, as torch.profiler calls its steps.
base::Result<Iterations> iterate(engine::Model& model, engine::Batch& batch, int64_t count,
                                 int64_t first = 0) {
  NoSink sink;
  const int64_t start = engine::steady_clock().now_ns();
  for (int64_t i = 0; i < count; ++i) {
    RECORD_USER_SCOPE("ProfilerStep#" + std::to_string(first + i));
    if (auto done = model.run(batch, sink); !done) return done.error();
  }
  if (auto done = model.wait(sink); !done) return done.error();
  return Iterations{count, engine::steady_clock().now_ns() - start};
}

base::Result<Iterations> iterate_for_a_second(engine::Model& model, engine::Batch& batch) {
  const auto first = iterate(model, batch, 1);
  if (!first) return first.error();
  const int64_t count = diagnostic_iterations(first->ns);
  const auto others = iterate(model, batch, count - 1, 1);
  if (!others) return others.error();
  return Iterations{count, first->ns + others->ns};
}

// The first iteration that a device's tracer watches pays for its buffers.
base::Result<void> warm_up_tracer(engine::Model& model, engine::Batch& batch,
                                  const c10::Device& device) {
  const auto tracer = Tracer::start(device);
  if (!tracer) return {};  // said by the one that counts
  const auto warm = iterate(model, batch, 1);
  return warm ? base::Result<void>() : warm.error();
}

void add_totals(const trace::Trace& recorded, const c10::Device& device,
                schema::Diagnosis& diagnosis) {
  attribution::TracedWork work = attribution::traced_work(recorded);
  diagnosis.operations = std::move(work.operations);
  diagnosis.device_busy_ns = work.device_busy_ns;
  diagnosis.multiprocessors = work.multiprocessors;
  if (!is_asynchronous(device)) return;
  if (!tracer_sees(device)) {
    diagnosis.absent["device_busy_ns"] = "Kineto does not record this kind of device";
  } else if (!work.device_busy_ns) {
    diagnosis.absent["device_busy_ns"] =
        "Kineto recorded no kernel: this LibTorch lacks the device's tracer (CUPTI for CUDA), or "
        "the driver forbids tracing for this user";
  }
  if (!work.multiprocessors) diagnosis.absent["multiprocessors"] = "no traced kernel reports it";
}

base::Result<trace::Trace> recorded_by(Tracer& tracer, const trace::RecordingFile& recording) {
  if (auto stopped = tracer.stop(recording.file()); !stopped) return stopped.error();
  // The visit's threads may be pinned to one processor, and a second's worth of operators is short.
  return trace::TraceReader({.threads = 1}).read(recording.file());
}

base::Result<void> put_trace(engine::Model& model, engine::Batch& batch, const c10::Device& device,
                             const std::filesystem::path& trace_file,
                             schema::Diagnosis& diagnosis) {
  if (is_asynchronous(device)) {
    if (auto warm = warm_up_tracer(model, batch, device); !warm) return warm;
  }
  const auto recording = trace::RecordingFile::begin(trace_file);
  const auto tracer = recording ? Tracer::start(device) : recording.error();
  if (!tracer) {
    diagnosis.absent["operations"] = "no tracer: " + tracer.error().what;
    return {};
  }
  const auto traced = iterate_for_a_second(model, batch);
  if (!traced) return traced.error();
  const auto recorded = recorded_by(**tracer, *recording);
  if (!recorded) {
    diagnosis.absent["operations"] = "the tracer failed: " + recorded.error().what;
    return {};
  }
  diagnosis.tracer = "kineto";
  diagnosis.traced_iterations = traced->count;
  diagnosis.traced_ns = traced->ns;
  add_totals(*recorded, device, diagnosis);
  if (trace_file.empty()) return {};
  if (auto kept = recording->keep(); !kept) diagnosis.absent["trace_file"] = kept.error().what;
  return {};
}

// oneDNN's log, on for as long as this lives.
class OneDnnLog {
 public:
  OneDnnLog() : on_(torch::verbose::_mkldnn_set_verbose(kWithCreation) != 0) {}
  OneDnnLog(const OneDnnLog&) = delete;
  OneDnnLog& operator=(const OneDnnLog&) = delete;
  ~OneDnnLog() { torch::verbose::_mkldnn_set_verbose(0); }

  bool on() const { return on_; }

 private:
  static constexpr int kWithCreation = 2;
  bool on_;
};

// Nothing that an iteration failed of.
base::Result<void> no_primitives(schema::Diagnosis& diagnosis, std::string why) {
  diagnosis.absent["primitives"] = std::move(why);
  return {};
}

base::Result<void> log(engine::Model& model, engine::Batch& batch, schema::Diagnosis& diagnosis) {
  auto capture = OutputCapture::start(STDOUT_FILENO);
  if (!capture) return no_primitives(diagnosis, base::to_string(capture.error()));
  std::optional<OneDnnLog> switched(std::in_place);
  if (!switched->on()) return no_primitives(diagnosis, "this oneDNN has no log");
  const auto logged = iterate_for_a_second(model, batch);
  if (!logged) return logged.error();
  switched.reset();
  const auto text = capture->finish();
  if (!text) return no_primitives(diagnosis, base::to_string(text.error()));
  diagnosis.logged_iterations = logged->count;
  diagnosis.primitives = sum_onednn_log(*text);
  return {};
}

}  // namespace

int64_t diagnostic_iterations(int64_t first_ns) {
  constexpr int64_t kSecond = 1'000'000'000;
  return std::clamp<int64_t>(kSecond / std::max<int64_t>(1, first_ns), 3, 20);
}

base::Result<void> diagnose(engine::Model& model, engine::Batch& batch, const c10::Device& device,
                            const std::filesystem::path& trace_file, schema::Diagnosis& diagnosis) {
  if (auto traced = put_trace(model, batch, device, trace_file, diagnosis); !traced) return traced;
  if (is_asynchronous(device)) {
    return no_primitives(diagnosis, "oneDNN runs only on CPUs");
  }
  if (!at::hasMKLDNN()) {
    return no_primitives(diagnosis, "this LibTorch has no oneDNN");
  }
  return log(model, batch, diagnosis);
}

}  // namespace batchscope::torch_plugin
