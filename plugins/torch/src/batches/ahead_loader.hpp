#pragma once

#include <c10/core/Event.h>
#include <c10/core/Stream.h>

#include <memory>
#include <optional>

#include "batch.hpp"

namespace batchscope::torch_plugin {

// A loader's batches on a device, each copied there on a stream of its own while the device
// computes with the one before: the prefetcher of a training loop. Copies hide where the host's
// memory is pinned. One batch more than is computed with is on the device.
class AheadLoader final : public BatchSource {
 public:
  AheadLoader(std::unique_ptr<BatchSource> loader, c10::Device device);

  // The batch that was sent ahead, on its way to the device; the first is loaded and sent now.
  base::Result<HostBatch> take() override;
  bool sends_ahead() const override { return true; }
  void await_arrival() override;
  base::Result<void> send_next() override;

 private:
  std::unique_ptr<BatchSource> loader_;
  c10::Device device_;
  c10::Stream copies_;
  c10::Event arrived_;  // of what was sent last
  std::optional<HostBatch> next_;
};

}  // namespace batchscope::torch_plugin
