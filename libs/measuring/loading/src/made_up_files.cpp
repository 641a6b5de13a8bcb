#include "made_up_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <random>

#include "batchscope/base/strings.hpp"
#include "batchscope/base/subprocess.hpp"

namespace batchscope::loading {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;
using base::Result;

constexpr std::string_view kPrefix = "batchscope-loader-";
constexpr int64_t kClasses = 10;
constexpr std::size_t kBytes = 4096;  // of a file that is neither image nor text

enum class Kind { image, text, bytes };

Kind kind_of(std::span<const engine::InputSpec> inputs) {
  const auto any = [&](const auto& fits) {
    return std::any_of(inputs.begin(), inputs.end(), fits);
  };
  if (any([](const engine::InputSpec& input) {
        return input.dtype == engine::DType::float32 && input.dimensions.size() == 4 &&
               input.dimensions[1].size == 3;
      })) {
    return Kind::image;
  }
  const bool tokens = any([](const engine::InputSpec& input) {
    return input.dtype == engine::DType::int64 && input.dimensions.size() == 2 &&
           input.dimensions.back().symbol == engine::Symbol::length;
  });
  return tokens ? Kind::text : Kind::bytes;
}

std::string bytes(std::size_t size, std::mt19937_64& random) {
  std::string content(size, '\0');
  for (char& c : content) c = static_cast<char>(random());
  return content;
}

std::string image(const SampleSource& source, std::mt19937_64& random) {
  const auto pixels =
      static_cast<std::size_t>(source.width) * static_cast<std::size_t>(source.height);
  return fmt::format("P6\n{} {}\n255\n", source.width, source.height) + bytes(3 * pixels, random);
}

std::string text(const SampleSource& source, std::mt19937_64& random) {
  std::string content;
  for (int i = 0; i < source.words; ++i) {
    const uint64_t letters = 2 + random() % 8;
    for (uint64_t l = 0; l < letters; ++l) content += static_cast<char>('a' + random() % 26);
    content += i % 12 == 11 ? ".\n" : " ";
  }
  return content;
}

// The process that made the folder, when it is one of ours.
std::optional<pid_t> maker_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!name.starts_with(kPrefix)) return std::nullopt;
  pid_t pid = 0;
  const char* const first = name.data() + kPrefix.size();
  const auto [end, error] = std::from_chars(first, name.data() + name.size(), pid);
  if (error != std::errc() || pid <= 0 || end == first) return std::nullopt;
  return pid;
}

// A descriptor that holds the folder; -1 where another process holds it, or the system has no locks
// there: then nobody removes it but its maker.
int lock_of(const fs::path& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  close(fd);
  return -1;
}

Result<void> write(const fs::path& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (file) return {};
  return Error{ErrorKind::failed, "cannot write the file", path.string(),
               "free some space in TMPDIR, or use fewer or smaller files (--loader synthetic:64)"};
}

Result<void> fill(const fs::path& folder, const SampleSource& source, Kind kind, uint64_t seed) {
  std::error_code failed;
  for (int64_t c = 0; c < std::min(kClasses, source.files); ++c) {
    fs::create_directory(folder / fmt::format("class-{}", c), failed);
  }
  const char* const ending = kind == Kind::image ? "ppm" : kind == Kind::text ? "txt" : "bin";
  for (int64_t i = 0; i < source.files; ++i) {
    std::mt19937_64 random(seed + static_cast<uint64_t>(i));
    const std::string content = kind == Kind::image  ? image(source, random)
                                : kind == Kind::text ? text(source, random)
                                                     : bytes(kBytes, random);
    const fs::path path =
        folder / fmt::format("class-{}", i % kClasses) / fmt::format("{:06}.{}", i, ending);
    if (auto written = write(path, content); !written) return written;
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<const MadeUpFolder>> MadeUpFolder::make() {
  std::error_code failed;
  const fs::path parent = fs::temp_directory_path(failed);
  if (failed) return Error{ErrorKind::failed, failed.message(), "TMPDIR", "set it to a folder"};
  // Under a name that nobody looks for until it is locked.
  std::string name = (parent / fmt::format(".{}{}-XXXXXX", kPrefix, getpid())).string();
  if (mkdtemp(name.data()) == nullptr) {
    return Error{ErrorKind::failed, "cannot create a folder for synthetic files", parent.string(),
                 "set TMPDIR to a writable folder"};
  }
  std::shared_ptr<MadeUpFolder> folder(new MadeUpFolder(name));
  folder->lock_ = lock_of(name);
  const fs::path final_name = parent / fs::path(name).filename().string().substr(1);
  fs::rename(name, final_name, failed);
  if (!failed) folder->path_ = final_name;
  return std::shared_ptr<const MadeUpFolder>(std::move(folder));
}

// Locked until it is gone.
MadeUpFolder::~MadeUpFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

void remove_orphaned_samples() {
  std::error_code ignored;
  const fs::path parent = fs::temp_directory_path(ignored);
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    const auto maker = maker_of(entry.path());
    const bool gone = maker && !base::process_exists(*maker);
    const int lock = gone ? lock_of(entry.path()) : -1;
    if (lock < 0) continue;
    fs::remove_all(entry.path(), ignored);
    close(lock);
  }
}

Result<std::shared_ptr<const MadeUpFolder>> make_up_files(const SampleSource& source,
                                                          std::span<const engine::InputSpec> inputs,
                                                          uint64_t seed) {
  remove_orphaned_samples();
  auto folder = MadeUpFolder::make();
  if (!folder) return folder;
  if (auto filled = fill((*folder)->path(), source, kind_of(inputs), seed); !filled) {
    return filled.error();
  }
  return folder;
}

}  // namespace batchscope::loading
