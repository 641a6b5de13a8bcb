#pragma once

#include <string>
#include <string_view>

namespace batchscope::charts {

// A picture that stands alone brings its colours along, for a light and for a dark background: they
// are given by classes, of which a browser takes the ones that fit.

// The class that strokes with that colour (of series.hpp), and the one that fills.
std::string stroke_of(std::string_view colour);
std::string fill_of(std::string_view colour);

// The rules of all looks of a picture, for its <style>: below `.batchscope-chart`.
std::string picture_style();

}  // namespace batchscope::charts
