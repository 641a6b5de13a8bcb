#include "server/listen_address.hpp"

#include <charconv>
#include <optional>

namespace batchscope::exporter {
namespace {

base::Error no_address(const std::string& text, const std::string& why) {
  return {base::ErrorKind::usage, "'" + text + "' is no address to listen on: " + why, "",
          "write HOST:PORT, such as 127.0.0.1:9430, [::1]:9430, or :9430 for every interface"};
}

std::optional<uint16_t> port_in(const std::string& text) {
  uint16_t port = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, port);
  if (text.empty() || read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return port;
}

}  // namespace

base::Result<Tcp::endpoint> listen_address(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return no_address(text, "no port is in it");
  const auto port = port_in(text.substr(colon + 1));
  if (!port) return no_address(text, "the port is no number from 0 to 65535");
  std::string host = text.substr(0, colon);
  // IPv6 takes IPv4 as well on every interface.
  if (host.empty()) return Tcp::endpoint(Tcp::v6(), *port);
  if (host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  SystemError problem;
  const auto address = net::ip::make_address(host, problem);
  if (!problem) return Tcp::endpoint(address, *port);
  net::io_context io;
  const auto found = Tcp::resolver(io).resolve(host, std::to_string(*port), problem);
  if (problem || found.empty()) return no_address(text, "no host goes by that name");
  return found.begin()->endpoint();
}

}  // namespace batchscope::exporter
