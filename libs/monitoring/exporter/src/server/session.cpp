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

std::chrono::nanoseconds patience_of(const Request& request, std::chrono::nanoseconds most) {
  const auto said = request["X-Prometheus-Scrape-Timeout-Seconds"];
  double seconds = 0;
  const char* end = said.data() + said.size();
  const auto read = std::from_chars(said.data(), end, seconds);
  if (said.empty() || read.ec != std::errc() || read.ptr != end || !(seconds > 0) ||
      seconds > 3600) {
    return most;
  }
  const auto wanted =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
  return std::min(most, std::max<std::chrono::nanoseconds>(wanted - kMargin, wanted / 2));
}

std::optional<Answer> refusal(const Request& request) {
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    Answer answer = plain_answer(405, "only GET and HEAD are answered");
    answer.field = "Allow";
    answer.value = "GET, HEAD";
    return answer;
  }
  if (has_body(request)) return plain_answer(413, "a request with a body is not answered");
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

Answer unauthorised(Verdict verdict) {
  if (verdict == Verdict::busy) {
    Answer answer = plain_answer(503, "too many passwords are being checked");
    answer.field = "Retry-After";
    answer.value = "1";
    return answer;
  }
  Answer answer = plain_answer(401, "a user and a password are needed");
  answer.field = "WWW-Authenticate";
  answer.value = kAsksForPassword;
  return answer;
}

Response response_to(const Request& request, Answer answer, bool keep) {
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
                     plain_answer(large ? 431 : 400,
                                  large ? "the header is too large" : "this is no HTTP request"),
                     false);
}

}  // namespace batchscope::exporter
