#include "named_values_axis.hpp"

// What models in a language of their own are made with, and how that is run.

namespace batchscope::schema {
namespace {

std::string compile_in_words(const RunConfig& config) {
  if (!config.compile) return "";
  return *config.compile ? "compiled" : "eager";
}

std::string gc_in_words(const RunConfig& config) {
  if (!config.gc) return "";
  if (*config.gc == "off") return "no garbage collection";
  return *config.gc == "freeze" ? "frozen heap" : "garbage collector " + *config.gc;
}

}  // namespace

std::vector<AxisRow> interpreter_axes() {
  return {named_values_axis<&RunConfig::param, "param", "--param">(
              {.id = AxisId::param,
               .description = "values of a factory's own, by name",
               .sets_outputs = true,
               .of_interpreter = true}),
          plain_axis<&RunConfig::compile, "compile">(
              {.id = AxisId::compile,
               .help = "Python models: off, on; on: use torch.compile (default: as the factory "
                       "returns them)",
               .description = "models in Python: true: compiled by torch.compile; false: not; "
                              "absent: as the model was made",
               .sets_outputs = true,
               .of_interpreter = true,
               .words = compile_in_words}),
          plain_axis<&RunConfig::gc, "gc">(
              {.id = AxisId::gc,
               .help = "Python models: on, freeze, off: the garbage collector; freeze: ignore "
                       "objects that exist when timing begins (default: as the model leaves it)",
               .description = "models in Python, the garbage collector: on, freeze or off; absent: "
                              "as the model leaves it",
               .of_interpreter = true,
               .words = gc_in_words})};
}

}  // namespace batchscope::schema
