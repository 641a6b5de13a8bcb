#include "find_inputs.hpp"

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/engine/input_text.hpp"
#include "libtorch/precision.hpp"
#include "programs/aot_program.hpp"
#include "programs/model_file.hpp"
#include "programs/torchscript_program.hpp"
#include "shapes.hpp"
#include "trial.hpp"
#include "values.hpp"

namespace batchscope::torch_plugin {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using engine::InputSpec;

// Sizes that nobody told, in the order in which they are met.
class Letters {
 public:
  std::string next() {
    const std::string all = "NMKL";
    names_.push_back(std::string(1, all[names_.size() % all.size()]));
    return names_.back();
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

std::string size_text(const Extent& extent, Letters& letters) {
  switch (extent.is) {
    case Extent::Is::batch:
      return "B";
    case Extent::Is::length:
      return "S";
    case Extent::Is::reported:
      return std::to_string(extent.size);
    case Extent::Is::open:
      return letters.next();
  }
  return "";
}

// Weights in half precision take inputs that are declared float32: they are fed in that type.
engine::DType type_of(const Draft& draft, at::ScalarType floating) {
  if (draft.type == floating) return engine::DType::float32;
  return dtype_of(draft.type).value_or(engine::DType::float32);
}

InputSpec spec_of(const Draft& draft, at::ScalarType floating) {
  InputSpec spec;
  spec.name = draft.name;
  spec.dtype = type_of(draft, floating);
  for (const Extent& extent : draft.extents) {
    const bool batch = extent.is == Extent::Is::batch, length = extent.is == Extent::Is::length;
    if (batch) spec.dimensions.push_back({0, engine::Symbol::batch});
    if (length) spec.dimensions.push_back({0, engine::Symbol::length});
    if (!batch && !length) spec.dimensions.push_back({extent.size});
  }
  if (engine::is_mask(spec)) {
    spec.constant = 1;
  } else if (draft.high) {
    spec.low = 0;
    spec.high = *draft.high;
  }
  return spec;
}

// As it is typed, with letters for what nobody told: "x:BxNx256".
std::string typed(const Draft& draft, at::ScalarType floating, Letters& letters) {
  InputSpec values = spec_of(draft, floating);
  values.dimensions = {{0, engine::Symbol::batch}};
  std::string sizes;
  for (const Extent& extent : draft.extents) {
    sizes += (sizes.empty() ? "" : "x") + size_text(extent, letters);
  }
  // Of "x:B:int64=0-9" the shape alone is replaced.
  const std::string text = engine::to_text(values);
  const std::string start = values.name + ":B";
  return values.name + ":" + (sizes.empty() ? "BxN" : sizes) + text.substr(start.size());
}

std::string outcome_of(const Shapes& shapes, const std::string& open) {
  if (shapes.accepted) return "a trial call accepted any number for " + open;
  if (!shapes.has_batch) return "in trial calls " + shapes.refusal;
  if (shapes.refusal.empty()) return "the trial calls took more than a minute";
  return "no trial call with generated inputs succeeded; last error: " + shapes.refusal;
}

// What is typed is measured at several batch sizes, whatever an example had.
Draft with_batch_dimension(Draft draft) {
  if (!draft.extents.empty()) draft.extents.front().is = Extent::Is::batch;
  return draft;
}

Error not_reported(const TriedProgram& tried, const Shapes& shapes, const std::string& path) {
  Letters letters;
  std::string fix = "add";
  for (const Draft& draft : shapes.drafts) {
    fix += " --input " +
           typed(shapes.has_batch ? with_batch_dimension(draft) : draft, tried.floating, letters);
  }
  const std::string open = base::join(letters.names(), " and ");
  const bool one = letters.names().size() == 1;
  if (!open.empty()) fix += (one ? " with a number for " : " with numbers for ") + open;
  if (!shapes.has_batch) fix += ", and B for the dimension that counts samples";
  if (!tried.shapes_reported) {
    fix += "; a torch.jit.trace file keeps its example's shapes and needs no --input";
  }
  return {
      ErrorKind::usage,
      "the file does not define its inputs: " + tried.expects + ", and " + outcome_of(shapes, open),
      path, std::move(fix)};
}

bool has_open(const std::vector<Draft>& drafts) {
  return std::any_of(drafts.begin(), drafts.end(), [](const Draft& draft) {
    return std::any_of(draft.extents.begin(), draft.extents.end(),
                       [](const Extent& each) { return each.is == Extent::Is::open; });
  });
}

Error late_batch(const TriedProgram& tried, const Shapes& shapes, const std::string& path) {
  Letters letters;
  std::string fix = "if that dimension counts samples, add";
  for (const Draft& draft : shapes.drafts) {
    fix += " --input " + typed(draft, tried.floating, letters);
  }
  return {ErrorKind::usage,
          "of " + shapes.drafts.front().name +
              " its first dimension has a fixed size, but another one does not: it is unclear "
              "which one counts samples",
          path, std::move(fix)};
}

Result<TriedProgram> open(const std::string& path) {
  const auto kind = kind_of(path);
  if (!kind) return kind.error();
  return *kind == FileKind::torchscript ? try_torchscript(path) : try_aot(path);
}

}  // namespace

Result<std::vector<InputSpec>> find_inputs(const std::string& path) {
  auto tried = open(path);
  if (!tried) return std::move(tried).error();
  if (tried->drafts.empty()) {
    return Error{ErrorKind::input, tried->expects + ", none of which is required", path,
                 "wrap the model so that forward takes a tensor"};
  }
  Trial trial(*tried);
  Shapes shapes = tried->shapes_reported ? shapes_of_example(trial, tried->drafts)
                                         : shapes_by_trial(trial, tried->drafts);
  if (shapes.accepted) {
    if (!tried->aborts) find_largest_values(trial, shapes.drafts);
    find_lengths(trial, shapes.drafts);
  }
  if (trial.out_of_time()) {
    shapes.accepted = false;
    shapes.refusal.clear();
  }
  if (!shapes.accepted || has_open(shapes.drafts)) {
    return not_reported(*tried, shapes, path);
  }
  if (shapes.first_fixed) return late_batch(*tried, shapes, path);
  return base::mapped(shapes.drafts,
                      [&](const Draft& draft) { return spec_of(draft, tried->floating); });
}

}  // namespace batchscope::torch_plugin
