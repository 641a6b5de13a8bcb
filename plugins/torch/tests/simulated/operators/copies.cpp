#include "copies.hpp"

#include <ATen/ATen.h>
#include <ATen/ops/view_native.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <cstring>

#include "allocator/memory.hpp"
#include "call.hpp"
#include "state/options.hpp"
#include "work/streams.hpp"

namespace batchscope::simulated {
namespace {

int64_t copy_cost(int64_t bytes) {
  const Options& o = options();
  return o.copy_bytes_per_us <= 0 ? -1 : o.copy_ns + bytes * 1000 / o.copy_bytes_per_us;
}

// Named as CUPTI names copies.
Task copy_task(Kind kind, std::size_t bytes, bool pinned) {
  Task task;
  task.kind = kind;
  task.name = kind == Kind::h2d ? "Memcpy HtoD (" : "Memcpy DtoH (Device -> ";
  task.name += pinned ? "Pinned" : "Pageable";
  task.name += kind == Kind::h2d ? " -> Device)" : ")";
  task.bytes = static_cast<int64_t>(bytes);
  task.cost_ns = copy_cost(task.bytes);
  task.pinned = pinned;
  return task;
}

// Converted and laid out by the host where needed, and staged where it is not pinned: the source
// may be changed as soon as this returns.
void to_device(at::Tensor& self, const at::Tensor& source, bool non_blocking) {
  const at::Tensor laid_out = source.to(self.scalar_type()).expand_as(self).contiguous();
  const bool pinned = laid_out.is_same(source) && is_pinned(laid_out.data_ptr());
  Queue& queue = current_queue(self.device().index());
  at::Tensor staged = laid_out;
  if (!pinned) {
    if (options().pageable_waits) queue.drain();
    staged = at::empty(laid_out.sizes(), laid_out.options());
    std::memcpy(staged.data_ptr(), laid_out.data_ptr(), laid_out.nbytes());
  }
  Task task = copy_task(Kind::h2d, staged.nbytes(), pinned);
  task.work = [to = host_view(self), staged] { to.copy_(staged); };
  queue.push(std::move(task));
  if (!non_blocking) queue.drain();
}

void to_host(at::Tensor& self, const at::Tensor& source, bool non_blocking) {
  const bool same = source.scalar_type() == self.scalar_type();
  const at::Tensor converted = same ? source : source.to(self.scalar_type());
  const bool pinned = is_pinned(self.data_ptr());
  const bool poisoned = options().poison && self.is_contiguous();
  if (poisoned) std::memset(self.data_ptr(), 0xff, self.nbytes());
  Queue& queue = current_queue(source.device().index());
  Task task = copy_task(Kind::d2h, self.nbytes(), pinned);
  task.work = [to = self, from = host_view(converted)] { to.copy_(from.expand_as(to)); };
  queue.push(std::move(task));
  if (!non_blocking || !pinned) queue.drain();
}

void within_devices(at::Tensor& self, const at::Tensor& source) {
  if (self.device() != source.device()) drain_device(source.device().index());
  issue(self.device(), "aten::copy_", static_cast<int64_t>(self.nbytes() + source.nbytes()),
        [to = host_view(self), from = host_view(source)] { to.copy_(from); });
}

}  // namespace

at::Tensor& copy(at::Tensor& self, const at::Tensor& source, bool non_blocking) {
  if (self.numel() == 0 || self.is_same(source)) return self;
  const c10::DeviceGuard guard(on_device(self) ? self.device() : source.device());
  const at::AutoDispatchBelowAutograd below;
  const c10::impl::ExcludeDispatchKeyGuard no_views(c10::DispatchKey::ADInplaceOrView);
  if (!on_device(source)) {
    to_device(self, source, non_blocking);
  } else if (!on_device(self)) {
    to_host(self, source, non_blocking);
  } else {
    within_devices(self, source);
  }
  return self;
}

at::Tensor copy_from(const at::Tensor& source, const at::Tensor& self, bool non_blocking) {
  at::Tensor to = self;
  return copy(to, source, non_blocking);
}

at::Tensor copy_from_and_resize(const at::Tensor& source, const at::Tensor& self) {
  self.resize_(source.sizes());
  return copy_from(source, self, false);
}

at::Scalar local_scalar(const at::Tensor& self) {
  at::Tensor host = at::empty({}, at::TensorOptions(self.scalar_type()));
  return copy(host, at::native::view(self, c10::IntArrayRef()), false).item();
}

}  // namespace batchscope::simulated
