#include "batchscope/schema/stated_axes.hpp"

namespace batchscope::schema {
namespace {

constexpr const char* kCheckpointing = "checkpointing";
constexpr const char* kWhenNeeded = "auto";

}  // namespace

bool states_effective_batch(const Header& header) {
  return header.axes.contains("effective_batch");
}

bool checkpoints_when_needed(const Header& header) {
  const auto stated = header.axes.find(kCheckpointing);
  return stated != header.axes.end() && stated->second == kWhenNeeded;
}

void set_checkpoints_when_needed(Header& header) {
  header.axes[kCheckpointing] = kWhenNeeded;
}

}  // namespace batchscope::schema
