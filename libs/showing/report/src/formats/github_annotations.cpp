#include <fmt/format.h>

#include "batchscope/base/characters.hpp"
#include "batchscope/report/build_server.hpp"

namespace batchscope::report {
namespace {

using findings::Gate;
using findings::GateCheck;
using findings::Outcome;

// As GitHub's toolkit escapes: data and, with `property`, what separates properties.
std::string escaped(std::string_view text, bool property = false) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%':
        out += "%25";
        break;
      case '\r':
        out += "%0D";
        break;
      case '\n':
        out += "%0A";
        break;
      case ':':
        out += property ? "%3A" : ":";
        break;
      case ',':
        out += property ? "%2C" : ",";
        break;
      default:
        out += c;
    }
  }
  return base::clean(out);
}

std::string line(std::string_view kind, const std::string& title, const std::string& message) {
  return fmt::format("::{} title={}::{}\n", kind, escaped("batchscope: " + title, true),
                     escaped(message));
}

std::string_view kind_of(Outcome outcome, const GateOptions& options) {
  if (outcome == Outcome::passed) return "notice";
  return outcome == Outcome::inconclusive && options.allow_inconclusive ? "warning" : "error";
}

}  // namespace

std::string github_annotations(std::span<const Gate> gates, const GateOptions& options) {
  std::string lines;
  for (const Gate& gate : gates) {
    const std::string advice = gate.advice.empty() ? "" : "\n" + gate.advice;
    lines += line(kind_of(gate.outcome, options), std::string(to_string(gate.name)),
                  gate.message + advice);
    if (gate.outcome == Outcome::passed) continue;
    for (const GateCheck& check : gate.checks) {
      if (check.outcome == Outcome::passed) continue;
      lines += line(kind_of(check.outcome, options),
                    fmt::format("{}, {}", to_string(gate.name), check.name), check.message);
    }
  }
  return lines;
}

}  // namespace batchscope::report
