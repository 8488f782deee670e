//! What components ask the browser for.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

/// The size of an element in whole CSS pixels, and again whenever it changes. Before it is known: `first`.
#[hook]
pub fn use_size(node: &NodeRef, first: (i64, i64)) -> (i64, i64) {
    let size = use_state_eq(|| first);
    let set = size.setter();
    use_effect_with(node.clone(), move |node| {
        let watched = node.cast::<Element>().map(|element| {
            let measured = element.clone();
            let measure = move || {
                let (width, height) = (measured.client_width(), measured.client_height());
                if width > 0 {
                    set.set((i64::from(width), i64::from(height)));
                }
            };
            measure();
            let on_change = Closure::<dyn FnMut()>::new(measure);
            let observer = ResizeObserver::new(on_change.as_ref().unchecked_ref()).ok();
            if let Some(observer) = &observer {
                observer.observe(&element);
            }
            (observer, on_change)
        });
        move || {
            if let Some((Some(observer), _closure)) = watched {
                observer.disconnect();
            }
        }
    });
    *size
}
