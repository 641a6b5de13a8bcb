#pragma once

#include <map>
#include <string>
#include <string_view>

namespace batchscope::schema {

// What stands behind the name of an engine in a run file.
enum class EngineKind {
  framework,  // it runs models, from a plugin
  laws,       // times by stated laws: the synthetic engine
  callable,   // a function of a user's program, which measured itself
  table       // numbers that were measured elsewhere and do not say with what
};

inline constexpr std::string_view kEngineOfLaws = "synthetic";
inline constexpr std::string_view kEngineCallable = "callable";
inline constexpr std::string_view kEngineNotStated = "imported";

// What who judges or shows a recorded run knows of an engine by its name, be it installed or not.
// What is asked of an engine before it runs stands in its engine::EngineDescription.
struct EngineTraits {
  EngineKind kind = EngineKind::framework;
  // Variables that make its allocators ask for huge pages of the host, and, on CUDA devices, grow
  // what they hold instead of asking for more of it. Empty: none is known.
  std::map<std::string, std::string> huge_pages{};
  std::map<std::string, std::string> growing_segments{};
};

// Of a name that is not known: a framework, of which nothing else is.
const EngineTraits& traits_of(std::string_view engine);

// Whether it goes without saying in what tells settings apart: the engine that models run on unless
// another is named, and what is known by the model's name or by its table.
bool goes_without_saying(std::string_view engine);

}  // namespace batchscope::schema
