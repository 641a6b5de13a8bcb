#pragma once

#include <string>
#include <vector>

#include "batchscope/document/page_frame.hpp"
#include "batchscope/document/web_bundle.hpp"

namespace batchscope::traceview {

// What a page of traces consists of; texts as they are, the others as HTML.
struct PageContent {
  std::string title;
  std::string below_title;  // which files
  std::string answer;
  std::vector<document::PagePart> parts;  // those that hold nothing are left out
  std::string data;                       // elements for the script
};

// From the doctype on.
std::string full_page(const document::WebBundle& bundle, PageContent content);

// JSON and CSV that the page's buttons give out.
std::string download_data(const std::string& csv, const std::string& json);

}  // namespace batchscope::traceview
