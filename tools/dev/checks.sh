# Running tests and static checks, and counting what they said.
# shellcheck shell=bash

PASSED=0 FAILED=0 SKIPPED=0

# What ./dev lint runs; each is a function check_NAME below.
# shellcheck disable=SC2034 # by those who source this
LINT_CHECKS=(format graph includes unity sizes uncalled readmes links text words shell web tidy)

# count_junit FILE   adds the counts of a JUnit report of pytest
count_junit() {
  local suite tests failures errors skipped disabled
  suite=$(tr '\n\t' '  ' <"$1" 2>/dev/null | grep -o '<testsuite [^>]*>' | head -n 1) || true
  attribute() { printf '%s' "$suite" | sed -n "s/.* $1=\"\([0-9]*\)\".*/\1/p"; }
  tests=$(attribute tests) failures=$(attribute failures) errors=$(attribute errors)
  skipped=$(attribute skipped) disabled=$(attribute disabled)
  if [ -z "$tests" ]; then
    FAILED=$((FAILED + 1))
    return
  fi
  failures=$((failures + ${errors:-0}))
  skipped=$((${skipped:-0} + ${disabled:-0}))
  PASSED=$((PASSED + tests - failures - skipped))
  FAILED=$((FAILED + failures))
  SKIPPED=$((SKIPPED + skipped))
}

# count_ctest FILE   adds those of a JUnit report of ctest: of a GoogleTest program its cases, as it counts them itself
# (tests/testing), else one
count_ctest() {
  local passed failed skipped
  read -r passed failed skipped < <(awk '
    function add() {
      if (status == "fail" && n[2] == 0) n[2] = 1
      if (status == "run" && !counted) n[1] = 1
      if (status ~ /notrun|disabled/) n[3] = 1
      passed += n[1]; failed += n[2]; skipped += n[3]
      status = counted = ""; split("", n)
    }
    /<testcase / { add(); status = $0; sub(/.* status="/, "", status); sub(/".*/, "", status) }
    match($0, /cases: [0-9]+ passed, [0-9]+ failed, [0-9]+ skipped/) {
      split(substr($0, RSTART, RLENGTH), word, " ")
      n[1] = word[2]; n[2] = word[4]; n[3] = word[6]; counted = 1
    }
    END { add(); print passed + 0, failed + (NR == 0), skipped + 0 }' "$1" 2>/dev/null || echo 0 1 0)
  PASSED=$((PASSED + passed)) FAILED=$((FAILED + failed)) SKIPPED=$((SKIPPED + skipped))
}

# run_ctest PRESET   prints what failed and the summary; all of it is in build/logs/ctest-PRESET.log
run_ctest() {
  local log=$PWD/build/logs/ctest-$1.log report=$PWD/build/logs/ctest-$1.xml status=0
  mkdir -p build/logs && rm -f "$report"
  # The end of what a program prints holds its counts.
  ctest --preset "$1" -j "$JOBS" --test-output-truncation head --output-junit "$report" | tee "$log" |
    grep --line-buffered -Ev '^ +Start +[0-9]+: | Passed +[0-9.]+ sec$' ||
    status=${PIPESTATUS[0]}
  count_ctest "$report"
  return "$status"
}

# run_pytest PYTHON ARGUMENTS...
run_pytest() {
  local python=$1 report=$PWD/build/logs/pytest.xml status=0
  shift
  mkdir -p build/logs && rm -f "$report"
  "$python" -m pytest --junitxml="$report" "$@" || status=$?
  [ $status -ne 5 ] || return 0 # nothing collected
  count_junit "$report"
  return $status
}

closing_line() { printf '%d passed, %d failed, %d skipped\n' "$PASSED" "$FAILED" "$SKIPPED"; }

cpp_files() { git ls-files -co --exclude-standard -- '*.cpp' '*.hpp'; }

check_format() {
  local tool=clang-format-14
  command -v $tool >/dev/null || tool=clang-format
  if [ -n "${LINT_FIX:-}" ]; then
    cpp_files | xargs -r $tool -i
  else
    cpp_files | xargs -r $tool --dry-run -Werror
  fi
}

check_tidy() {
  logged "configure ci" "read the message above" cmake --preset ci
  # What protoc makes is included by what is read.
  logged "messages of TensorBoard" "read the message above" cmake --build build/ci --target exporter_event
  python3 tools/lint/check_tidy.py build/ci
}

check_shell() { shellcheck -x dev .ci/run tools/dev/*.sh; }
check_graph() { python3 tools/lint/check_include_graph.py; }
check_includes() { python3 tools/lint/check_includes.py; }
check_unity() { python3 tools/lint/check_unity.py; }
check_sizes() { python3 tools/lint/check_sizes.py; }
check_words() { python3 tools/lint/check_words.py; }
check_uncalled() { python3 tools/lint/check_uncalled.py; }
check_readmes() { python3 tools/lint/check_readmes.py; }
check_links() { python3 tools/lint/check_links.py; }
check_text() { python3 tools/lint/check_text.py; }
