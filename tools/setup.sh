# Makes the tools ready. Sourced by ./dev. Every need_* function returns at once when
# there is nothing to do, so commands simply list what they need.
# shellcheck shell=bash

WASM_TARGET=wasm32-unknown-unknown
LINKED=skmem-wasm # the name under which rustup knows the toolchain with Debian's std
WASM_DIR=$TOOLS/wasm-toolchain
WASM_FROM=rustc # or debian: set by need_wasm_std
BINDGEN_VERSION=$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/[^0-9.]/, ""); print }' "$ROOT/Cargo.lock")
TRUNK_DIR=$TOOLS/trunk-$TRUNK_VERSION
BINDGEN_DIR=$TOOLS/wasm-bindgen-$BINDGEN_VERSION
NODE_BIN=$ROOT/node_modules/.bin

# alone COMMAND...: not beside another ./dev that installs into the same directory
alone() {
  if have flock; then
    exec 9>"$TOOLS/lock"
    flock 9
  fi
  "$@"
}

# ---- system packages -------------------------------------------------------------

is_debian_root() { have apt-get && [[ $(id -u) = 0 ]]; }

apt_has() { # all of these packages are installed
  local p
  for p in "$@"; do
    # shellcheck disable=SC2016  # the dollar is dpkg-query's
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null) = installed ]] || return 1
  done
}

apt_run() {
  apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -yq -o DPkg::Lock::Timeout=300 \
    --no-remove --no-install-recommends "$@"
}

need_apt() {
  if apt_has "$@"; then return; fi
  quiet apt "Install Debian packages: $*" \
    "Try: apt-get update && apt-get install --no-install-recommends $*" apt_run "$@"
}

# ---- Rust ------------------------------------------------------------------------

# Native work never uses the linked toolchain, even in a shell that took `./dev env`.
if [[ ${RUSTUP_TOOLCHAIN:-} = "$LINKED" ]]; then unset RUSTUP_TOOLCHAIN; fi

RUST_WANTED=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$ROOT/Cargo.toml")

rust_is_new_enough() {
  local got
  got=$(rustc -V 2>/dev/null | awk '{ print $2 }') || return 1
  [[ -n $got && $(printf '%s\n' "$RUST_WANTED" "$got" | sort -V | head -n 1) = "$RUST_WANTED" ]] &&
    cargo -V >/dev/null 2>&1
}

need_rust() {
  if ! rust_is_new_enough && ! have rustc && is_debian_root; then
    need_apt "${DEBIAN_RUST_PACKAGES[@]}"
  fi
  if ! rust_is_new_enough; then
    die "Rust $RUST_WANTED or newer is needed: install or update it with https://rustup.rs, then run this again."
  fi
  if ! have cc; then
    is_debian_root || die "Rust needs a C linker: install gcc (Debian: apt install gcc libc6-dev), then run this again."
    need_apt gcc libc6-dev
  fi
}

has_wasm_std() {
  compgen -G "$(rustc --print sysroot 2>/dev/null)/lib/rustlib/$WASM_TARGET/lib/libstd-*.rlib" >/dev/null
}

debian_std_is_current() { apt_has "${DEBIAN_RUST_PACKAGES[@]}" && "$ROOT/tools/wasm-std.sh" --check "$WASM_DIR"; }

# Which std for wasm32: the one at hand; else rustup's; else one built from Debian's packages.
# WASM_STD=debian takes the last at once, for machines that reach only package registries.
need_wasm_std() {
  WASM_FROM=rustc
  if [[ ${WASM_STD:-} != debian ]]; then
    if has_wasm_std; then return; fi
    if ! debian_std_is_current && have rustup; then
      say "Install std for $WASM_TARGET with rustup"
      if timeout 120 rustup target add "$WASM_TARGET" >"$LOGS/rustup.log" 2>&1; then return; fi
      say "  rustup could not (see $LOGS/rustup.log)"
    fi
  fi
  WASM_FROM=debian
  if ! debian_std_is_current; then
    is_debian_root ||
      die "std for $WASM_TARGET is missing: run \"rustup target add $WASM_TARGET\" (on Debian, running this as root works too)."
    need_apt "${DEBIAN_RUST_PACKAGES[@]}"
  fi
  if ! debian_std_is_current; then
    quiet wasm-std "Build std for $WASM_TARGET from Debian's sources (about a minute)" \
      "Remove $WASM_DIR and run this again." alone "$ROOT/tools/wasm-std.sh" "$WASM_DIR"
  fi
  if have rustup && [[ $(readlink "${RUSTUP_HOME:-$HOME/.rustup}/toolchains/$LINKED") != "$WASM_DIR" ]]; then
    rustup toolchain link "$LINKED" "$WASM_DIR" >&2
  fi
}

# ---- programs --------------------------------------------------------------------

install_trunk() {
  # The profile trades speed that nobody notices for minutes of compiling. No TLS: it would
  # only serve to download tools, and those are here already.
  CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=0 \
    CARGO_TARGET_DIR="$TOOLS/build/trunk" \
    cargo install trunk --version "=$TRUNK_VERSION" --locked --no-default-features --root "$TRUNK_DIR" --force
}

install_bindgen() {
  # Without --locked: its lock file pins TLS crates, which nothing here uses.
  CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_TARGET_DIR="$TOOLS/build/wasm-bindgen" \
    cargo install wasm-bindgen-cli --version "=$BINDGEN_VERSION" --no-default-features --root "$BINDGEN_DIR" --force
}

has_trunk() { [[ -x $TRUNK_DIR/bin/trunk || $(trunk -V 2>/dev/null) = "trunk $TRUNK_VERSION" ]]; }
has_bindgen() {
  [[ -x $BINDGEN_DIR/bin/wasm-bindgen ]] ||
    { [[ $(wasm-bindgen -V 2>/dev/null) = "wasm-bindgen $BINDGEN_VERSION" ]] && have wasm-bindgen-test-runner; }
}

install_programs() { # both at once: each has long stretches that use one core
  local trunk='' bindgen='' status=0
  if ! has_trunk; then install_trunk & trunk=$!; fi
  if ! has_bindgen; then install_bindgen & bindgen=$!; fi
  if [[ -n $trunk ]]; then wait "$trunk" || status=$?; fi
  if [[ -n $bindgen ]]; then wait "$bindgen" || status=$?; fi
  if ((status == 0)); then rm -rf "$TOOLS/build"; fi
  return "$status"
}

need_programs() {
  if has_trunk && has_bindgen; then return; fi
  quiet programs "Compile trunk $TRUNK_VERSION and wasm-bindgen $BINDGEN_VERSION (five to ten minutes, once)" \
    "Run this again: it continues where it stopped." alone install_programs
}

# fresh NAME FILE: FILE is what it was when `mark_fresh NAME FILE` was called in this checkout.
fresh() { cmp -s "$2" "$STAMPS/$1"; }
mark_fresh() { cp "$2" "$STAMPS/$1"; }

need_crates() {
  if fresh Cargo.lock "$ROOT/Cargo.lock"; then return; fi
  quiet fetch "Download the crates of Cargo.lock" "Is the crate registry reachable?" \
    cargo fetch --locked --manifest-path "$ROOT/Cargo.toml"
  mark_fresh Cargo.lock "$ROOT/Cargo.lock"
}

node_is_new_enough() {
  have node && have npm && (($(node -p 'process.versions.node.split(".")[0]') >= NODE_MAJOR))
}

need_node() {
  if ! have node && is_debian_root; then need_apt nodejs npm; fi
  node_is_new_enough ||
    die "Node.js $NODE_MAJOR or newer with npm is needed: install it from https://nodejs.org, then run this again."
}

npm_install() { cd "$ROOT" && npm ci --ignore-scripts --no-audit --no-fund; }

need_npm() { # wasm-opt, the browser driver of the page tests, axe
  need_node
  if [[ -d $NODE_BIN ]] && fresh package-lock.json "$ROOT/package-lock.json"; then return; fi
  quiet npm "Install the npm packages of package-lock.json" "Is the npm registry reachable?" npm_install
  mark_fresh package-lock.json "$ROOT/package-lock.json"
}

find_chrome() {
  local c
  for c in "${CHROME:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    if [[ -n $c ]] && have "$c"; then command -v "$c" && return; fi
  done
  return 1
}

need_chrome() {
  if find_chrome >/dev/null && have "${CHROMEDRIVER:-chromedriver}"; then return; fi
  is_debian_root ||
    die "The browser tests need Chromium or Chrome and a chromedriver of the same version: install them, or name them in CHROME and CHROMEDRIVER."
  need_apt chromium chromium-driver
}

# ---- environment -----------------------------------------------------------------

# The directories that go in front of PATH, each only where it holds something.
tool_path() {
  local d path=''
  for d in "$NODE_BIN" "$TRUNK_DIR/bin" "$BINDGEN_DIR/bin"; do
    if [[ -d $d ]]; then path+=$d:; fi
  done
  if [[ $WASM_FROM = debian ]] && ! have rustup; then path+=$WASM_DIR/bin:; fi
  echo "$path"
}

# use_wasm COMMAND...: with the toolchain that has std for wasm32
use_wasm() {
  if [[ $WASM_FROM = debian ]] && have rustup; then
    RUSTUP_TOOLCHAIN=$LINKED "$@"
  else
    "$@"
  fi
}

enter_env() {
  PATH=$(tool_path)$PATH
  export PATH
  if find_chrome >/dev/null; then CHROME=$(find_chrome) && export CHROME; fi
  if have chromedriver; then export CHROMEDRIVER="${CHROMEDRIVER:-$(command -v chromedriver)}"; fi
}

print_env() {
  # shellcheck disable=SC2016  # the reading shell expands it
  printf 'export PATH=%q$PATH\n' "$(tool_path)"
  if [[ $WASM_FROM = debian ]] && have rustup; then printf 'export RUSTUP_TOOLCHAIN=%q\n' "$LINKED"; fi
  if find_chrome >/dev/null; then printf 'export CHROME=%q\n' "$(find_chrome)"; fi
  if have chromedriver; then printf 'export CHROMEDRIVER=%q\n' "$(command -v chromedriver)"; fi
}
