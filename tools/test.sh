# `./dev check` and `./dev test`. Sourced by ./dev.
# shellcheck shell=bash

# ---- formatting and lints --------------------------------------------------------

check_format() { cargo fmt --check; }
check_native() { cargo clippy --locked --all-targets --all-features -- -D warnings; }
check_wasm() {
  # Only what is meant for the browser: the other tests and the terminal program are native.
  local targets=(--lib --bin skmem-lab)
  if [[ -f tests/browser.rs ]]; then targets+=(--test browser); fi
  use_wasm cargo clippy --locked --target "$WASM_TARGET" "${targets[@]}" -- -D warnings
}

run_checks() {
  local failed=0
  loud "Formatting (cargo fmt --check)" check_format || failed=1
  loud "Lints of everything on this machine (clippy)" check_native || failed=1
  loud "Lints of the page for wasm32 (clippy)" check_wasm || failed=1
  return "$failed"
}

need_check_tools() {
  need_rust
  need_wasm_std
  need_crates
  if ! { cargo fmt --version && cargo clippy --version; } >/dev/null 2>&1; then
    die "rustfmt or clippy is missing: run \"rustup component add rustfmt clippy\"."
  fi
}

cmd_check() {
  need_check_tools
  run_checks || die "The checks failed; the reasons are above."
}

# ---- tests -----------------------------------------------------------------------

# Fast first. Native tests leave the browser stack out, so they compile in seconds.
test_native() { cargo test --locked --no-fail-fast --no-default-features; }

test_views() { # components rendered to text
  if [[ ! -f tests/views.rs ]]; then return; fi
  cargo test --locked --features view-tests --test views
}

test_wasm() { # components in headless Chromium
  if [[ ! -f tests/browser.rs ]]; then return; fi
  # The runner's own limit, 20 seconds for all the tests together, is too near on a busy machine.
  WASM_BINDGEN_TEST_TIMEOUT=180 use_wasm cargo test --locked --target "$WASM_TARGET" --test browser
}

test_check() { run_checks; }

test_e2e() { # the release page in headless Chromium, and its size
  cmd_build || return 1
  node --test --test-reporter=spec tests/e2e/*.test.mjs
}

# Sums what the runners themselves counted: "test result: ok. 3 passed; 0 failed; ..."
# (cargo, in a browser too) and the closing "pass 3", "fail 0" of node.
count_results() {
  awk '
    { gsub(/\033\[[0-9;]*m/, "") } # colours
    /^test result: / { passed += $4; failed += $6 }
    /^ℹ pass [0-9]+$/ { passed += $3 }
    /^ℹ fail [0-9]+$/ { failed += $3 }
    END { printf "%d passed, %d failed\n", passed, failed }
  ' "$@"
}

cmd_test() {
  local parts=("$@") part logs=() broken=() start=$SECONDS counts
  if ((${#parts[@]} == 0)); then parts=(native views wasm check e2e); fi
  for part in "${parts[@]}"; do
    declare -F "test_$part" >/dev/null || die "There is no test part \"$part\": native, views, wasm, check, e2e."
  done
  case " ${parts[*]} " in
    " native " | " views " | " native views ")
      need_rust
      need_crates
      ;;
    *)
      need_all
      need_check_tools
      ;;
  esac
  enter_env
  # Every part runs even if an earlier one failed, so that one run shows everything.
  for part in "${parts[@]}"; do
    logs+=("$LOGS/test-$part.log")
    loud "Test: $part" "test_$part" 2>&1 | tee "$LOGS/test-$part.log" || broken+=("$part")
  done
  counts=$(count_results "${logs[@]}")
  say "tests took $(elapsed "$start"); what each part printed is in $LOGS/test-*.log"
  if ((${#broken[@]})); then
    echo "$counts; these parts did not succeed: ${broken[*]}"
    trap - ERR
    exit 1
  fi
  echo "$counts"
}
