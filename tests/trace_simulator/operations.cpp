#include "operations.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace batchscope::trace_simulator {
namespace {

struct OperatorNames {
  const char* outer;
  const char* inner;
  const char* backward;
  const char* kernel;
};

constexpr std::array<OperatorNames, 6> kOperators{{
    {"aten::linear", "aten::addmm", "AddmmBackward0", "ampere_sgemm_128x64_tn"},
    {"aten::layer_norm", "aten::native_layer_norm", "NativeLayerNormBackward0",
     "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int)"},
    {"aten::gelu", "aten::gelu", "GeluBackward0",
     "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl>(int)"},
    {"aten::matmul", "aten::bmm", "BmmBackward0", "sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n"},
    {"aten::softmax", "aten::_softmax", "SoftmaxBackward0",
     "void (anonymous namespace)::softmax_warp_forward<float, float, float, 8, false, false>()"},
    {"aten::add", "aten::add", "AddBackward0",
     "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float> >()"},
}};

const OperatorNames& names_of(size_t index) {
  return kOperators[index % kOperators.size()];
}

DeviceWork memcpy_of(const char* name, int64_t ns) {
  DeviceWork work;
  work.kind = DeviceKind::memcpy;
  work.name = name;
  work.ns = ns;
  work.bytes = std::max<int64_t>(4, ns * 8);
  return work;
}

}  // namespace

DeviceWork Operations::kernel(const char* name, double us) {
  DeviceWork work;
  work.name = name;
  work.ns = std::max<int64_t>(900, script_.random().around(us * 1000, w_.kernel_spread));
  if (w_.held_us > 0 && script_.random().chance(0.1)) work.held_ns = script_.draw_ns(w_.held_us);
  return work;
}

void Operations::run(size_t index, bool is_backward, Place place) {
  const OperatorNames& names = names_of(index);
  const double us = w_.operator_us;
  const std::string outer =
      is_backward ? std::string("autograd::engine::evaluate_function: ") + names.backward
                  : names.outer;
  script_.within(HostKind::op, outer, [&] {
    script_.launching(us * 0.25);
    script_.within(HostKind::op, is_backward ? names.backward : names.inner, [&] {
      script_.launching(us * 0.25);
      for (int i = 0; i < w_.kernels_per_operator; ++i) {
        script_.launch("cudaLaunchKernel", us * 0.3 / w_.kernels_per_operator, place,
                       {kernel(names.kernel, w_.kernel_us / w_.kernels_per_operator)});
      }
      script_.launching(us * 0.1);
    });
    script_.launching(us * 0.1);
  });
  script_.launching(w_.python_us);
  if (index % 5 == 4) {
    script_.within(HostKind::op, "aten::view", [&] { script_.launching(1.5); });
  }
}

void Operations::reduce(Place collectives) {
  DeviceWork work =
      kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
             w_.collective_us);
  work.is_collective = true;
  work.held_ns = 0;
  script_.within(HostKind::op, "c10d::allreduce_", [&] {
    script_.launching(8);
    script_.launch("cudaLaunchKernelExC", 6, collectives, {std::move(work)});
    script_.launching(4);
  });
}

void Operations::replay_graph(Place place) {
  std::vector<DeviceWork> work;
  for (int i = 0; i < w_.graph_kernels; ++i) {
    work.push_back(kernel(names_of(static_cast<size_t>(i)).kernel, w_.kernel_us));
  }
  script_.within(HostKind::python, "torch/cuda/graphs.py(88): replay", [&] {
    script_.launching(5);
    script_.launch("cudaGraphLaunch", 8 + 0.1 * w_.graph_kernels, place, std::move(work));
    script_.launching(4);
  });
}

void Operations::make_batch() {
  const int samples = w_.loader_has_operators ? 12 : 1;
  const double each = w_.batch_us / samples;
  for (int i = 0; i < samples; ++i) {
    script_.spend(Effort::loading, each * 0.7);
    if (w_.loader_has_operators) {
      script_.within(HostKind::op, "aten::div",
                     [&] { script_.spend(Effort::loading, each * 0.3); });
    } else {
      script_.spend(Effort::loading, each * 0.3);
    }
  }
}

void Operations::copy_input(Place place) {
  if (w_.input == InputCopy::none) return;
  const char* const name = w_.input == InputCopy::pinned ? "Memcpy HtoD (Pinned -> Device)"
                                                         : "Memcpy HtoD (Pageable -> Device)";
  const DeviceWork work = memcpy_of(name, script_.draw_ns(w_.input_us));
  script_.within(HostKind::op, "aten::to", [&] {
    script_.launching(6);
    script_.within(HostKind::op, "aten::copy_", [&] {
      script_.launching(5);
      if (w_.input == InputCopy::pinned) {
        script_.launch("cudaMemcpyAsync", 7, place, {work});
      } else if (w_.input == InputCopy::pageable) {
        script_.copy("cudaMemcpyAsync", 12, place, work);
        script_.synchronise_stream("cudaStreamSynchronize", place);
      } else {
        script_.copy("cudaMemcpy", 12, place, work);
      }
      script_.launching(3);
    });
  });
  script_.launching(10);
}

void Operations::item(Place place) {
  const bool pageable = script_.random().chance(0.5);
  script_.within(HostKind::op, "aten::item", [&] {
    script_.launching(2);
    script_.within(HostKind::op, "aten::_local_scalar_dense", [&] {
      script_.launching(3);
      if (pageable) {
        script_.copy("cudaMemcpyAsync", 6, place,
                     memcpy_of("Memcpy DtoH (Device -> Pageable)", 1800));
      } else {
        script_.launch("cudaMemcpyAsync", 6, place,
                       {memcpy_of("Memcpy DtoH (Device -> Pinned)", 1800)});
      }
      script_.synchronise_stream("cudaStreamSynchronize", place);
      script_.launching(1);
    });
  });
  script_.launching(6);
}

void Operations::copy_to_host(Place place) {
  script_.within(HostKind::op, "aten::copy_", [&] {
    script_.launching(4);
    script_.copy("cudaMemcpyAsync", 8, place,
                 memcpy_of("Memcpy DtoH (Device -> Pageable)", script_.draw_ns(60)));
    script_.synchronise_stream("cudaStreamSynchronize", place);
  });
}

void Operations::allocate(Place place) {
  if (w_.allocates_us <= 0) return;
  script_.within(HostKind::op, "aten::empty", [&] {
    script_.launching(4);
    script_.release(w_.allocates_us, place);
    script_.allocate(w_.allocates_us);
    script_.launching(2);
  });
}

void Operations::host_work() {
  if (w_.host_work_us <= 0) return;
  const auto work = [&] { script_.spend(Effort::host_work, w_.host_work_us); };
  switch (w_.host_work) {
    case WorkKind::bare:
      return work();
    case WorkKind::python:
      return script_.within(HostKind::python, "tokenizer.py(88): encode", work);
    case WorkKind::range:
      return script_.within(HostKind::range, "tokenize", work);
    case WorkKind::long_operators:
      return host_operators("aten::sort", 700);
    case WorkKind::short_operators:
      return host_operators("aten::index", 25);
  }
}

// On tensors of the host, one after the other.
void Operations::host_operators(const char* name, double each_us) {
  const int count = std::max(1, static_cast<int>(w_.host_work_us / (each_us * 1.2)));
  for (int i = 0; i < count; ++i) {
    script_.within(HostKind::op, name, [&] { script_.spend(Effort::host_work, each_us); });
    script_.spend(Effort::host_work, each_us * 0.2);
  }
}

}  // namespace batchscope::trace_simulator
