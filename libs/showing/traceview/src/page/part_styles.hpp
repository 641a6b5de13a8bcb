#pragma once

#include <string>

#include "batchscope/attribution/time_parts.hpp"

namespace batchscope::traceview {

// How a part of a device's time is shown: never by colour alone. Colours are variables of the
// page's style, named part-KEY and ink-KEY.
struct PartStyle {
  const char* key;    // of the variables
  const char* name;   // "idle: data loading"
  const char* means;  // a sentence without its end
  // What is drawn over the colour in its ink, as the lines of a tile of 8 by 8; empty: nothing.
  const char* weave;

  // Where it is known that the device was idle: "data loading".
  std::string short_name() const;
};
const PartStyle& look_of(attribution::Part part);

// Of part_bar() and other drawings, once a page, before them.
std::string part_patterns();
// The parts as one bar, as wide as its place; empty where there are none.
std::string part_bar(const attribution::TimeParts& parts, int height);
// "compute 59 %, idle: data loading 28 %": those that there are.
std::string parts_in_words(const attribution::TimeParts& parts);
// What the colours and patterns of those parts mean.
std::string part_legend(const attribution::TimeParts& parts);

// The value of `fill` for what shows that part.
std::string part_fill(attribution::Part part);

}  // namespace batchscope::traceview
