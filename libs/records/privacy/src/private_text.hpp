#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace batchscope::privacy {

// The last part of a path, with either kind of slash; "~" for somebody's home folder itself.
std::string file_name(std::string_view path);
// User names that stand in paths below /home, /Users and C:\Users.
std::vector<std::string> users_in(std::string_view text);

// Takes what is private out of texts, the same way in each.
class PrivateText {
 public:
  // A whole word to be replaced wherever it stands; one that is ambiguous (short_names.hpp) only
  // where a user or a host is named.
  void add_word(const std::string& word, const std::string& instead);
  // A path to be replaced by its file name, which is made unique among those of the same `kind`.
  // Returns that name.
  std::string add_path(const std::string& path, const std::string& kind);

  // Known paths, then whatever looks like a path or an address, then known words.
  std::string cleaned(std::string_view text) const;
  // One word of a command line, which may be a path with spaces, or a flag with one.
  std::string cleaned_argument(std::string_view argument) const;

 private:
  std::string with_known_paths(std::string text) const;
  std::string with_words(std::string text) const;

  // Longest first, so that no part of a name is changed before the whole of it.
  struct Longer {
    bool operator()(const std::string& a, const std::string& b) const {
      return a.size() != b.size() ? a.size() > b.size() : a < b;
    }
  };
  std::map<std::string, std::string, Longer> words_;
  std::map<std::string, std::string> short_;
  std::map<std::string, std::string> paths_;
  std::map<std::string, std::set<std::string>> taken_;
};

}  // namespace batchscope::privacy
