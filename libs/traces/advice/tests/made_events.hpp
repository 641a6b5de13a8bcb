#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/trace/reader.hpp"

namespace batchscope::advice {

// A trace of one process and one device of 10 GB and compute capability 8.0; times in microseconds.
class Made {
 public:
  Made& host(const std::string& category, const std::string& name, int64_t start, int64_t length,
             const std::string& arguments = "") {
    return event(category, name, "10", "10", start, length, arguments);
  }
  Made& device(const std::string& category, const std::string& name, int64_t start, int64_t length,
               const std::string& arguments = "") {
    const std::string more = arguments.empty() ? "" : "," + arguments;
    return event(category, name, "0", "7", start, length, "\"device\":0,\"stream\":7" + more);
  }
  // Launched by a call within an operator whose inputs have that type.
  Made& kernel(const std::string& name, int64_t start, int64_t length,
               const std::string& type = "c10::BFloat16", const std::string& shape = "") {
    ++launches_;
    host("cpu_op", "aten::mm", start - 4, 3, fmt::format("\"Input type\":[\"{}\"]", type));
    host("cuda_runtime", "cudaLaunchKernel", start - 3, 1,
         fmt::format("\"correlation\":{}", launches_));
    return device("kernel", name, start, length,
                  fmt::format("\"correlation\":{}{}", launches_, shape.empty() ? "" : "," + shape));
  }
  Made& memory(int64_t time, int64_t bytes, int64_t allocated, int64_t reserved) {
    events_.push_back(fmt::format(
        R"({{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":10,"tid":10,"ts":{},)"
        R"("args":{{"Addr":1,"Bytes":{},"Device Type":1,"Device Id":0,"Total Allocated":{},)"
        R"("Total Reserved":{}}}}})",
        time, bytes, allocated, reserved));
    return *this;
  }
  Made& step(int64_t number, int64_t start, int64_t length) {
    return host("user_annotation", fmt::format("ProfilerStep#{}", number), start, length);
  }

  // Another device than one of CUDA 8.0; keys and values of the file beside.
  Made& on(const std::string& name, int major, int minor, const std::string& settings = "") {
    device_ = name;
    capability_ = fmt::format(R"("computeMajor":{},"computeMinor":{})", major, minor);
    settings_ = settings;
    return *this;
  }

  TraceSummary summary() const {
    std::string text = fmt::format(R"({{"schemaVersion":1,{}"deviceProperties":[{{"id":0,"name":)"
                                   R"("{}","totalGlobalMem":10000000000,{},"numSms":100}}],)"
                                   R"("traceEvents":[)",
                                   settings_, device_, capability_);
    for (const std::string& event : events_) text += event + ",";
    text.back() = ']';
    const auto trace = trace::TraceReader().parse(text + "}", "made");
    EXPECT_TRUE(trace) << text;
    return trace ? summarise(*trace) : TraceSummary{};
  }
  const findings::Finding* found(const std::string& id) {
    kept_ = summary();
    for (const findings::Finding& finding : kept_.findings) {
      if (finding.id == id) return &finding;
    }
    return nullptr;
  }

 private:
  Made& event(const std::string& category, const std::string& name, const std::string& process,
              const std::string& thread, int64_t start, int64_t length,
              const std::string& arguments) {
    events_.push_back(
        fmt::format(R"({{"ph":"X","cat":"{}","name":"{}","pid":{},"tid":{},"ts":{},"dur":{},)"
                    R"("args":{{{}}}}})",
                    category, name, process, thread, start, length, arguments));
    return *this;
  }

  std::vector<std::string> events_;
  std::string device_ = "Test GPU";
  std::string capability_ = R"("computeMajor":8,"computeMinor":0)";
  std::string settings_;
  int64_t launches_ = 0;
  TraceSummary kept_;
};

}  // namespace batchscope::advice
