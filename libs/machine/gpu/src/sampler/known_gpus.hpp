#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/waitable_clock.hpp"
#include "reading/gpu_reader.hpp"

namespace batchscope::gpu {

// What is known of all GPUs, between the threads that ask the driver and whoever wants to know. A
// session lasts as long as the driver stays loaded; what a thread of an earlier one says, which may
// have hung, counts for nothing. Totals go on from session to session.
class KnownGpus {
 public:
  KnownGpus(std::shared_ptr<base::WaitableClock> clock, std::chrono::nanoseconds deadline);

  // For whoever wants to know.
  std::vector<telemetry::GpuReading> latest() const;
  std::string absent() const;
  // Until every GPU has answered once, or none can; at the latest until then.
  void wait_for_first(int64_t until_ns);
  void stop();
  // Until all threads have ended; at the latest for so long by the real time.
  void wait_for_end(std::chrono::nanoseconds limit);

  // For the threads. Each says when it begins and when it ends.
  void thread_began();
  void thread_ended();
  int64_t now_ns() const { return clock_->now_ns(); }
  // False where the session is over.
  bool pause_until(int64_t until_ns, int64_t session);

  // For the one that looks for the driver.
  void begin_looking();
  void nothing_found(const std::string& why);
  int64_t open_session(unsigned gpus);
  // Until the driver is gone, the monitor stops, or no GPU has answered for `limit`: then true.
  bool wait_for_loss(std::chrono::nanoseconds limit, std::chrono::nanoseconds interval);
  // All are down until the next.
  void close_session();
  // False where the monitor stops.
  bool pause(std::chrono::nanoseconds time);

  // For the one of a GPU. False where its session is over: it ends.
  bool begin_reading(int64_t session, unsigned gpu);
  void end_reading(int64_t session, unsigned gpu, GpuAnswer answer);
  telemetry::CountByName throttle_totals(const std::string& uuid) const;

  // For the one of events.
  void count_xid(int64_t session, unsigned gpu, unsigned long long number);

 private:
  struct Slot {                                   // of one GPU
    std::vector<telemetry::GpuReading> readings;  // of the last answer, or down
    std::optional<int64_t> asked_ns;              // a reading is under way since
    bool has_answered = false;
  };
  bool is_over(int64_t session) const { return stopping_ || session != session_; }
  bool hangs(const Slot& slot, int64_t now) const;
  bool all_down() const;
  static void take_down(Slot& slot, const std::string& why);
  std::string key_of(unsigned gpu) const;
  std::vector<telemetry::GpuReading> latest_of(const Slot& slot, int64_t now) const;

  const std::shared_ptr<base::WaitableClock> clock_;
  const int64_t deadline_ns_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  int threads_ = 0;
  std::string absent_;
  std::optional<int64_t> looking_ns_;  // for the driver, since
  bool has_looked_ = false;
  int64_t session_ = 0;
  std::optional<std::string> lost_;  // the driver in this session, and why
  std::vector<Slot> slots_;
  std::map<std::string, telemetry::CountByName> throttle_totals_;  // by UUID
  std::map<std::string, telemetry::CountByName> xids_;             // by UUID, or number
};

}  // namespace batchscope::gpu
