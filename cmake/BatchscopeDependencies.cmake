# Everything the core needs comes from the distribution; docs/adr/ says why each is here.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(simdjson REQUIRED)
# Linked by its name: CMake's module for it goes by another name than its target, which a package's users would look for.
find_package(SQLite3 3.37 REQUIRED)
find_library(BATCHSCOPE_CSV csv REQUIRED)
mark_as_advanced(BATCHSCOPE_CSV)
# Neither of these has a CMake package in the distribution.
find_library(BATCHSCOPE_ISAL isal REQUIRED)
find_library(BATCHSCOPE_ZSTD zstd REQUIRED)
mark_as_advanced(BATCHSCOPE_ISAL BATCHSCOPE_ZSTD)
# By its plain name as well: Debian's package has no CMake package of its own.
find_library(BATCHSCOPE_PROTOBUF protobuf-lite REQUIRED)
find_program(BATCHSCOPE_PROTOC protoc REQUIRED)
mark_as_advanced(BATCHSCOPE_PROTOBUF BATCHSCOPE_PROTOC)
find_package(CLI11 REQUIRED)
find_package(Boost 1.74 REQUIRED)
if(BATCHSCOPE_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
