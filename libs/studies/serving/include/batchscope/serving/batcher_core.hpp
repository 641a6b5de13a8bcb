#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <span>

#include "batchscope/base/result.hpp"
#include "batchscope/serving/batcher_options.hpp"
#include "batchscope/serving/response_future.hpp"

// What all batchers share, whatever their requests are. Users include batcher.hpp.
namespace batchscope::serving::detail {

// A request on its way. Whoever holds it owes an answer.
struct Entry {
  virtual ~Entry() = default;
  virtual void refuse(Failure failure) = 0;

  uint64_t id = 0;
  int64_t tokens = 1;
  base::Nanoseconds deadline{base::Nanoseconds::max()};
};
using EntryPtr = std::unique_ptr<Entry>;

enum class PieceEnd { responded, failed, out_of_memory, perhaps_out_of_memory };
struct PieceResult {
  PieceEnd end = PieceEnd::responded;
  Failure failure{};
};
// What an error is, by its kind or by its words; `thrown`: what was caught.
PieceResult judged(const base::Error& error, std::exception_ptr thrown);
// Runs the entries as one batch and answers each; none where it is, or may be, memory.
using RunPiece = std::function<PieceResult(std::span<const EntryPtr> piece, int instance)>;

class BatcherCore {
 public:
  BatcherCore(BatcherOptions options, RunPiece run);
  ~BatcherCore();

  // The entry's id is set; returns it, or 0 where the entry was answered at once.
  uint64_t submit(EntryPtr entry, const SubmitOptions& options);
  bool cancel(uint64_t id);
  void shut_down(Pending pending);
  BatcherCounters counters() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace batchscope::serving::detail
