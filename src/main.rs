//! Mounts the page.

fn main() {
    skmem_lab::ui::run();
}
