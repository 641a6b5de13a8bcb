#pragma once

#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/document/web_bundle.hpp"

namespace batchscope::document {

// What pages have in common: their head, large figures, parts and how these are found, and data for
// a script.

// Of a build without the scripts.
base::Error no_page(const char* instead);

// From the doctype to the end of the head: the title, the style, and a policy by which nothing is
// fetched, and nothing runs or styles but what stands in the page, known by its hash.
std::string page_head(const std::string& title, const WebBundle& bundle);

// A figure at a glance, an interval or a remark beside it, and below it what it is of.
struct Tile {
  std::string value, beside, label;
};
std::string tiles_html(const std::vector<Tile>& tiles);

// A part of a page; `title` and `html` as they stand there.
struct PagePart {
  std::string id, title, html;
  bool folded = false;  // opened by a link into it, by a search, and on paper
  bool in_menu = true;
};

// Links to the parts.
std::string navigation(const std::vector<PagePart>& parts);
std::string part_html(const PagePart& part);
// What is shown once it is asked for; nothing where there is nothing.
std::string fold(const char* summary, const std::string& html);

// JSON as the content of an element that the script reads.
std::string data_element(const char* id, const std::string& json);

}  // namespace batchscope::document
