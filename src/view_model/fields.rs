//! Every compared number of a socket and of the machine, by its recorded name.

use super::figure::Figure;
use crate::engine::machine::Machine;
use crate::engine::op::SockName;
use crate::replay::state::Reporter;
use serde_json::Value;
use std::collections::BTreeSet;

/// The numbers of a machine that a recording would show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// Those of the asked socket, by name.
    pub sock: Vec<Figure>,
    /// Those of the machine.
    pub global: Vec<Figure>,
}

impl Fields {
    /// Reads them.
    pub fn read(machine: &Machine, sock: Option<SockName>) -> Self {
        let state = Reporter::default().state(machine);
        let mut fields = Self::default();
        if let (Some(name), Some(value)) = (sock, sock.and_then(|s| state.get("socks")?.get(s.as_str()))) {
            flatten("", value, &mut |path, value| fields.sock.push(Figure::of(name, path, value)));
        }
        if let Some(value) = state.get("global") {
            flatten("", value, &mut |path, value| fields.global.push(Figure::global(path, value)));
        }
        fields
    }

    /// One of them.
    pub fn get(&self, sock: Option<SockName>, field: &str) -> Option<i64> {
        let list = if sock.is_some() { &self.sock } else { &self.global };
        list.iter().find(|f| &*f.field == field && f.sock == sock).map(|f| f.value)
    }
}

fn flatten(prefix: &str, value: &Value, out: &mut impl FnMut(&str, i64)) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                flatten(&path, value, out);
            }
        }
        Value::Number(number) => {
            if let Some(value) = number.as_i64() {
                out(prefix, value);
            }
        }
        Value::String(word) => match word.as_str() {
            "no" => out(prefix, 0),
            "yes" => out(prefix, 1),
            _ => {}
        },
        Value::Null | Value::Bool(_) | Value::Array(_) => {}
    }
}

/// The numbers that differ between two looks at a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed(BTreeSet<(Option<SockName>, std::rc::Rc<str>)>);

impl Changed {
    /// What differs from `before` in `after`.
    pub fn between(before: &Fields, after: &Fields) -> Self {
        let all = after.sock.iter().chain(&after.global);
        Self(
            all.filter(|f| before.get(f.sock, &f.field) != Some(f.value))
                .map(|f| (f.sock, f.field.clone()))
                .collect(),
        )
    }

    /// Whether a number is among them.
    pub fn has(&self, figure: &Figure) -> bool {
        self.0.contains(&(figure.sock, figure.field.clone()))
    }
}
