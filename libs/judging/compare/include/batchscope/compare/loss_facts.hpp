#pragma once

#include <optional>
#include <string>

#include "batchscope/findings/summary.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::compare {

// A loss further than this from what it is compared with departs from it.
inline constexpr double kLossApart = 0.05;

// The losses of two configurations that train the same model with the same seed and inputs, at the
// last step that every visit of both has kept. nullopt where there is no such step.
std::optional<findings::LossPair> common_losses(const tables::ConfigData& base,
                                                const tables::ConfigData& other);

// |other - base| / |base|; infinity where one of them is not finite.
double apart(const findings::LossPair& losses);

// "Loss after 8 steps 0.6931 against 0.6929 (0.029 % apart)".
std::string loss_words(const findings::LossPair& losses);

}  // namespace batchscope::compare
