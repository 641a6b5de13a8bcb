#pragma once

#include <string>
#include <vector>

#include "batchscope/charts/figures.hpp"
#include "batchscope/charts/scatter.hpp"

namespace batchscope::charts {

// Figures as SVG that stands alone: a document, or a part of a page. It follows the light or dark
// scheme of whoever looks at it, and loads nothing.
std::string picture(const SizeFigure& figure);
std::string picture(const Scatter& scatter);
std::string picture(const BoxFigure& figure);
// One below the other; not none.
std::string picture(const std::vector<StackFigure>& figures);

}  // namespace batchscope::charts
