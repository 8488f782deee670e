//! The environment.

use super::slots::{count, errno, meaning, words};
use crate::explain::numbers::number;
use crate::explain::sentence::Sentence;
use crate::explain::summary::Environment;

/// The environment changed, or nothing did.
pub fn environment(what: &Environment) -> Sentence {
    match what {
        Environment::Setting { name, value } => {
            Sentence::fill("{name} is now {value}.", &[words("name", name), words("value", value)])
        }
        Environment::SettingRefused { name, value, errno: error } => Sentence::fill(
            "{name} = {value}: {errno}, {meaning}.",
            &[words("name", name), words("value", value), errno(*error), meaning(*error)],
        ),
        Environment::Moved { into: true } => {
            Sentence::words("The task is in its own memory cgroup again; sockets made before keep theirs.")
        }
        Environment::Moved { into: false } => {
            Sentence::words("The task is in the root cgroup now; sockets made before keep their memory cgroup.")
        }
        Environment::Bypass { on: true } => {
            Sentence::words("From now on a new socket bypasses the protocol's memory.")
        }
        Environment::Bypass { on: false } => {
            Sentence::words("From now on a new socket is counted by the protocol again.")
        }
        Environment::SleptFired { ms, timers } => Sentence::fill(
            "{ms} ms passed, and {n} fired.",
            &[words("ms", number(i64::from(*ms))), count("n", *timers, "timer")],
        ),
        Environment::Slept { ms } => {
            let ms = words("ms", number(i64::from(*ms)));
            Sentence::fill("{ms} ms passed; no timer fired.", &[ms])
        }
        Environment::Looked => Sentence::words("Nothing happened: a look at the state."),
    }
}
