#include "recovery.hpp"

#include "scan.hpp"

namespace batchscope::trace {
namespace {

// An event that is longer is none: what was taken for one has lost its end.
constexpr size_t kLongestEvent = BlockReader::kLargestBlock / 2;

// Hands on what it gets only when all of it is known to be valid.
class Held : public EventSink {
 public:
  void event(const RawEvent& event) override { event_ = event, ++events_; }
  void broken(std::string_view why) override { static_cast<void>(why), events_ = 2; }
  bool is_one() const { return events_ == 1; }
  const RawEvent& get() const { return event_; }

 private:
  RawEvent event_;
  int events_ = 0;
};

bool take_valid(std::string_view object, EventArrayParser& parser, Collector& into) {
  Held whole;
  std::string array = "[" + std::string(object) + "]";
  const size_t size = array.size();
  array.append(BlockReader::kPadding, ' ');
  if (!parser.parse(array.data(), size, whole).is_valid || !whole.is_one()) return false;
  into.event(whole.get());
  return true;
}

// How far the end of an event is looked for, so that a file of broken ones is not gone through
// again and again.
constexpr size_t kFurthest = size_t{1} << 16;

// Behind an event that is JSON as it stands, whatever looks like events in it; kNotFound where it
// is none.
size_t take_whole(std::string_view text, size_t at, EventArrayParser& parser, Collector& into) {
  const size_t end = end_of_value(text.substr(0, at + kFurthest), at);
  if (end == kNotFound) return kNotFound;
  return take_valid(text.substr(at, end - at), parser, into) ? end : kNotFound;
}

// The same of one that has to be mended, up to where the next one begins.
size_t take_mended(std::string_view text, size_t at, size_t next, EventArrayParser& parser,
                   Collector& into) {
  const size_t end = end_of_broken_object(text.substr(0, next), at);
  if (end == kNotFound) return kNotFound;
  if (!take_valid(mended_object(text.substr(at, end - at)), parser, into)) {
    into.broken("an event that is no JSON");
  }
  return end;
}

}  // namespace

Recovered recover_events(std::string_view text, std::string_view key, bool is_last,
                         EventArrayParser& parser, Collector& into) {
  size_t at = 0;
  for (;;) {
    at = skip_space(text, at);
    if (at == kNotFound) return {kNotFound, text.size()};
    if (text[at] == ']') return {at + 1, at + 1};
    if (text[at] == ',') {
      ++at;
      continue;
    }
    const bool is_object = text[at] == '{';
    const size_t next = next_event(text, at + 1, key);
    size_t end = is_object ? take_whole(text, at, parser, into) : kNotFound;
    // It may end in text that is still to come.
    const bool may_go_on = is_object && !is_last && text.size() - at < kFurthest;
    if (end == kNotFound && may_go_on && end_of_value(text, at) == kNotFound)
      return {kNotFound, at};
    if (end == kNotFound && is_object) end = take_mended(text, at, next, parser, into);
    if (end != kNotFound) {
      at = end;
    } else if (next != kNotFound) {
      into.broken("text between events that is none");
      at = next;
    } else if (is_last || text.size() - at > kLongestEvent) {
      into.broken(is_last ? "an event that the file ends in" : "an event without an end");
      return {kNotFound, text.size()};
    } else {
      return {kNotFound, at};
    }
  }
}

}  // namespace batchscope::trace
