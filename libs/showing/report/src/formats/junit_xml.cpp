#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "batchscope/base/characters.hpp"
#include "batchscope/report/build_server.hpp"

namespace batchscope::report {
namespace {

using findings::Gate;
using findings::GateCheck;
using findings::Outcome;

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

// For text and for attributes in double quotes.
std::string xml(std::string_view raw) {
  std::string text = base::clean(raw);
  replace_all(text, "\xEF\xBF\xBE", "\xEF\xBF\xBD");  // U+FFFE and U+FFFF are no characters
  replace_all(text, "\xEF\xBF\xBF", "\xEF\xBF\xBD");
  replace_all(text, "&", "&amp;");
  replace_all(text, "<", "&lt;");
  replace_all(text, ">", "&gt;");
  replace_all(text, "\"", "&quot;");
  replace_all(text, "'", "&apos;");
  return text;
}

struct Counts {
  std::ptrdiff_t tests = 0, failures = 0, errors = 0, skipped = 0;

  std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", tests, failures,
                       errors, skipped);
  }
};

Counts count(const Gate& gate, const GateOptions& options) {
  const auto with = [&](Outcome outcome) {
    return std::count_if(gate.checks.begin(), gate.checks.end(),
                         [&](const GateCheck& check) { return check.outcome == outcome; });
  };
  Counts counts{static_cast<std::ptrdiff_t>(gate.checks.size()), with(Outcome::failed)};
  (options.allow_inconclusive ? counts.skipped : counts.errors) = with(Outcome::inconclusive);
  return counts;
}

std::string result(const Gate& gate, const GateCheck& check, const GateOptions& options) {
  const std::string message = xml(check.message);
  switch (check.outcome) {
    case Outcome::passed:
      return fmt::format("      <system-out>{}</system-out>\n", message);
    case Outcome::failed:
      return fmt::format("      <failure type=\"{}\" message=\"{}\"/>\n", to_string(gate.name),
                         message);
    case Outcome::inconclusive:
      break;
  }
  const std::string all = message + (gate.advice.empty() ? "" : " " + xml(gate.advice));
  return options.allow_inconclusive
             ? fmt::format("      <skipped message=\"{}\"/>\n", all)
             : fmt::format("      <error type=\"inconclusive\" message=\"{}\"/>\n", all);
}

std::string suite(const Gate& gate, const GateOptions& options) {
  std::string text = fmt::format("  <testsuite name=\"{}\" {}>\n", to_string(gate.name),
                                 count(gate, options).attributes());
  for (const GateCheck& check : gate.checks) {
    text += fmt::format("    <testcase classname=\"batchscope.{}\" name=\"{}\">\n",
                        to_string(gate.name), xml(check.name));
    text += result(gate, check, options) + "    </testcase>\n";
  }
  return text + "  </testsuite>\n";
}

}  // namespace

std::string junit_xml(std::span<const Gate> gates, const GateOptions& options) {
  Counts all;
  std::string suites;
  for (const Gate& gate : gates) {
    const Counts counts = count(gate, options);
    all.tests += counts.tests;
    all.failures += counts.failures;
    all.errors += counts.errors;
    all.skipped += counts.skipped;
    suites += suite(gate, options);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"batchscope\" {}>\n{}"
      "</testsuites>\n",
      all.attributes(), suites);
}

}  // namespace batchscope::report
