#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <algorithm>
#include <vector>

#include "batchscope/bytes/byte_source.hpp"
#include "batchscope/bytes/lines.hpp"

namespace batchscope::bytes {
namespace {

// That each begins with.
constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";
constexpr size_t kCompressedBytes = size_t{1} << 18;  // taken at a time

// What stands before a decompressor: a stretch of another source, refilled when it is used up.
class Episode {
 public:
  explicit Episode(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), buffer_(kCompressedBytes) {
    refill();
  }

  std::string_view left() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void consume(size_t bytes) { begin_ += bytes; }
  // More behind what is left; false at the end.
  bool refill() {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
    const size_t got = source_->read(std::span(buffer_).subspan(end_));
    end_ += got;
    return got > 0;
  }
  // Past the stretch, straight into another buffer; for when nothing is left.
  size_t read_past(std::span<char> into) { return source_->read(into); }
  const std::string& damage() const { return source_->damage(); }
  double share_read() const { return source_->share_read(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(Episode segment) : in_(std::move(segment)) {}

  size_t read(std::span<char> into) override {
    const std::string_view left = in_.left();
    if (left.empty()) {
      const size_t got = in_.read_past(into);
      damage_ = in_.damage();
      return got;
    }
    const size_t size = std::min(into.size(), left.size());
    std::copy_n(left.begin(), size, into.begin());
    in_.consume(size);
    return size;
  }

  double share_read() const override { return in_.share_read(); }

 private:
  Episode in_;
};

// Members one behind another are one text, as gunzip has it.
class GzipSource : public ByteSource {
 public:
  explicit GzipSource(Episode segment)
      : in_(std::move(segment)), state_(std::make_unique<inflate_state>()) {
    begin_member();
  }

  size_t read(std::span<char> into) override {
    size_t done = 0;
    while (done == 0 && !ended_) {
      const bool starved = in_.left().empty() && !more_is_held_;
      if (starved && !in_.refill()) return end_early("the gzip data is truncated");
      if (!between_members_) {
        done = inflate(into);
      } else if (in_.left().substr(0, 1) == "\x1f") {
        begin_member();
      } else {
        ended_ = true;
        const std::string_view left = in_.left();
        const bool is_padding = left.find_first_not_of('\0') == std::string_view::npos;
        if (!is_padding) damage_ = "other data follows the gzip data";
      }
    }
    return done;
  }

  double share_read() const override { return in_.share_read(); }

 private:
  void begin_member() {
    isal_inflate_init(state_.get());
    state_->crc_flag = ISAL_GZIP;
    between_members_ = false;
  }

  size_t end_early(const char* why) {
    ended_ = true;
    if (!between_members_) damage_ = in_.damage().empty() ? why : in_.damage();
    return 0;
  }

  size_t inflate(std::span<char> into) {
    const std::string_view left = in_.left();
    state_->next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(left.data()));
    state_->avail_in = static_cast<uint32_t>(left.size());
    state_->next_out = reinterpret_cast<uint8_t*>(into.data());
    const auto room = static_cast<uint32_t>(std::min<size_t>(into.size(), UINT32_MAX));
    state_->avail_out = room;
    const int outcome = isal_inflate(state_.get());
    in_.consume(left.size() - state_->avail_in);
    if (outcome != ISAL_DECOMP_OK) end_early("the gzip data is damaged");
    between_members_ = state_->block_state == ISAL_BLOCK_FINISH;
    more_is_held_ = state_->avail_out == 0 && !between_members_;
    return room - state_->avail_out;
  }

  Episode in_;
  std::unique_ptr<inflate_state> state_;  // 80 kB
  bool between_members_ = false;
  bool more_is_held_ = false;  // the last output was full
  bool ended_ = false;
};

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class ZstdSource : public ByteSource {
 public:
  explicit ZstdSource(Episode segment) : in_(std::move(segment)), context_(ZSTD_createDCtx()) {
    // A frame may ask for a window of 2 GB; zstd itself writes at most 128 MB without being told.
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, 27);
  }

  size_t read(std::span<char> into) override {
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    while (out.pos == 0 && !ended_) {
      if (in_.left().empty() && !more_is_held_ && !in_.refill()) {
        ended_ = true;
        if (in_a_frame_) damage_ = "the zstd data is truncated";
        break;
      }
      ZSTD_inBuffer in{in_.left().data(), in_.left().size(), 0};
      const size_t outcome = ZSTD_decompressStream(context_.get(), &out, &in);
      in_.consume(in.pos);
      in_a_frame_ = outcome != 0;
      more_is_held_ = in_a_frame_ && out.pos == out.size;
      if (ZSTD_isError(outcome) == 0) continue;
      ended_ = true;
      damage_ = std::string("the zstd data is damaged: ") + ZSTD_getErrorName(outcome);
    }
    return out.pos;
  }

  double share_read() const override { return in_.share_read(); }

 private:
  Episode in_;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  bool in_a_frame_ = false;
  bool more_is_held_ = false;  // the last output was full
  bool ended_ = false;
};

}  // namespace

bool is_compressed(std::string_view head) {
  return head.starts_with(kGzip) || head.starts_with(kZstd);
}

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source) {
  Episode segment(std::move(source));
  while (segment.left().size() < 4 && segment.refill()) {
  }
  const std::string_view left = segment.left();
  if (left.starts_with(kGzip)) return std::make_unique<GzipSource>(std::move(segment));
  if (left.starts_with(kZstd)) return std::make_unique<ZstdSource>(std::move(segment));
  return std::make_unique<PlainSource>(std::move(segment));
}

}  // namespace batchscope::bytes
