# System packages, by purpose. Names are the same on Debian 12 and Ubuntu 24.04.
# shellcheck shell=bash disable=SC2034

PACKAGES_BUILD=(g++ cmake ninja-build ccache mold libfmt-dev nlohmann-json3-dev libsimdjson-dev libcsv-dev libcli11-dev
  libboost-dev libisal-dev libzstd-dev libsqlite3-dev
  libssl-dev libyaml-dev libcrypt-dev libprotobuf-dev protobuf-compiler)
PACKAGES_WEB=(nodejs npm)
PACKAGES_PYTHON=(python3 python3-venv python3-dev)
PACKAGES_TEST=(libgtest-dev libgmock-dev)
# What reads the completion scripts and makes the man page; whoever only builds needs none of it.
PACKAGES_SHELLS=(zsh fish help2man)
# What reads the metrics, the dashboard and the alerts of deploy/.
PACKAGES_MONITOR=(prometheus openssl)
# A Slurm of several nodes on this machine (tests/cluster/slurm.sh); for CI, since some of them are services.
PACKAGES_CLUSTER=(slurmctld slurmd slurm-client munge)
PACKAGES_BROWSER=(chromium)
PACKAGES_BENCH=(libbenchmark-dev)
PACKAGES_LINT=(git python3 clang clang-tidy clang-format-14 shellcheck)
PACKAGES_SANITIZE=(clang libclang-rt-dev)

is_installed() {
  # Node may have come from elsewhere than the distribution, with its own npm.
  case $1 in nodejs) ! command -v node >/dev/null || return 0 ;; npm) ! command -v npm >/dev/null || return 0 ;; esac
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

apt_install() {
  local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends
    -o DPkg::Lock::Timeout=300 "$@")
  # The lists on the machine may be missing or old; they are fetched only when the first try shows it.
  as_root "${install[@]}" || { as_root apt-get update && as_root "${install[@]}"; }
}

# A browser for the tests of the HTML report. Ubuntu's package is a stub for its own store, so there the tests are
# skipped unless a browser is there already.
need_browser() {
  local name
  for name in chromium chromium-browser google-chrome; do
    command -v $name >/dev/null && return 0
  done
  if grep -qx 'ID=debian' /etc/os-release 2>/dev/null; then
    need_packages "${PACKAGES_BROWSER[@]}"
  else
    say "no Chromium: the browser tests of the HTML report will be skipped"
  fi
}

# need_packages NAME...
need_packages() {
  [ -z "${BATCHSCOPE_SKIP_PACKAGES:-}" ] || return 0
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    fail "this is no Debian or Ubuntu (no apt-get), so packages cannot be installed for you" \
      "install what corresponds to: $* ; then set BATCHSCOPE_SKIP_PACKAGES=1"
  fi
  local package missing=()
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    fail "system packages are missing and there is neither root nor sudo: ${missing[*]}" \
      "as root: apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  fi
  say "missing system packages: ${missing[*]}"
  logged "packages" "check the network and the package sources, then: apt-get install ${missing[*]}" \
    apt_install "${missing[@]}"
}
