#pragma once

#include <cstdint>
#include <memory>
#include <openvino/openvino.hpp>
#include <string>

namespace batchscope::openvino_plugin {

inline constexpr int64_t kRows = 50, kWidth = 8;

// A small encoder: token ids [B, S] look up a table of kRows rows, which is multiplied by a matrix
// and by the mask [B, S]. Output "hidden": [B, S, kWidth].
std::shared_ptr<ov::Model> encoder(ov::PartialShape shape = {-1, -1});

// y = x W: [B, 4] to [B, 3], where `batch` fixes B.
std::shared_ptr<ov::Model> matrix(ov::Dimension batch = {});

// As OpenVINO's own format, not compressed.
void save(const std::shared_ptr<ov::Model>& model, const std::string& path);

}  // namespace batchscope::openvino_plugin
