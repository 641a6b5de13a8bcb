#include "thread_ranges.hpp"

#include <algorithm>

namespace batchscope::ranges::nvtx {
namespace {

bool has_ended(const std::shared_ptr<OpenRange>& range) {
  return range->ended.load(std::memory_order_acquire);
}

}  // namespace

const Name& Names::find(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = names_.try_emplace(std::string(text));
  if (is_new) {
    found->second.text = found->first.c_str();
    found->second.handle = tool_.handle_of(found->second.text);
  }
  return found->second;
}

ThreadRanges::~ThreadRanges() {
  for (const auto& range : open_) range->ended.store(true, std::memory_order_release);
  close_ended();
}

std::shared_ptr<OpenRange> ThreadRanges::begin(std::string_view name) {
  close_ended();
  auto range = std::make_shared<OpenRange>();
  range->name = &names_.find(name);
  range->thread = this;
  open_.push_back(range);
  tool_.push(*range->name);
  return range;
}

void ThreadRanges::close_ended() noexcept {
  const auto lowest = std::find_if(open_.begin(), open_.end(), has_ended);
  const auto kept = static_cast<std::size_t>(lowest - open_.begin());
  for (std::size_t i = kept; i < open_.size(); ++i) tool_.pop();
  open_.erase(std::remove_if(lowest, open_.end(), has_ended), open_.end());
  for (std::size_t i = kept; i < open_.size(); ++i) tool_.push(*open_[i]->name);
}

}  // namespace batchscope::ranges::nvtx
