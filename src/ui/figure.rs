//! A number on screen.

use crate::view_model::fields::Changed;
use crate::view_model::figure::Figure;
use crate::view_model::scale::Px;
use std::rc::Rc;
use yew::html::IntoPropValue;
use yew::prelude::*;

/// A place or length as SVG takes it.
impl IntoPropValue<Option<AttrValue>> for Px {
    fn into_prop_value(self) -> Option<AttrValue> {
        Some(self.to_string().into())
    }
}

/// Which number.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The number.
    pub of: Figure,
    /// Text instead of the grouped digits.
    #[prop_or_default]
    pub text: Option<AttrValue>,
}

/// A number with its kernel name, its socket and its exact value.
#[component]
pub fn Num(props: &Props) -> Html {
    let changed = use_context::<Rc<Changed>>();
    let of = &props.of;
    let text = props.text.clone().unwrap_or_else(|| of.text().into());
    let sock = of.sock.map(|s| s.to_string());
    let class = changed.is_some_and(|c| c.has(of)).then_some("changed");
    html! {
        <data {class} value={of.value.to_string()} data-field={of.field.to_string()} data-sock={sock.clone()}
            data-value={of.value.to_string()} data-about={of.field.to_string()} data-of={sock}>{ text }</data>
    }
}
