//! One sentence per step for screen readers.

use gloo::timers::callback::Timeout;
use yew::prelude::*;

/// At most one sentence in this time, and only after this much rest while scrubbing, milliseconds.
const EVERY_MS: u32 = 500;

/// What to say.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The sentence of the shown step.
    pub sentence: AttrValue,
    /// While scrubbing nothing is said until it rests.
    pub scrubbing: bool,
}

#[derive(Default)]
struct Queue {
    latest: AttrValue,
    waiting: bool,
    timer: Option<Timeout>,
}

/// A polite live region.
#[component]
pub fn Live(props: &Props) -> Html {
    let said = use_state_eq(|| AttrValue::from(""));
    let queue = use_mut_ref(Queue::default);
    {
        let said = said.setter();
        use_effect_with((props.sentence.clone(), props.scrubbing), move |(sentence, scrubbing)| {
            let mut now = queue.borrow_mut();
            now.latest = sentence.clone();
            if *scrubbing || !now.waiting {
                now.waiting = true;
                let queue = queue.clone();
                now.timer = Some(Timeout::new(EVERY_MS, move || {
                    let mut now = queue.borrow_mut();
                    now.waiting = false;
                    said.set(now.latest.clone());
                }));
            }
        });
    }
    html! { <div class="sr" role="status" aria-live="polite">{ (*said).clone() }</div> }
}
