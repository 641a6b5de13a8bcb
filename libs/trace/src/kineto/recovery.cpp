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

void take_event(std::string_view text, EventArrayParser& parser, Collector& into) {
  Held whole;
  std::string array = "[" + mended_object(text) + "]";
  const size_t size = array.size();
  array.append(BlockReader::kPadding, ' ');
  if (parser.parse(array.data(), size, whole).is_valid && whole.is_one()) {
    into.event(whole.get());
  } else {
    into.broken("an event that is no JSON");
  }
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
    const size_t next = next_event(text, at + 1, key);
    // No event goes on where the next one begins; looking no further keeps this linear.
    const size_t end = text[at] == '{' ? end_of_broken_object(text.substr(0, next), at) : kNotFound;
    if (end != kNotFound) {
      take_event(text.substr(at, end - at), parser, into);
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
