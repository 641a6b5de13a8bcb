// A tool as NVTX loads it, which writes what it is told to the file that NVTX_RECORDER_FILE names:
// process, thread, domain, event and name of each, between tabs. Several processes write to one
// file.
#include <fcntl.h>
#include <nvtx3/nvToolsExt.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace {

int file = -1;

// One call of write() a line, so that processes and threads do not write into each other's.
void record(const std::string& domain, const std::string& event, const std::string& name) {
  const std::string line = std::to_string(getpid()) + '\t' + std::to_string(syscall(SYS_gettid)) +
                           '\t' + domain + '\t' + event + '\t' + name + '\n';
  if (write(file, line.data(), line.size()) < 0) std::abort();
}

// Handles are what a tool makes of them; a program only hands them back. None goes before the
// process does.
const std::string& text_of(const void* handle) {
  return *static_cast<const std::string*>(handle);
}
template <class Handle>
Handle handle_of(const char* text) {
  return reinterpret_cast<Handle>(new std::string(text));
}

// Of the thread: what each domain has open.
thread_local int depth = 0;

nvtxDomainHandle_t create_domain(const char* name) {
  record(name, "domain", "");
  return handle_of<nvtxDomainHandle_t>(name);
}

nvtxStringHandle_t register_string(nvtxDomainHandle_t domain, const char* text) {
  record(text_of(domain), "register", text);
  return handle_of<nvtxStringHandle_t>(text);
}

int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  const bool registered = attributes->messageType == NVTX_MESSAGE_TYPE_REGISTERED;
  record(text_of(domain), registered ? "push" : "push unregistered",
         registered ? text_of(attributes->message.registered) : attributes->message.ascii);
  return depth++;
}

int pop(nvtxDomainHandle_t domain) {
  record(text_of(domain), depth > 0 ? "pop" : "pop of nothing", "");
  return depth > 0 ? --depth : -1;
}

template <class Function>
void put(NvtxFunctionTable table, int id, Function function) {
  *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t export_table) {
  const char* const path = std::getenv("NVTX_RECORDER_FILE");
  if (path == nullptr) return 0;
  if (file < 0) file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  const auto* const callbacks =
      static_cast<const NvtxExportTableCallbacks*>(export_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  if (file < 0 || callbacks == nullptr ||
      callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, nullptr) == 0) {
    return 0;
  }
  put(table, NVTX_CBID_CORE2_DomainCreateA, create_domain);
  put(table, NVTX_CBID_CORE2_DomainRegisterStringA, register_string);
  put(table, NVTX_CBID_CORE2_DomainRangePushEx, push);
  put(table, NVTX_CBID_CORE2_DomainRangePop, pop);
  return 1;
}
