#include "server/session.hpp"

#include <algorithm>

namespace batchscope::exporter {
namespace {

constexpr char kAsksForPassword[] = R"(Basic realm="batchscope", charset="UTF-8")";
// Before whoever asks gives up.
constexpr std::chrono::milliseconds kMargin(200);

bool has_body(const Request& request) {
  const auto length = request[http::field::content_length];
  return request.chunked() || (!length.empty() && length != "0");
}

}  // namespace

std::chrono::nanoseconds scrape_timeout(const Request& request, std::chrono::nanoseconds most) {
  const auto stated = request["X-Prometheus-Scrape-Timeout-Seconds"];
  double seconds = 0;
  const char* end = stated.data() + stated.size();
  const auto read = std::from_chars(stated.data(), end, seconds);
  if (stated.empty() || read.ec != std::errc() || read.ptr != end || !(seconds > 0) ||
      seconds > 3600) {
    return most;
  }
  const auto wanted =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
  return std::min(most, std::max<std::chrono::nanoseconds>(wanted - kMargin, wanted / 2));
}

std::optional<Reply> refusal(const Request& request) {
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    Reply answer = plain_reply(405, "use GET or HEAD");
    answer.field = "Allow";
    answer.value = "GET, HEAD";
    return answer;
  }
  if (has_body(request)) return plain_reply(413, "requests with a body are not supported");
  return std::nullopt;
}

std::string path_of(const Request& request) {
  const auto target = request.target();
  const std::string text(target.data(), target.size());
  return text.substr(0, text.find('?'));
}

bool asks_for_password(const Request& request) {
  return path_of(request) != "/healthz";
}

Reply unauthorised(Verdict verdict) {
  if (verdict == Verdict::busy) {
    Reply answer = plain_reply(503, "too many logins at the same time");
    answer.field = "Retry-After";
    answer.value = "1";
    return answer;
  }
  Reply answer = plain_reply(401, "log in with user and password");
  answer.field = "WWW-Authenticate";
  answer.value = kAsksForPassword;
  return answer;
}

Response response_to(const Request& request, Reply answer, bool keep) {
  Response response(static_cast<http::status>(answer.status), request.version());
  response.set(http::field::content_type, answer.type);
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Content-Security-Policy", "default-src 'none'");
  if (!answer.field.empty()) response.set(answer.field, answer.value);
  response.keep_alive(keep);
  response.body() = std::move(answer.body);
  response.prepare_payload();
  if (request.method() == http::verb::head) response.body().clear();
  return response;
}

std::optional<Response> response_to_nonsense(SystemError problem) {
  if (problem == http::error::end_of_stream || problem == http::error::partial_message ||
      problem.category() != http::make_error_code(http::error::end_of_stream).category()) {
    return std::nullopt;
  }
  const bool large =
      problem == http::error::header_limit || problem == http::error::buffer_overflow;
  return response_to(Request{},
                     plain_reply(large ? 431 : 400,
                                 large ? "the header is too large" : "this is not an HTTP request"),
                     false);
}

}  // namespace batchscope::exporter
