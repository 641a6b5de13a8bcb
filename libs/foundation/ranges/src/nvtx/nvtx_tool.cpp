#include <nvtx3/nvToolsExt.h>

#include "tool.hpp"

namespace batchscope::ranges::nvtx {
namespace {

constexpr const char* kDomain = "batchscope";

class NvtxTool final : public Tool {
 public:
  explicit NvtxTool(nvtxDomainHandle_t domain) : domain_(domain) {}

  const void* handle_of(const char* text) override {
    return nvtxDomainRegisterStringA(domain_, text);
  }

  void push(const Name& name) noexcept override {
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    if (name.handle != nullptr) {
      attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
      // NVTX hands the pointer out as one to what may be written; nobody does.
      attributes.message.registered =
          static_cast<nvtxStringHandle_t>(const_cast<void*>(name.handle));
    } else {
      attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
      attributes.message.ascii = name.text;
    }
    nvtxDomainRangePushEx(domain_, &attributes);
  }

  void pop() noexcept override { nvtxDomainRangePop(domain_); }

 private:
  nvtxDomainHandle_t domain_;
};

}  // namespace

// A domain is what a tool makes: without one the headers' own function returns null.
std::unique_ptr<Tool> find_tool() {
  const nvtxDomainHandle_t domain = nvtxDomainCreateA(kDomain);
  if (domain == nullptr) return nullptr;
  return std::make_unique<NvtxTool>(domain);
}

}  // namespace batchscope::ranges::nvtx
