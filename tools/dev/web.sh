# The HTML report's script: node, npm and the packages that web/report/package-lock.json pins.
# shellcheck shell=bash

# Nothing when exactly these packages were installed before.
need_web() {
  need_packages "${PACKAGES_WEB[@]}"
  local stamp=web/report/node_modules/.installed wanted
  wanted="$(cksum <web/report/package-lock.json) $(node --version)"
  [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || return 0
  logged "npm packages" "check the network and npm's registry setting; or build with -DBATCHSCOPE_WEB=OFF" \
    npm ci --prefix web/report --no-audit --no-fund
  printf '%s\n' "$wanted" >"$stamp"
}

check_web() {
  need_web
  npm run --silent check --prefix web/report
}
