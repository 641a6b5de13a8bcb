#include "nsys_export.hpp"

#include <chrono>
#include <system_error>

#include "batchscope/base/subprocess.hpp"

namespace batchscope::trace {

base::Result<std::filesystem::path> export_of_nsys(const std::filesystem::path& report,
                                                   const std::filesystem::path& folder) {
  const auto failed = [&](std::string why) {
    return base::Error{base::ErrorKind::failed, std::move(why), report.string(), ""};
  };
  if (!base::find_program("nsys"))
    return failed("converting it needs the program nsys, which is not on the path");
  const std::filesystem::path exported = folder / "exported.sqlite";
  const auto run = base::run_command({"nsys", "export", "--type=sqlite", "--force-overwrite=true",
                                      "--output=" + exported.string(), report.string()},
                                     "", std::chrono::hours(1));
  std::error_code ignored;
  if (!run) return failed("nsys did not run: " + run.error().what);
  const bool is_there = std::filesystem::is_regular_file(exported, ignored);
  if (run->exit_code != 0 || !is_there) return failed("nsys could not convert it");
  return exported;
}

}  // namespace batchscope::trace
