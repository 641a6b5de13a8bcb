#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "batchscope/serving/policy.hpp"

namespace batchscope::serving {

// A queue in order of arrival whose front a policy sees as one span, and from whose front part any
// places can be taken. Its memory stays proportional to its length.
template <class Payload>
class WaitingLine {
 public:
  bool empty() const { return head_ == waiting_.size(); }
  std::size_t size() const { return waiting_.size() - head_; }
  std::span<const Waiting> waiting() const { return std::span(waiting_).subspan(head_); }
  const Payload& at(std::size_t place) const { return payload_[head_ + place]; }

  void push(const Waiting& request, Payload payload) {
    waiting_.push_back(request);
    payload_.push_back(std::move(payload));
  }

  // Places ascend, and there is at least one. What stays before the last of them moves up.
  std::vector<Payload> take(std::span<const std::size_t> places) {
    std::vector<Payload> taken;
    taken.reserve(places.size());
    for (const std::size_t place : places) taken.push_back(std::move(payload_[head_ + place]));
    std::size_t to = places.back() + 1;
    std::size_t left = places.size();
    for (std::size_t from = places.back() + 1; from-- > 0;) {
      if (left > 0 && places[left - 1] == from) {
        --left;
        continue;
      }
      --to;
      waiting_[head_ + to] = waiting_[head_ + from];
      payload_[head_ + to] = std::move(payload_[head_ + from]);
    }
    head_ += places.size();
    forget_taken();
    return taken;
  }

 private:
  // Every element is moved at most once for each that was taken.
  void forget_taken() {
    if (head_ < kSlack || head_ < size()) return;
    const auto gone = static_cast<std::ptrdiff_t>(head_);
    waiting_.erase(waiting_.begin(), waiting_.begin() + gone);
    payload_.erase(payload_.begin(), payload_.begin() + gone);
    head_ = 0;
  }

  static constexpr std::size_t kSlack = 64;

  std::vector<Waiting> waiting_;
  std::vector<Payload> payload_;
  std::size_t head_ = 0;
};

}  // namespace batchscope::serving
