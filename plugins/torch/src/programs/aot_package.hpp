#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "model_file.hpp"

namespace batchscope::torch_plugin {

// What mends a .pt2 file that is none.
inline constexpr std::string_view kPackageFix =
    "create the .pt2 file with torch._inductor.aoti_compile_and_package; torch.export.save does "
    "not compile";

// What a package says about how to call it: its inputs, read from the exported call convention (the
// JSON of a pytree, positional arguments then keyword arguments). Positional ones have no name
// there. Nothing when the text is of an unknown form.
std::optional<std::vector<Argument>> parse_call_spec(std::string_view json);

// What a package carries beside the compiled code.
struct PackageText {
  std::string sources;  // all C++ sources, one after the other
  std::string device;   // what it was compiled for: "cpu", "cuda"; empty when it does not say
};

// Read from the archive itself: LibTorch's own way to the metadata unpacks the package into a
// temporary folder and leaves it there. Errors: input.
base::Result<PackageText> read_package(const std::string& path);

// The value of AOTI_DEVICE_KEY in a package's metadata (JSON); empty when there is none.
std::string compiled_device(std::string_view metadata);

// The numbers of threads that the compiled loops of a package are fixed to, the N of
// "num_threads(N)" in its sources; empty when they follow the runtime's setting.
std::vector<int> fixed_threads(std::string_view source);

}  // namespace batchscope::torch_plugin
