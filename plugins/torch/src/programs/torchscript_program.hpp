#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <string>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "draft.hpp"
#include "program.hpp"

namespace batchscope::torch_plugin {

// Loads a TorchScript file and runs it as its user would: eval() for inference, train() for
// training, neither frozen nor otherwise rewritten. In bf16 and fp16 inference the module is
// converted (`module.to(dtype)`); fp32 takes it as it is stored. Outputs: all tensors in what
// forward returns, tuples, lists and dictionaries opened up.
// Errors: input (not TorchScript), usage (inputs that do not fit), failed (precision).
base::Result<LoadedProgram> load_torchscript(const engine::ModelSpec& spec,
                                             const engine::ExecutionSpec& execution,
                                             c10::Device device);

// The same on the CPU in the precision that it is stored in, for trial calls, with the names that
// forward tells and the shapes that torch.jit.trace kept of its example, where it did. Inputs that
// have a default are left to it. Errors: input.
base::Result<TriedProgram> try_torchscript(const std::string& path);

struct FileFacts {
  int64_t parameters = 0;
  std::string description;  // "TorchScript, forward(Tensor x) -> Tensor"
};

base::Result<FileFacts> inspect_torchscript(const std::string& path);

}  // namespace batchscope::torch_plugin
