#include <utility>

#include "batchscope/gpu/gpus.hpp"

namespace batchscope::gpu {
namespace {

class AbsentGpus : public Gpus {
 public:
  AbsentGpus(std::string why, std::string fix) : why_(std::move(why)), fix_(std::move(fix)) {}

  bool available() const override { return false; }
  std::string why_absent() const override { return why_; }
  std::string how_to_get() const override { return fix_; }
  std::optional<std::string> driver_version() const override { return std::nullopt; }
  int count() const override { return 0; }
  Gpu read(int) const override { return {}; }

 private:
  std::string why_;
  std::string fix_;
};

}  // namespace

std::unique_ptr<Gpus> absent_gpus(std::string why, std::string how_to_get) {
  return std::make_unique<AbsentGpus>(std::move(why), std::move(how_to_get));
}

}  // namespace batchscope::gpu
