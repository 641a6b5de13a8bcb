#include "batchscope/base/subject.hpp"

#include <cstddef>

namespace batchscope::base {
namespace {

// none for what is no name.
Subject subject_of(std::string_view name) {
  for (std::size_t i = 0; i < kSubjectNames.size(); ++i) {
    if (kSubjectNames[i] == name) return static_cast<Subject>(i);
  }
  return Subject::none;
}

}  // namespace

std::string name_of(Subject subject) {
  return std::string(name_in_table(subject));
}

std::string mention(Subject subject) {
  return std::string(kMentionMark).append(name_of(subject)).append(kMentionMark);
}

std::string spell(std::string_view text, Spelling spelling) {
  std::string spelt;
  for (std::size_t at = text.find(kMentionMark); at != text.npos; at = text.find(kMentionMark)) {
    const std::string_view rest = text.substr(at + kMentionMark.size());
    const std::string_view name = rest.substr(0, rest.find(kMentionMark));
    const Subject subject = name.size() < rest.size() ? subject_of(name) : Subject::none;
    spelt += text.substr(0, at);
    if (subject == Subject::none) {
      spelt += kMentionMark;
      text = rest;
    } else {
      spelt += spelling(subject);
      text = rest.substr(name.size() + kMentionMark.size());
    }
  }
  return spelt.append(text);
}

}  // namespace batchscope::base
