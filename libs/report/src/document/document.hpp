#pragma once

#include "batchscope/document/document.hpp"

namespace batchscope::report {

// What sections are made of.
using document::Block;
using document::Cell;
using document::cell_of;
using document::Code;
using document::Column;
using document::Document;
using document::Facts;
using document::Field;
using document::Heading;
using document::Image;
using document::Item;
using document::Line;
using document::List;
using document::Paragraph;
using document::repaint;
using document::sentences;
using document::Span;
using document::Table;
using document::Tone;

}  // namespace batchscope::report
