#include "batchscope/exporter/event_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "batchscope/base/strings.hpp"
#include "event.pb.h"
#include "tensorboard/record.hpp"

namespace batchscope::exporter {
namespace {

// What TensorBoard looks for in the first record.
constexpr const char* kFileVersion = "brain.Event:2";
constexpr int64_t kNanoseconds = 1'000'000'000;

// In two parts, since nanoseconds since the epoch do not fit into a double.
double seconds_of(int64_t time_ns) {
  const int64_t seconds = time_ns / kNanoseconds, rest = time_ns % kNanoseconds;
  return static_cast<double>(seconds) +
         static_cast<double>(rest) / static_cast<double>(kNanoseconds);
}

std::string as_part_of_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name.push_back(fits || base::contains_text("._-", {&c, 1}) ? c : '_');
  }
  return name;
}

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "localhost";
  return as_part_of_name(name.data());
}

base::Error cannot_write(std::string_view action, int code, const std::filesystem::path& path) {
  return {base::ErrorKind::failed,
          fmt::format("{}: {}", action, std::generic_category().message(code)), path.string(),
          code == ENOSPC || code == EDQUOT ? "free space on that disk, or choose another folder"
                                           : "choose a folder that you may write to"};
}

}  // namespace

base::Result<EventFile> EventFile::create(const std::filesystem::path& folder,
                                          std::string_view suffix, int64_t wall_time_ns) {
  constexpr int kMostInASecond = 1000;
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return cannot_write("cannot create the folder", problem.value(), folder);
  const std::string start = fmt::format("events.out.tfevents.{:010}.{}.{}",
                                        wall_time_ns / kNanoseconds, host_name(), getpid());
  for (int number = 0; number < kMostInASecond; ++number) {
    std::filesystem::path path =
        folder / fmt::format("{}.{}{}", start, number, as_part_of_name(suffix));
    base::UniqueFd fd(
        open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!fd && errno == EEXIST) continue;
    if (!fd) return cannot_write("cannot create the file", errno, path);
    EventFile file(std::move(fd), std::move(path));
    event::Event first;
    first.set_wall_time(seconds_of(wall_time_ns));
    first.set_file_version(kFileVersion);
    if (auto written = file.append(first.SerializeAsString()); !written) return written.error();
    return file;
  }
  return cannot_write("has too many event files of this second", EEXIST, folder);
}

base::Result<void> EventFile::add_scalars(int64_t step, int64_t time_ns,
                                          std::span<const Scalar> scalars) {
  if (scalars.empty()) return {};
  event::Event event;
  event.set_wall_time(seconds_of(time_ns));
  event.set_step(step);
  for (const Scalar& scalar : scalars) {
    auto& value = *event.mutable_summary()->add_value();
    // A tag that is no UTF-8 would make the record unreadable.
    value.set_tag(base::visible(scalar.tag));
    value.set_simple_value(static_cast<float>(scalar.value));
  }
  return append(event.SerializeAsString());
}

base::Result<void> EventFile::append(std::string_view event) {
  const std::string record = record_of(event);
  std::string_view rest = record;
  while (!rest.empty()) {
    const ssize_t written = write(fd_.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      base::Error error =
          cannot_write("cannot write the file", written < 0 ? errno : ENOSPC, path_);
      // A reader stops at half a record, and would never see what comes behind it.
      if (rest.size() < record.size() && ftruncate(fd_.get(), size_) != 0) {
        error.what += "; the last record may be incomplete";
      }
      return error;
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += static_cast<int64_t>(record.size());
  return {};
}

EventFile::EventFile(base::UniqueFd fd, std::filesystem::path path)
    : fd_(std::move(fd)), path_(std::move(path)) {}

}  // namespace batchscope::exporter
