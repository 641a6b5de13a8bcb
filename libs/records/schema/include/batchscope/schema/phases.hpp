#pragma once

#include <string_view>

// The phases of an iteration that have a meaning to whoever reads them; engines, and users in their
// own functions, may name others.
namespace batchscope::schema::phases {

inline constexpr std::string_view kPrepare = "prepare";    // of a batch, before the iterations
inline constexpr std::string_view kLoad = "load";          // waiting for samples
inline constexpr std::string_view kTokenize = "tokenize";  // texts into tokens
inline constexpr std::string_view kPad = "pad";            // tokens into a batch
inline constexpr std::string_view kToDevice = "h2d";
inline constexpr std::string_view kForward = "forward";
inline constexpr std::string_view kLoss = "loss";
inline constexpr std::string_view kBackward = "backward";
inline constexpr std::string_view kOptimizer = "optimizer";
inline constexpr std::string_view kPool = "pool";  // the vectors of tokens into one a text
inline constexpr std::string_view kToHost = "d2h";
inline constexpr std::string_view kSync = "sync";    // waiting for the device
inline constexpr std::string_view kOther = "other";  // in tables: the iteration less its phases

}  // namespace batchscope::schema::phases
