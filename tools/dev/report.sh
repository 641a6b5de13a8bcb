# How ./dev speaks: one line a step with its time, and on failure what was missing and what to do.
# shellcheck shell=bash

JOBS=${JOBS:-$(nproc)}
export JOBS

say() { printf '== %s\n' "$*" >&2; }

# fail WHAT FIX
fail() {
  printf '\n./dev: %s\n  what to do: %s\n' "$1" "$2" >&2
  exit 1
}

# logged NAME FIX COMMAND...   quiet unless it fails; the whole output is in build/logs/NAME.log
logged() {
  local name=$1 fix=$2 log="build/logs/${1//[^a-z0-9]/-}.log" start=$SECONDS
  shift 2
  mkdir -p build/logs
  say "$name ..."
  if ! "$@" >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    fail "step '$name' failed: $* (whole output: $log)" "$fix"
  fi
  say "$name done in $((SECONDS - start)) s"
}
