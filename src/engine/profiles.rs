//! The kernels, one file of constants each, and the proposals that switch one rule.

mod v5_10;
mod v5_16;
mod v6_1;
mod v6_12;
mod v6_18;
mod v6_6;
mod v6_8;
mod v7_3;
pub mod what_if;

use super::profile::Profile;

/// Ids of the base kernels, oldest first.
pub const BASE_IDS: [&str; 8] = ["5.10", "5.16", "6.1", "6.6", "6.8", "6.12", "6.18", "7.3"];

/// The base kernel of an id, or `None`.
fn base(id: &str) -> Option<Profile> {
    match id {
        "5.10" => Some(v5_10::profile()),
        "5.16" => Some(v5_16::profile()),
        "6.1" => Some(v6_1::profile()),
        "6.6" => Some(v6_6::profile()),
        "6.8" => Some(v6_8::profile()),
        "6.12" => Some(v6_12::profile()),
        "6.18" => Some(v6_18::profile()),
        "7.3" => Some(v7_3::profile()),
        _ => None,
    }
}

/// A profile by id: a base kernel, then any number of proposals after `+` (`6.12+64k`).
///
/// # Errors
/// The part that is unknown.
pub fn by_id(id: &str) -> Result<Profile, UnknownProfile> {
    let mut parts = id.split('+');
    let first = parts.next().unwrap_or_default();
    let mut profile = base(first).ok_or_else(|| UnknownProfile { part: first.to_owned() })?;
    for part in parts {
        let toggle = what_if::Toggle::from_suffix(part).ok_or_else(|| UnknownProfile { part: part.to_owned() })?;
        toggle.apply(&mut profile);
    }
    Ok(profile)
}

/// The profile for a kernel release such as `6.12.117` or `6.12.117+deb13-cloud-amd64`: that of its series.
///
/// # Errors
/// The release, when no profile is of its series.
pub fn by_release(release: &str) -> Result<Profile, UnknownProfile> {
    let mut numbers = release.split(['.', '+', '-']);
    let series = match (numbers.next(), numbers.next()) {
        (Some(major), Some(minor)) => format!("{major}.{minor}"),
        _ => release.to_owned(),
    };
    base(&series).ok_or_else(|| UnknownProfile { part: release.to_owned() })
}

/// No such kernel or proposal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no profile {part:?}; there are {}", known())]
pub struct UnknownProfile {
    /// What was asked for.
    pub part: String,
}

/// Everything that exists, for the error message.
fn known() -> String {
    format!("{}, and +{}", BASE_IDS.join(", "), what_if::Toggle::ALL.map(what_if::Toggle::suffix).join(", +"))
}
