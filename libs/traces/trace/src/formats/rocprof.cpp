#include "rocprof.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "batchscope/base/strings.hpp"

namespace batchscope::trace {
namespace {

using Json = nlohmann::json;

constexpr size_t kDeepest = 32;        // levels that are followed
constexpr size_t kLongestText = 4096;  // of what is kept
constexpr size_t kMostNames = 4'000'000;
constexpr size_t kMostKinds = 65'536;

struct TableName {
  std::string_view key;
  RecordTable table;
};
constexpr std::array<TableName, 9> kTables{{
    {"kernel_dispatch", RecordTable::kernel},
    {"memory_copy", RecordTable::copy},
    {"hip_api", RecordTable::call},
    {"hip_runtime_api", RecordTable::call},
    {"hip_compiler_api", RecordTable::call},
    {"hsa_api", RecordTable::call},
    {"rccl_api", RecordTable::call},
    {"rocdecode_api", RecordTable::call},
    {"marker_api", RecordTable::marker},
}};

struct Field {
  std::string_view key;  // joined by dots, below the record
  int64_t RocprofRecord::*member;
};
constexpr std::array<Field, 9> kFields{{
    {"start_timestamp", &RocprofRecord::start_ns},
    {"end_timestamp", &RocprofRecord::end_ns},
    {"correlation_id.internal", &RocprofRecord::correlation},
    {"thread_id", &RocprofRecord::thread},
    {"kind", &RocprofRecord::kind},
    {"operation", &RocprofRecord::operation},
    {"dispatch_info.kernel_id", &RocprofRecord::kernel},
    {"bytes", &RocprofRecord::bytes},
    {"process_id", &RocprofRecord::process},
}};

struct Handle {
  std::string_view key;
  uint64_t RocprofRecord::*member;
};
constexpr std::array<Handle, 5> kHandles{{
    {"dispatch_info.agent_id.handle", &RocprofRecord::agent},
    {"dst_agent_id.handle", &RocprofRecord::agent},
    {"src_agent_id.handle", &RocprofRecord::source_agent},
    {"dispatch_info.queue_id.handle", &RocprofRecord::queue},
    {"stream_id.handle", &RocprofRecord::queue},
}};

// Walks the document and keeps the keys that lead to where it is.
class Walk : public nlohmann::json_sax<Json> {
 public:
  Walk(const std::function<bool(const RocprofRecord&)>& take, RocprofNames& names)
      : take_(take), names_(names) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t number) override { return number_is(number); }
  bool number_unsigned(number_unsigned_t number) override {
    return number_is(static_cast<int64_t>(number));
  }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool string(string_t& text) override { return text_is(text); }

  bool key(string_t& name) override {
    if (!path_.empty()) path_.back() = name.substr(0, 64);
    return true;
  }
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override {
    close();
    if (path_.size() == kRecordDepth && table_) return hand_on();
    if (path_.size() == kEntryDepth && is_below("agents")) add_agent();
    if (path_.size() == kEntryDepth && is_below("kernel_symbols")) add_kernel();
    return true;
  }
  bool end_array() override {
    close();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return false;
  }

 private:
  // {"rocprofiler-sdk-tool": [{"buffer_records": {"kernel_dispatch": [{...}]}}]}: levels around a
  // record, with "" for a list.
  static constexpr size_t kRecordDepth = 5;
  // Of agents and names of kernels: {"rocprofiler-sdk-tool": [{"agents": [{...}]}]}.
  static constexpr size_t kEntryDepth = 4;

  bool open() {
    path_.emplace_back();
    if (path_.size() > kDeepest) return false;
    if (path_.size() == kRecordDepth + 1) begin_record();
    if (path_.size() == kEntryDepth + 1) {
      agent_ = {};
      entry_id_ = -1;
      entry_name_.clear();
    }
    return true;
  }
  void close() {
    if (!path_.empty()) path_.pop_back();
  }

  // The section of the tool's object: "buffer_records", "agents".
  bool is_below(std::string_view section) const { return path_.size() > 2 && path_[2] == section; }

  void begin_record() {
    table_.reset();
    entry_id_ = -1;
    const bool is_kind = is_below("strings") && path_[3] == "buffer_records";
    if (is_kind && names_.kinds.size() < kMostKinds) names_.kinds.emplace_back();
    if (!is_below("buffer_records")) return;
    const auto known = std::find_if(kTables.begin(), kTables.end(),
                                    [&](const TableName& each) { return each.key == path_[3]; });
    if (known == kTables.end()) return;
    table_ = known->table;
    record_ = {};
    record_.table = known->table;
    record_.process = process_;
    grid_ = group_ = {1, 1, 1};
  }

  bool hand_on() {
    const auto product = [](const std::array<int64_t, 3>& sides) {
      int64_t all = 1;
      for (const int64_t side : sides) {
        if (side <= 0 || __builtin_mul_overflow(all, side, &all)) return int64_t{0};
      }
      return all;
    };
    if (record_.table == RecordTable::kernel) {
      record_.work_items = product(grid_);
      record_.group_items = product(group_);
    }
    table_.reset();
    return take_(record_);
  }

  // The keys below that level, joined by dots.
  std::string below(size_t level) const {
    std::string all;
    for (size_t i = level; i < path_.size(); ++i) {
      if (!all.empty()) all += '.';
      all += path_[i];
    }
    return all;
  }

  bool number_is(int64_t number) {
    if (path_.size() > kRecordDepth && table_) {
      set_field(below(kRecordDepth), number);
    } else if (path_.size() > kEntryDepth && is_below("agents")) {
      set_agent(below(kEntryDepth), number);
    } else if (path_.size() > kEntryDepth &&
               (path_.back() == "kernel_id" || path_.back() == "key")) {
      entry_id_ = number;
    } else if (path_.size() == 4 && is_below("metadata") && path_[3] == "pid") {
      process_ = number;
    }
    return true;
  }

  void set_field(const std::string& key, int64_t number) {
    for (const Field& each : kFields) {
      if (each.key == key) record_.*each.member = number;
    }
    for (const Handle& each : kHandles) {
      if (each.key == key) record_.*each.member = static_cast<uint64_t>(number);
    }
    if (key.size() < 2 || key[key.size() - 2] != '.') return;
    const auto side = static_cast<size_t>(key.back() - 'x');
    if (side > 2) return;
    if (key.starts_with("dispatch_info.grid_size.")) grid_.at(side) = number;
    if (key.starts_with("dispatch_info.workgroup_size.")) group_.at(side) = number;
  }

  void set_agent(const std::string& key, int64_t number) {
    constexpr int64_t kGpu = 2;
    if (key == "id.handle") agent_.handle = static_cast<uint64_t>(number);
    if (key == "type") agent_.is_gpu = number == kGpu;
    if (key == "cu_count") agent_.compute_units = number;
  }

  void add_agent() {
    if (names_.agents.size() >= 4096) return;
    agent_.number = std::count_if(names_.agents.begin(), names_.agents.end(),
                                  [](const RocprofAgent& each) { return each.is_gpu; });
    names_.agents.push_back(std::move(agent_));
    agent_ = {};
  }

  bool text_is(const std::string& text) {
    if (text.empty() || path_.size() <= kEntryDepth) return true;
    const std::string& key = path_.back();
    if (is_below("agents")) {
      if (key == "product_name" || (key == "name" && agent_.name.empty())) agent_.name = text;
    } else if (is_below("kernel_symbols")) {
      const bool is_better = key == "formatted_kernel_name";
      if (is_better || (key == "kernel_name" && entry_name_.empty())) entry_name_ = text;
    } else if (is_below("strings") && path_.size() > kRecordDepth) {
      add_string(text);
    }
    return true;
  }

  void add_kernel() {
    if (entry_name_.empty() || names_.kernels.size() >= kMostNames) return;
    names_.kernels.emplace_back(entry_id_, entry_name_.substr(0, kLongestText));
  }

  // {"kind": "HIP_RUNTIME_API", "operations": ["hipMalloc"]}, {"key": 7, "value": "step"}.
  void add_string(const std::string& text) {
    const std::string& key = path_[kRecordDepth];
    if (path_[3] == "buffer_records" && !names_.kinds.empty()) {
      RocprofNames::Kind& kind = names_.kinds.back();
      if (key == "kind") kind.name = text;
      const bool has_room = kind.operations.size() < kMostKinds;
      if (key == "operations" && has_room) kind.operations.push_back(text.substr(0, kLongestText));
    } else if (path_[3] == "marker_api" && key == "value" && names_.markers.size() < kMostNames) {
      names_.markers.emplace_back(entry_id_, text.substr(0, kLongestText));
    }
  }

  const std::function<bool(const RocprofRecord&)>& take_;
  RocprofNames& names_;
  std::vector<std::string> path_;  // one entry a level that is open: the key it is at, "" in a list
  std::optional<RecordTable> table_;
  RocprofRecord record_;
  std::array<int64_t, 3> grid_{};
  std::array<int64_t, 3> group_{};
  RocprofAgent agent_;
  int64_t entry_id_ = -1;  // of what is named
  std::string entry_name_;
  int64_t process_ = 0;
};

// What the bytes hold, one by one, for a parser that reads through iterators.
class Characters {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  struct Buffer {
    const ReadBytes& bytes;
    std::vector<char> room = std::vector<char>(size_t{1} << 16);
    size_t at = 0;
    size_t size = 0;

    // False at the end.
    bool fill() {
      if (at < size) return true;
      size = bytes(room);
      at = 0;
      return size > 0;
    }
  };

  explicit Characters(Buffer* buffer = nullptr) : buffer_(buffer) { settle(); }
  reference operator*() const { return buffer_->room[buffer_->at]; }
  Characters& operator++() {
    ++buffer_->at;
    settle();
    return *this;
  }
  Characters operator++(int) { return ++*this; }
  bool operator==(const Characters& other) const { return buffer_ == other.buffer_; }
  bool operator!=(const Characters& other) const { return !(*this == other); }

 private:
  void settle() {
    if (buffer_ != nullptr && !buffer_->fill()) buffer_ = nullptr;
  }
  Buffer* buffer_;
};

const std::string* find(const std::vector<std::pair<int64_t, std::string>>& names, int64_t number) {
  const auto found = std::lower_bound(names.begin(), names.end(), number,
                                      [](const auto& a, int64_t b) { return a.first < b; });
  return found == names.end() || found->first != number ? nullptr : &found->second;
}

void sort(std::vector<std::pair<int64_t, std::string>>& names) {
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
}

}  // namespace

const RocprofAgent* RocprofNames::agent(uint64_t handle) const {
  const auto found = std::find_if(agents.begin(), agents.end(),
                                  [&](const RocprofAgent& each) { return each.handle == handle; });
  return found == agents.end() ? nullptr : &*found;
}

std::string RocprofNames::name_of(const RocprofRecord& record) const {
  if (record.table == RecordTable::kernel) {
    const std::string* const name = find(kernels, record.kernel);
    return name != nullptr ? *name : "kernel " + std::to_string(record.kernel);
  }
  if (record.table == RecordTable::marker) {
    const std::string* const name = find(markers, record.correlation);
    if (name != nullptr) return *name;
  }
  const auto kind = static_cast<size_t>(record.kind);
  const auto operation = static_cast<size_t>(record.operation);
  if (kind < kinds.size() && operation < kinds[kind].operations.size()) {
    return kinds[kind].operations[operation];
  }
  return (record.table == RecordTable::copy ? "copy " : "call ") + std::to_string(record.operation);
}

bool is_rocprof(std::string_view head) {
  const size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '{' &&
         base::contains_text(head, "\"rocprofiler-sdk-tool\"");
}

bool walk_rocprof(const ReadBytes& bytes, const std::function<bool(const RocprofRecord&)>& take,
                  RocprofNames& names) {
  Characters::Buffer buffer{bytes};
  Walk walk(take, names);
  const bool full = Json::sax_parse(Characters(&buffer), Characters(), &walk);
  sort(names.kernels);
  sort(names.markers);
  return full;
}

}  // namespace batchscope::trace
