#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "batchscope/engine/abilities.hpp"
#include "batchscope/engine/description.hpp"

namespace batchscope::engine {

// A model of this engine has the abilities that the engine is described with, and no others.
inline void expect_described_abilities(Model& model, std::string_view engine) {
  const auto described = find_description(engine, {});
  ASSERT_TRUE(described) << engine;
  const auto& reported = described->abilities;
  for (const Ability ability :
       {Ability::takes_tensors, Ability::holds_back, Ability::tells_losses,
        Ability::shows_gradients, Ability::imagines_usage, Ability::diagnoses}) {
    EXPECT_EQ(model.find_interface(ability) != nullptr,
              std::find(reported.begin(), reported.end(), ability) != reported.end())
        << static_cast<int>(ability);
  }
}

}  // namespace batchscope::engine
