#include "batchscope/cluster/refusals.hpp"

#include <fmt/format.h>

#include "batchscope/base/file.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::cluster {
namespace {

std::filesystem::path refusals_of(const std::filesystem::path& folder) {
  return folder / "refused";
}

std::filesystem::path path_of(const std::filesystem::path& folder, int block) {
  return refusals_of(folder) / fmt::format("{}.txt", block);
}

}  // namespace

void tell_refusal(const std::filesystem::path& folder, int block, const base::Error& why) {
  std::error_code unknown;
  if (!std::filesystem::exists(job_path(folder), unknown)) return;
  static_cast<void>(
      base::write_file_atomically(path_of(folder, block), base::to_string(why) + "\n"));
}

base::Result<void> find_refusal(const std::filesystem::path& folder, const JobFile& job) {
  for (int block = 0; block < job.blocks; ++block) {
    const auto path = path_of(folder, block);
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown)) continue;
    const auto text = base::read_file(path);
    if (!text) return text.error();
    return base::Error{base::ErrorKind::input,
                       fmt::format("block {} cannot be measured: {}", block, base::trim(*text)),
                       folder.string(), ""};
  }
  return {};
}

void forget_refusals(const std::filesystem::path& folder) {
  std::error_code none;
  std::filesystem::remove_all(refusals_of(folder), none);
}

}  // namespace batchscope::cluster
