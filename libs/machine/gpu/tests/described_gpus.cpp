#include "described_gpus.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

namespace batchscope::gpu {

DescribedGpus::DescribedGpus(const Json& machine)
    : folder_((std::filesystem::temp_directory_path() / "gpus.XXXXXX").string()) {
  if (mkdtemp(folder_.data()) == nullptr || mkfifo(fifo().c_str(), 0600) != 0) std::abort();
  change(machine);
  const char* before = std::getenv("FAKE_GPUS");
  before_ = before == nullptr ? "" : before;
  setenv("FAKE_GPUS", (folder_ + "/gpus.json").c_str(), 1);
}

DescribedGpus::~DescribedGpus() {
  setenv("FAKE_GPUS", before_.c_str(), 1);
  std::filesystem::remove_all(folder_);
}

// By a new file, so that the driver never sees half of it.
void DescribedGpus::change(const Json& machine) const {
  std::ofstream(folder_ + "/new.json") << machine;
  std::filesystem::rename(folder_ + "/new.json", folder_ + "/gpus.json");
}

void DescribedGpus::let_go() const {
  close(open(fifo().c_str(), O_WRONLY | O_CLOEXEC));
}

Json eight_gpus() {
  return Json::parse(std::ifstream(GPU_FIXTURES "/eight_h100.json"));
}

Json machine_of(Json gpus) {
  return {{"gpus", std::move(gpus)}};
}

}  // namespace batchscope::gpu
