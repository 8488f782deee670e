// Before the program runs: the kept theme, and words for a program that cannot run.
(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem("skmem-lab.theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; then the page follows the system.
  }

  const say = (why) => {
    const line = document.getElementById("boot-state");
    if (line && !root.dataset.ready) line.textContent = `The page cannot run here: ${why}`;
  };
  if (typeof WebAssembly !== "object") {
    document.addEventListener("DOMContentLoaded", () =>
      say("this browser has no WebAssembly. A browser from 2023 or later has it."),
    );
    return;
  }
  addEventListener("unhandledrejection", (event) => {
    say(`its program did not load (${event.reason?.message ?? event.reason}). Reload to try again.`);
  });
  addEventListener("error", (event) => {
    const file = event.target?.href ?? event.target?.src;
    if (file) say(`a file did not load (${file}). Reload to try again.`);
  }, true);
})();
