#pragma once

#include <nlohmann/json_fwd.hpp>

#include "batchscope/charts/figures.hpp"

namespace batchscope::report {

using Json = nlohmann::ordered_json;

// A figure as the page's script reads it (web/report/src/data.ts), all but the place that it
// stands in.
Json chart_json(const charts::SizeFigure& figure);
Json chart_json(const charts::BoxFigure& figure);
Json chart_json(const charts::StackFigure& figure);
Json chart_json(const charts::Scatter& scatter);

}  // namespace batchscope::report
