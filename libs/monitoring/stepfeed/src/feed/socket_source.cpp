#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "batchscope/base/unique_fd.hpp"
#include "feed/source.hpp"
#include "formats/step_reader.hpp"
#include "lines/line_buffer.hpp"

namespace batchscope::stepfeed {
namespace {

// Of one client in one turn; what is beyond stays with the kernel, whose buffer makes it wait.
constexpr std::size_t kMostInATurn = 64 * 1024;
// Connections that the kernel holds until they are accepted: the ranks of a training all connect at
// once, and those beyond are turned away if they do not wait.
constexpr int kWaiting = SOMAXCONN;
constexpr int kMostAccepted = 64;  // in one turn

base::Error cannot_listen(std::string what, const std::filesystem::path& path, std::string fix) {
  return {base::ErrorKind::failed, std::move(what), path.string(), std::move(fix)};
}

base::Error by_errno(std::string_view action, int code, const std::filesystem::path& path) {
  return cannot_listen(fmt::format("{}: {}", action, std::generic_category().message(code)), path,
                       "choose a folder that you may write to");
}

std::optional<sockaddr_un> address_of(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& name = path.native();
  if (name.empty() || name.size() >= sizeof address.sun_path) return std::nullopt;
  std::memcpy(address.sun_path, name.data(), name.size());
  return address;
}

const sockaddr* as_sockaddr(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

base::UniqueFd new_socket() {
  return base::UniqueFd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// Takes away what a dead process left, and nothing else. Symbolic links are never followed.
base::Result<void> remove_stale(const std::filesystem::path& path, const sockaddr_un& address) {
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return {};
    return by_errno("cannot read it", errno, path);
  }
  if (!S_ISSOCK(info.st_mode)) {
    return cannot_listen("exists and is not a socket", path, "choose another path");
  }
  if (info.st_uid != geteuid()) {
    return cannot_listen("exists and belongs to another user", path, "choose another path");
  }
  const base::UniqueFd probe = new_socket();
  if (!probe) return by_errno("cannot create a socket", errno, path);
  const bool refused =
      connect(probe.get(), as_sockaddr(address), sizeof address) != 0 && errno == ECONNREFUSED;
  if (!refused) {
    return cannot_listen("another process listens on it", path,
                         "end that process, or choose another path");
  }
  if (unlink(path.c_str()) != 0) return by_errno("cannot remove it", errno, path);
  return {};
}

// Between looking at a stale socket and replacing it, another process might do the same.
base::Result<base::UniqueFd> lock_folder_of(const std::filesystem::path& path) {
  const auto parent = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  base::UniqueFd folder(open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return by_errno("cannot open its folder", errno, path);
  if (flock(folder.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return cannot_listen("another process has locked its folder", path, "try again");
  }
  return folder;
}

struct Client {
  base::UniqueFd fd;
  LineBuffer lines;
};

struct FileId {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FileId&) const = default;
};

std::optional<FileId> id_of(const std::filesystem::path& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0) return std::nullopt;
  return FileId{info.st_dev, info.st_ino};
}

class SocketSource : public LineSource {
 public:
  SocketSource(base::UniqueFd listener, std::filesystem::path path)
      : listener_(std::move(listener)), path_(std::move(path)), id_(id_of(path_)) {}
  SocketSource(const SocketSource&) = delete;
  SocketSource& operator=(const SocketSource&) = delete;
  ~SocketSource() override {
    if (id_ && id_of(path_) == id_) unlink(path_.c_str());
  }

  base::Result<void> begin() const {
    if (::listen(listener_.get(), kWaiting) == 0) return {};
    return by_errno("cannot listen on it", errno, path_);
  }

  void read(const TakeLine& take, FeedCounts& counts) override {
    accept_all(counts);
    std::erase_if(clients_, [&](Client& client) { return !read_client(client, take); });
  }

 private:
  void accept_all(FeedCounts& counts) {
    for (int i = 0; i < kMostAccepted; ++i) {
      base::UniqueFd fd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!fd) return;
      if (clients_.size() < StepFeed::kMostClients) {
        clients_.push_back({std::move(fd), {}});
      } else {
        ++counts.refused_clients;
      }
    }
  }

  // False where it is gone. A line that it did not end is lost.
  static bool read_client(Client& client, const TakeLine& take) {
    std::array<char, 16 * 1024> piece;
    for (std::size_t total = 0; total < kMostInATurn;) {
      const ssize_t got = recv(client.fd.get(), piece.data(), piece.size(), 0);
      if (got == 0) return false;
      if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
      client.lines.add({piece.data(), static_cast<std::size_t>(got)}, take);
      total += static_cast<std::size_t>(got);
    }
    return true;
  }

  base::UniqueFd listener_;
  std::filesystem::path path_;
  std::optional<FileId> id_;
  std::vector<Client> clients_;
};

}  // namespace

base::Result<StepFeed> StepFeed::listen(const std::filesystem::path& socket) {
  const auto address = address_of(socket);
  if (!address) {
    return base::Error{base::ErrorKind::usage, "a socket path has 1 to 107 bytes", socket.string(),
                       "choose a shorter path"};
  }
  const auto folder = lock_folder_of(socket);
  if (!folder) return folder.error();
  if (auto removed = remove_stale(socket, *address); !removed) return removed.error();
  base::UniqueFd listener = new_socket();
  if (!listener) return by_errno("cannot create a socket", errno, socket);
  // The file gets the mode of the socket, so that it is never open to others, not even at first.
  if (fchmod(listener.get(), 0600) != 0 ||
      bind(listener.get(), as_sockaddr(*address), sizeof *address) != 0) {
    return by_errno("cannot create the socket", errno, socket);
  }
  auto source = std::make_unique<SocketSource>(std::move(listener), socket);
  if (auto begun = source->begin(); !begun) return begun.error();
  return StepFeed(std::move(source), nullptr);
}

}  // namespace batchscope::stepfeed
