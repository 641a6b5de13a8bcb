#pragma once

#include <span>
#include <string>

#include "batchscope/findings/gate.hpp"

namespace batchscope::report {

// How gates are told to a build server.
struct GateOptions {
  bool allow_inconclusive = false;  // cannot tell is no trouble
};

// JUnit XML: a test suite for each gate, a test case for each check. failed is a <failure>,
// inconclusive an <error>, or <skipped> where it is allowed. Any text is escaped, and what XML 1.0
// cannot hold is left out or becomes U+FFFD.
std::string junit_xml(std::span<const findings::Gate> gates, const GateOptions& options = {});

// GitHub workflow commands, a line each: ::error for what fails the build (::warning for an
// inconclusive check that is allowed), and for a gate that passed one ::notice. Percent signs and
// line breaks are escaped, so that no text can begin a command of its own.
std::string github_annotations(std::span<const findings::Gate> gates,
                               const GateOptions& options = {});

}  // namespace batchscope::report
