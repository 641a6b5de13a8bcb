#pragma once

#include <exception>
#include <functional>
#include <future>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/serving/batcher_core.hpp"
#include "batchscope/serving/batcher_options.hpp"
#include "batchscope/serving/response_future.hpp"

namespace batchscope::serving {

// Gathers requests of many threads into batches, runs them, and gives each its own answer.
//
//   Batcher<Text, Vector> batcher(embed, {.policy = make_policy(TakeAll{.max_batch = 16})});
//   auto [id, answer] = batcher.submit(text, {.tokens = 42});
//   if (auto got = answer.get()) use(got.value());
//
// Every request is answered exactly once: also those that are cancelled, late, refused, or still
// waiting when the batcher is destroyed (which runs them first; see shut_down). All members may be
// called from any thread.
template <class Request, class Response>
class Batcher {
 public:
  // Runs one batch: a response for each request, in their order. Called by `instances` threads, at
  // most once at a time by each. ErrorKind::out_of_memory, std::bad_alloc thrown, or an error or
  // exception with a library's words for it (base/memory_words.hpp) means that the batch was too
  // large: it is halved and run again, and later batches are smaller for a while. Where the words
  // are no proof, that is so once a smaller batch ran. Any other error or exception is the answer
  // to every request of the batch.
  using Run =
      std::function<base::Result<std::vector<Response>>(std::span<const Request>, int instance)>;
  // Called once, by a thread of the batcher or by the one that submits, cancels or shuts down,
  // without a lock held; what it throws is dropped. It must not shut the batcher down, or wait for
  // other answers of it. It may submit, but on a thread of the batcher that does not wait for room,
  // which nobody would make: where the queue is full the answer is Refusal::queue_full, with
  // WhenFull::block too. So it is in the run function. Batchers that submit to each other in a
  // circle can still wait for each other.
  using Done = std::function<void(ResponseFuture<Response>)>;

  struct Submitted {
    uint64_t id = 0;  // for cancel; 0: answered already
    std::future<ResponseFuture<Response>> answer;
  };

  Batcher(Run run, BatcherOptions options)
      : run_(std::move(run)),
        core_(std::move(options), [this](std::span<const detail::EntryPtr> piece, int instance) {
          return run_piece(piece, instance);
        }) {}

  Submitted submit(Request request, const SubmitOptions& options = {}) {
    auto entry = std::make_unique<FutureEntry>(std::move(request));
    auto answer = entry->promise.get_future();
    return {core_.submit(std::move(entry), options), std::move(answer)};
  }
  uint64_t submit(Request request, Done done, const SubmitOptions& options = {}) {
    return core_.submit(std::make_unique<CallbackEntry>(std::move(request), std::move(done)),
                        options);
  }

  // True when the request was still waiting: it is answered Refusal::cancelled before this returns.
  bool cancel(uint64_t id) { return core_.cancel(id); }
  // Takes no more requests, runs or refuses those that wait, lets running batches end, and returns
  // when everything is answered, also to those who waited for room: the batcher may be destroyed
  // then. Again: nothing to do.
  void shut_down(Pending pending = Pending::run) { core_.shut_down(pending); }
  BatcherCounters counters() const { return core_.counters(); }

 private:
  struct RequestEntry : detail::Entry {
    explicit RequestEntry(Request value) : request(std::move(value)) {}
    virtual void answer(ResponseFuture<Response> answer) = 0;
    void refuse(Failure failure) override { answer(ResponseFuture<Response>(std::move(failure))); }
    Request request;
  };
  struct FutureEntry final : RequestEntry {
    using RequestEntry::RequestEntry;
    void answer(ResponseFuture<Response> answer) override { promise.set_value(std::move(answer)); }
    std::promise<ResponseFuture<Response>> promise;
  };
  struct CallbackEntry final : RequestEntry {
    CallbackEntry(Request value, Done callback)
        : RequestEntry(std::move(value)), done(std::move(callback)) {}
    void answer(ResponseFuture<Response> answer) override {
      try {
        done(std::move(answer));
      } catch (...) {
        // The request has its answer; there is nobody else to tell.
      }
    }
    Done done;
  };
  using Outcome = std::variant<std::vector<Response>, detail::PieceResult>;

  static RequestEntry& typed(const detail::EntryPtr& entry) {
    return static_cast<RequestEntry&>(*entry);
  }

  static detail::PieceResult failed(std::string message, std::exception_ptr thrown = nullptr) {
    return {detail::PieceEnd::failed,
            Failure{Refusal::failed, std::move(message), std::move(thrown)}};
  }

  Outcome call(std::span<const Request> requests, int instance) const {
    try {
      base::Result<std::vector<Response>> result = run_(requests, instance);
      if (!result) return detail::judged(result.error(), nullptr);
      if (result->size() == requests.size()) return std::move(*result);
      return failed("the run function gave " + std::to_string(result->size()) + " responses to " +
                    std::to_string(requests.size()) + " requests");
    } catch (const std::bad_alloc& error) {
      return detail::judged({base::ErrorKind::out_of_memory, error.what()},
                            std::current_exception());
    } catch (const std::exception& error) {
      return detail::judged({base::ErrorKind::failed, error.what()}, std::current_exception());
    } catch (...) {
      return failed("unknown exception", std::current_exception());
    }
  }

  detail::PieceResult run_piece(std::span<const detail::EntryPtr> piece, int instance) {
    std::vector<Request> requests;
    requests.reserve(piece.size());
    for (const auto& entry : piece) requests.push_back(std::move(typed(entry).request));
    Outcome outcome = call(requests, instance);
    if (auto* responses = std::get_if<0>(&outcome)) {
      for (std::size_t i = 0; i < piece.size(); ++i) {
        typed(piece[i]).answer(ResponseFuture<Response>(std::move((*responses)[i])));
      }
      return {};
    }
    detail::PieceResult& result = std::get<1>(outcome);
    if (result.end == detail::PieceEnd::failed) {
      for (const auto& entry : piece) entry->refuse(result.failure);
    } else {
      for (std::size_t i = 0; i < piece.size(); ++i) {
        typed(piece[i]).request = std::move(requests[i]);
      }
    }
    return std::move(result);
  }

  Run run_;
  detail::BatcherCore core_;  // last: its threads call run_
};

}  // namespace batchscope::serving
