// The one source that includes simdjson, whose header takes seconds.

#include "event_array.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>

#include "formats/scan.hpp"

namespace batchscope::trace {
namespace {

namespace ondemand = simdjson::ondemand;

static_assert(BlockReader::kPadding >= simdjson::SIMDJSON_PADDING);

// A key as the file has it, up to its closing quote; escapes stay, no key of ours has one.
std::string_view key_of(ondemand::raw_json_string key) {
  const char* const begin = key.raw();
  const char* end = begin;
  while (*end != '"') ++end;
  return {begin, static_cast<size_t>(end - begin)};
}

std::string_view trimmed(std::string_view token) {
  while (!token.empty() && is_space(token.back())) token.remove_suffix(1);
  return token;
}

// The value's text; false where it is no JSON. Brackets are walked over.
bool text_of(ondemand::value value, std::string_view& text) {
  const std::string_view token = value.raw_json_token();
  if (token.empty()) return false;
  if (token.front() != '[' && token.front() != '{') {
    text = trimmed(token);
    return true;
  }
  std::string_view full;
  ondemand::array array;
  if (token.front() == '{') return true;  // none of what we want is an object
  if (value.get_array().get(array) || array.raw_json().get(full)) return false;
  text = trimmed(full);
  return true;
}

using Member = std::string_view RawEvent::*;

struct NamedMember {
  std::string_view key;
  Member member;
};

// Most keys are none of ours: few are compared, those of the same length.
template <size_t N>
Member find_member(const std::array<NamedMember, N>& sorted, std::string_view key) {
  for (const NamedMember& each : sorted) {
    if (each.key.size() < key.size()) continue;
    if (each.key.size() > key.size()) return nullptr;
    if (each.key.front() == key.front() && each.key == key) return each.member;
  }
  return nullptr;
}

template <size_t N>
constexpr bool is_sorted_by_length(const std::array<NamedMember, N>& members) {
  return std::is_sorted(members.begin(), members.end(),
                        [](const auto& a, const auto& b) { return a.key.size() < b.key.size(); });
}

constexpr std::array<NamedMember, 7> kEventMembers{{
    {"ts", &RawEvent::ts},
    {"ph", &RawEvent::ph},
    {"dur", &RawEvent::dur},
    {"cat", &RawEvent::cat},
    {"pid", &RawEvent::pid},
    {"tid", &RawEvent::tid},
    {"name", &RawEvent::name},
}};
static_assert(is_sorted_by_length(kEventMembers));

constexpr std::array<NamedMember, 28> kArguments{{
    {"grid", &RawEvent::grid},
    {"name", &RawEvent::label},
    {"size", &RawEvent::size},
    {"Addr", &RawEvent::address},
    {"bytes", &RawEvent::bytes},
    {"Bytes", &RawEvent::bytes},
    {"block", &RawEvent::block},
    {"stream", &RawEvent::stream},
    {"device", &RawEvent::device},
    {"labels", &RawEvent::label},
    {"Device Id", &RawEvent::device_id},
    {"direction", &RawEvent::direction},
    {"Input type", &RawEvent::input_types},
    {"Call stack", &RawEvent::call_stack},
    {"correlation", &RawEvent::correlation},
    {"Device Type", &RawEvent::device_type},
    {"blocks per SM", &RawEvent::blocks_per_sm},
    {"connection_id", &RawEvent::correlation},
    {"correlation_id", &RawEvent::correlation},
    {"memcpy_details", &RawEvent::copy_details},
    {"Total Reserved", &RawEvent::total_reserved},
    {"Total Allocated", &RawEvent::total_allocated},
    {"Collective name", &RawEvent::collective},
    {"Process Group Name", &RawEvent::group_name},
    {"Process Group Ranks", &RawEvent::group_ranks},
    {"registers per thread", &RawEvent::registers},
    {"est. achieved occupancy %", &RawEvent::occupancy},
    {"activeBlocksPerMultiprocessor", &RawEvent::active_blocks},
}};
static_assert(is_sorted_by_length(kArguments));

bool read_arguments(ondemand::object& arguments, RawEvent& event) {
  for (auto each : arguments) {
    ondemand::field field;
    if (std::move(each).get(field)) return false;
    const std::string_view key = key_of(field.key());
    if (const Member member = find_member(kArguments, key)) {
      if (!text_of(field.value(), event.*member)) return false;
    } else if (key == "occupancy") {  // where newer Kinetos keep "activeBlocksPerMultiprocessor"
      ondemand::object nested;
      if (!field.value().get_object().get(nested) && !read_arguments(nested, event)) return false;
    }
  }
  return true;
}

// Flows only join what a correlation joins too, and there are more of them than of anything else.
bool is_flow(std::string_view ph) {
  return ph.size() == 3 && (ph[1] == 'f' || ph[1] == 's' || ph[1] == 't');
}

// Nothing of a Python function's arguments is needed, and there are many.
constexpr std::string_view kPythonFunction = "\"python_function\"";

// False where the text is no JSON.
bool read_event(ondemand::object& object, RawEvent& event) {
  for (auto each : object) {
    ondemand::field field;
    if (std::move(each).get(field)) return false;
    const std::string_view key = key_of(field.key());
    if (const Member member = find_member(kEventMembers, key)) {
      if (!text_of(field.value(), event.*member)) return false;
      if (member == &RawEvent::ph && is_flow(event.ph)) return true;
    } else if (key == "args" && event.cat != kPythonFunction) {
      ondemand::object arguments;
      if (!field.value().get_object().get(arguments) && !read_arguments(arguments, event)) {
        return false;
      }
    } else {
      event.has_others = true;
    }
  }
  return true;
}

}  // namespace

struct EventArrayParser::State {
  ondemand::parser parser;
};

EventArrayParser::EventArrayParser() : state_(std::make_unique<State>()) {}
EventArrayParser::~EventArrayParser() = default;

ArrayOutcome EventArrayParser::parse(const char* bytes, size_t size, EventSink& sink) {
  ondemand::document document;
  ondemand::array array;
  const simdjson::padded_string_view text(bytes, size, size + BlockReader::kPadding);
  if (state_->parser.iterate(text).get(document) || document.get_array().get(array)) return {};
  for (auto each : array) {
    ondemand::object object;
    if (each.error()) return {};
    ondemand::value value = each.value_unsafe();
    if (value.get_object().get(object)) {
      sink.broken("an element that is no event");
      continue;
    }
    RawEvent event;
    if (!read_event(object, event)) return {};
    sink.event(event);
  }
  const char* behind = nullptr;
  if (document.current_location().get(behind)) return {true, size};
  return {true, static_cast<size_t>(behind - bytes)};
}

}  // namespace batchscope::trace
