#include "read_kineto.hpp"

#include <utility>

#include "collector.hpp"
#include "formats/scan.hpp"
#include "parallel/threads_to_use.hpp"
#include "parallel_reading.hpp"
#include "top_level.hpp"

namespace batchscope::trace {
namespace {

// How far a stretch of an array of events could be read where it is no JSON as it stands.
struct Recovered {
  // Where the array was closed: behind its bracket. kNotFound: it goes on.
  size_t closed_at = std::string_view::npos;
  // What was read; behind it stands an event that does not end here.
  size_t read_to = 0;
};

constexpr const char* kNoEvent = "text between events that is none";
constexpr const char* kEndsInEvent = "an event that the file ends in";

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
  Held full;
  std::string array = "[" + std::string(object) + "]";
  const size_t size = array.size();
  array.append(BlockReader::kPadding, ' ');
  if (!parser.parse(array.data(), size, full).is_valid || !full.is_one()) return false;
  into.event(full.get());
  return true;
}

// How far the end of an event is looked for, so that a file of broken ones is not gone through
// again and again.
constexpr size_t kFurthest = size_t{1} << 16;

// Behind an event that is JSON as it stands, whatever looks like events in it; kNotFound where it
// is none.
size_t take_all(std::string_view text, size_t at, EventArrayParser& parser, Collector& into) {
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

// Reads events one by one, mends what can be mended, and passes over the others: each is counted.
// `key` as of first_key(). `is_last`: no more text comes, so an event that does not end is lost.
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
    size_t end = is_object ? take_all(text, at, parser, into) : kNotFound;
    // It may end in text that is still to come.
    const bool may_go_on = is_object && !is_last && text.size() - at < kFurthest;
    if (end == kNotFound && may_go_on && end_of_value(text, at) == kNotFound)
      return {kNotFound, at};
    if (end == kNotFound && is_object) end = take_mended(text, at, next, parser, into);
    if (end != kNotFound) {
      at = end;
    } else if (next != kNotFound) {
      into.broken(kNoEvent);
      at = next;
    } else if (is_last || text.size() - at > kLongestEvent) {
      into.broken(!is_object ? kNoEvent : is_last ? kEndsInEvent : "an event without an end");
      return {kNotFound, text.size()};
    } else {
      return {kNotFound, at};
    }
  }
}

constexpr size_t kLongestTail = size_t{64} << 20;

class KinetoReading {
 public:
  KinetoReading(bytes::ByteSource& bytes, const ReadOptions& options)
      : bytes_(bytes),
        blocks_(bytes, "\"ph\"", static_cast<size_t>(std::max<int64_t>(1, options.block_bytes))),
        threads_(threads_to_use(options.threads)),
        reading_(blocks_, table_, options) {}

  base::Result<Trace> run(std::string source) {
    auto head = read_head(blocks_, source);
    if (!head) return std::move(head).error();
    top_ = std::move(*head);
    read_events();
    Trace trace;
    trace.source = std::move(source);
    trace.read.bytes = blocks_.bytes_read();
    trace.read.truncated = truncated_;
    trace.read.unread_bytes = unread_bytes_;
    if (!bytes_.damage().empty()) {
      trace.read.truncated = true;
      ++trace.read.problems[bytes_.damage()];
    }
    table_.finish(threads_, trace);
    if (holds_nothing(trace.read)) {
      return no_trace(trace.source, "is not a trace: it contains no event (" +
                                        trace.read.problems.begin()->first + ")");
    }
    take_over(top_, table_.is_kineto(), table_.recorder(), trace);
    return trace;
  }

 private:
  // What stands where events should is none; a file that ends in its first one is a trace.
  static bool holds_nothing(const ReadSummary& read) {
    return read.events == 0 && read.passed_over == 0 && read.skipped > 0 &&
           !read.problems.contains(kEndsInEvent);
  }

  void find_first_key() {
    std::string start = blocks_.rest(size_t{1} << 16);
    const size_t event = skip_space(start, 0);
    if (event != kNotFound && start[event] == '{') {
      const std::string_view key = first_key(std::string_view(start).substr(event));
      if (!key.empty()) blocks_.set_key(std::string(key));
    }
    blocks_.put_back(start);
  }

  void read_events() {
    find_first_key();
    for (;;) {
      ParallelReading::End end = reading_.run();
      if (end.why == ParallelReading::End::Why::enough) return stop_early();
      if (end.why == ParallelReading::End::Why::closed) return finish(std::move(end.text));
      if (end.why == ParallelReading::End::Why::no_more_text) {
        truncated_ = !top_.is_array;
        return;
      }
      if (!recover(end)) return;
    }
  }

  // False where that was the end.
  bool recover(const ParallelReading::End& end) {
    Collector collector(reading_.numbering());
    const Recovered recovered =
        recover_events(end.text, blocks_.key(), end.is_last, parser_, collector);
    Chunk chunk = collector.take();
    const bool lost_its_end = chunk.problems.contains(kEndsInEvent);
    reading_.add(std::move(chunk));
    if (recovered.closed_at != kNotFound) {
      // The comma was cut off behind a block that is not the last.
      finish(end.text.substr(recovered.closed_at) + (end.is_last ? "" : ","));
      return false;
    }
    std::string left = end.text.substr(recovered.read_to);
    if (end.is_last) {
      truncated_ = !top_.is_array || !left.empty() || lost_its_end;
      return false;
    }
    // Where it was cut in the middle of an event, that event has to be seen whole.
    const size_t full = left.size();
    left += ',';
    blocks_.put_back(left, full);
    return true;
  }

  void finish(std::string behind) {
    behind += blocks_.rest(kLongestTail);
    const size_t end = read_tail(behind, top_);
    truncated_ = end == kNotFound;
    if (!truncated_) count_unread(std::string_view(behind).substr(end));
  }

  static bool is_padding(std::string_view text) {
    return text.find_first_not_of(std::string_view(" \t\r\n,\0", 6)) == std::string_view::npos;
  }

  // A second document, or what somebody appended.
  void count_unread(std::string_view left) {
    bool is_space = is_padding(left);
    int64_t bytes = static_cast<int64_t>(left.size());
    for (;;) {
      const std::string more = blocks_.rest(size_t{1} << 20);
      if (more.empty()) break;
      is_space = is_space && is_padding(more);
      bytes += static_cast<int64_t>(more.size());
    }
    if (!is_space) unread_bytes_ = bytes;
  }

  void stop_early() {
    truncated_ = true;
    Chunk chunk;
    chunk.problem("more events than are read of one file");
    reading_.add(std::move(chunk));
  }

  bytes::ByteSource& bytes_;
  BlockReader blocks_;
  TableBuilder table_{clean_name};
  int threads_;
  ParallelReading reading_;
  EventArrayParser parser_;
  TopLevel top_;
  bool truncated_ = false;
  int64_t unread_bytes_ = 0;
};

}  // namespace

base::Result<Trace> read_kineto(bytes::ByteSource& bytes, std::string source,
                                const ReadOptions& options) {
  return KinetoReading(bytes, options).run(std::move(source));
}

}  // namespace batchscope::trace
