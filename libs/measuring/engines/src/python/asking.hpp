#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engines/interpreted_engine.hpp"

namespace batchscope::engines {

// Bumped with every change of what an interpreter is asked or answers (facts.py and host.py in
// python/batchscope/_inside/): a package of another version then says so instead of something odd.
inline constexpr int64_t kProtocol = 2;

struct Question {
  std::string model{};                // as typed; empty: of the interpreter itself
  std::vector<std::string> inputs{};  // as typed
  uint64_t seed = 0;
};

// Why there is no answer: an Error by its parts.
struct Refusal {
  std::string kind;  // "usage", "input", "out-of-memory", "failed"
  std::string what, where, fix;
};

struct ModelFacts {
  int64_t protocol = 0;
  std::map<std::string, std::string> versions;  // "python" -> "3.11.2"
  std::vector<std::string> devices;

  // Of the model.
  std::string description, hash;
  std::optional<int64_t> parameters;
  std::vector<std::string> inputs;  // as typed, or as the model says them: "x:Bx16"
  bool has_seq_len = false;
  std::optional<int64_t> default_seq_len;
  bool trains = true;

  std::optional<Refusal> refusal;
};

// Asks an interpreter that is started for it, and confined. Errors: its refusal; failed (see
// make_interpreted_engine).
base::Result<ModelFacts> ask(const Interpreter& interpreter, const Question& question,
                             const Confine& confine = {});

}  // namespace batchscope::engines
