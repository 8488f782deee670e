#!/usr/bin/env bash
# Builds std for wasm32-unknown-unknown from Debian's own sources, for machines where
# rustup cannot download it, and assembles a Rust toolchain around it:
#
#   tools/wasm-std.sh DIR      about a minute, 80 MB; nothing to do when DIR is current
#   tools/wasm-std.sh --check DIR      succeeds when DIR is current
#
# No network: the sources carry their dependencies. After this no unstable flag is needed.
set -euo pipefail

SOURCES=/usr/lib/rustlib/src/rust/library
TARGET=wasm32-unknown-unknown

stamp() { # what the toolchain is made from
  # shellcheck disable=SC2016  # the dollar is dpkg-query's
  echo "1 $(/usr/bin/rustc -V) $(dpkg-query -W -f='${Version}' rust-web-src)"
}

is_current() { # is_current DIR
  [[ -f $1/.stamp && $(<"$1/.stamp") == "$(stamp 2>/dev/null)" ]]
}

build_std() { # build_std WORK: leaves the rlibs under WORK/target
  mkdir -p "$1/src" "$1/.cargo"
  printf '[package]\nname="empty"\nversion="0.0.0"\nedition="2021"\n[profile.release]\npanic="abort"\n' >"$1/Cargo.toml"
  echo >"$1/src/lib.rs"
  if [[ -d $SOURCES/vendor ]]; then
    printf '[source.crates-io]\nreplace-with="vendor"\n[source.vendor]\ndirectory="%s"\n' \
      "$SOURCES/vendor" >"$1/.cargo/config.toml"
  fi
  # Bitcode in the rlibs, or linking with `lto` fails; `test`, or test harnesses do not link.
  (cd "$1" && env -u RUSTUP_TOOLCHAIN -u RUSTC_WRAPPER -u CARGO_BUILD_TARGET \
    CARGO_TARGET_DIR="$1/target" RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc \
    RUSTFLAGS=-Cembed-bitcode=yes /usr/bin/cargo build --release --target "$TARGET" \
    -Zbuild-std=std,panic_abort,panic_unwind,proc_macro,test)
}

# wrapper FILE LINE: a symbolic link would not do, the compiler looks for std beside the real file.
wrapper() {
  printf '#!/bin/sh\n%s "$@"\n' "$2" >"$1"
  chmod +x "$1"
}

assemble() { # assemble WORK NEW DIR: builds NEW, which will be renamed to DIR
  local host lld bin
  host=$(/usr/bin/rustc -vV | sed -n 's/^host: //p')
  # shellcheck disable=SC2012  # plain directory names
  lld=$(ls /usr/lib/llvm-*/bin/lld | sort -V | tail -n 1)
  mkdir -p "$2/bin" "$2/lib/rustlib/$TARGET/lib" "$2/lib/rustlib/$host/bin"
  cp "$1/target/$TARGET/release/deps/"*.rlib "$2/lib/rustlib/$TARGET/lib/"
  rm -f "$2/lib/rustlib/$TARGET/lib/libempty-"*.rlib
  ln -s "/usr/lib/rustlib/$host/lib" "$2/lib/rustlib/$host/lib"
  ln -s "$lld" "$2/lib/rustlib/$host/bin/rust-lld"
  for bin in rustc rustdoc; do
    wrapper "$2/bin/$bin" "exec /usr/bin/$bin --sysroot \"$3\""
  done
  for bin in cargo-clippy clippy-driver; do # these take the place of std from a variable
    wrapper "$2/bin/$bin" "SYSROOT=\"$3\" exec /usr/bin/$bin"
  done
  ln -s /usr/bin/cargo "$2/bin/cargo"
}

main() {
  if [[ $1 = --check ]]; then
    is_current "$2"
    return
  fi
  local dir=$1 work
  if is_current "$dir"; then return; fi
  work=$(mktemp -d)
  # shellcheck disable=SC2064  # expand now: $work is local
  trap "rm -rf '$work'" EXIT
  build_std "$work"
  rm -rf "$dir.new"
  assemble "$work" "$dir.new" "$dir"
  stamp >"$dir.new/.stamp"
  rm -rf "$dir"
  mv "$dir.new" "$dir"
}

main "$@"
