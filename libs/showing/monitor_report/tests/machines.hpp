#pragma once

#include <string>
#include <vector>

#include "batchscope/monitor_report/screen.hpp"

// Made-up machines, the same in every run.
namespace batchscope::monitor_report::testing {

inline constexpr int64_t kMachineSecond = 1'000'000'000;
inline constexpr int64_t kNoon = 1'790'856'000 * kMachineSecond;  // 2026-10-01T12:00:00Z

// Of GPU number `gpu` at that second: H100s at work, each a little different.
telemetry::GpuReading made_up_gpu(int gpu, int second);
// A machine that trains, `seconds` after noon.
telemetry::Sample made_up_sample(int gpus, int seconds);
telemetry::TrainingStep made_up_step(int step);

watch::ActiveFinding active(const std::string& what, findings::Severity severity, int64_t since_ns,
                            const std::string& fix = "", int gpu = -1);

// What a data loader, a power limit and a lost GPU make a monitor say.
std::vector<watch::ActiveFinding> three_findings();

// Two minutes of it: the history behind a view.
ScreenHistory made_up_history(int gpus);
// What is seen at the end of them; `history` has to live on.
View made_up_view(int gpus, const ScreenHistory& history);

}  // namespace batchscope::monitor_report::testing
