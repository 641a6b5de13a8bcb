#include "ahead_loader.hpp"

#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <utility>

#include "libtorch/device.hpp"

namespace batchscope::torch_plugin {
namespace {

c10::Stream stream_for_copies(c10::Device device) {
  return c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device);
}

}  // namespace

AheadLoader::AheadLoader(std::unique_ptr<BatchSource> loader, c10::Device device)
    : loader_(std::move(loader)),
      device_(device),
      copies_(stream_for_copies(device)),
      arrived_(device.type()) {}

base::Result<HostBatch> AheadLoader::take() {
  if (!next_) {
    if (auto sent = send_next(); !sent) return std::move(sent).error();
  }
  return *std::exchange(next_, std::nullopt);
}

void AheadLoader::await_arrival() {
  arrived_.block(current_stream(device_));
}

base::Result<void> AheadLoader::send_next() {
  auto batch = loader_->take();
  if (!batch) return std::move(batch).error();
  const c10::Stream computing = current_stream(device_);
  const c10::StreamGuard guard(copies_);
  next_ = HostBatch{moved(batch->inputs, device_), std::nullopt};
  if (batch->target) next_->target = moved(*batch->target, device_);
  arrived_.record(copies_);
  // Their memory is the copying stream's: it is not used again before the computing is done.
  for (const at::Tensor& input : next_->inputs) input.record_stream(computing);
  if (next_->target) next_->target->record_stream(computing);
  return {};
}

}  // namespace batchscope::torch_plugin
