#include "batchscope/base/units.hpp"
#include "batchscope/findings/version_comparison.hpp"

namespace batchscope::findings {

std::string_view to_string(VersionVerdict verdict) {
  switch (verdict) {
    case VersionVerdict::slower:
      return "slower";
    case VersionVerdict::faster:
      return "faster";
    case VersionVerdict::equal:
      return "equal";
    case VersionVerdict::not_slower:
      return "not-slower";
    case VersionVerdict::cannot_tell:
      break;
  }
  return "cannot-tell";
}

std::string in_words(VersionVerdict verdict, double margin) {
  switch (verdict) {
    case VersionVerdict::slower:
      return "slower";
    case VersionVerdict::faster:
      return "faster";
    case VersionVerdict::equal:
      return "equal within " + base::format_level(margin);
    case VersionVerdict::not_slower:
      return "not slower";
    case VersionVerdict::cannot_tell:
      break;
  }
  return "cannot tell";
}

}  // namespace batchscope::findings
