#pragma once

// All that the program does, for C++: one function a verb. Link batchscope::api.

#include "batchscope/api/analyze.hpp"
#include "batchscope/api/autotune.hpp"
#include "batchscope/api/baselines.hpp"
#include "batchscope/api/cluster.hpp"
#include "batchscope/api/compare.hpp"
#include "batchscope/api/doctor.hpp"
#include "batchscope/api/embed.hpp"
#include "batchscope/api/import.hpp"
#include "batchscope/api/largest_batch.hpp"
#include "batchscope/api/monitored.hpp"
#include "batchscope/api/noise_scale.hpp"
#include "batchscope/api/plan.hpp"
#include "batchscope/api/profile.hpp"
#include "batchscope/api/program.hpp"
#include "batchscope/api/recorded.hpp"
#include "batchscope/api/report.hpp"
#include "batchscope/api/sides.hpp"
#include "batchscope/api/trace.hpp"
#include "batchscope/api/trend.hpp"
#include "batchscope/api/tune.hpp"
