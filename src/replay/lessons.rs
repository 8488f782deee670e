//! What the built-in lessons claim, checked against the engine.

use super::play::{Run, play};
use super::state;
use crate::scenario::lessons::{Assertion, Lesson, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// What came of one lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonCheck {
    /// The lesson.
    pub slug: String,
    /// Claims that were checked, questions that must have an answer included.
    pub claims: u32,
    /// What does not hold, one line each.
    pub failures: Vec<String>,
}

/// Checks lessons: every assertion on the kernel it is claimed for, every question for an answer, and every step's
/// balance.
pub fn check(lessons: &[Lesson]) -> Vec<LessonCheck> {
    lessons.iter().map(check_one).collect()
}

fn check_one(lesson: &Lesson) -> LessonCheck {
    let mut out = LessonCheck { slug: lesson.slug.clone(), claims: 0, failures: Vec::new() };
    let own = lesson.scenario.profile.as_str();
    let claimed = |a: &Assertion| a.profile.clone().unwrap_or_else(|| own.to_owned());
    let profiles: BTreeSet<String> =
        lesson.assertions.iter().map(claimed).chain(std::iter::once(own.to_owned())).collect();
    let mut runs = BTreeMap::new();
    for profile in profiles {
        match play(&lesson.scenario, Some(&profile)) {
            Ok(run) => {
                check_run(&run, &mut out);
                runs.insert(profile, run);
            }
            Err(error) => out.failures.push(format!("on {profile}: {error}")),
        }
    }
    for assertion in &lesson.assertions {
        out.claims += 1;
        if let Some(run) = runs.get(&claimed(assertion)) {
            out.failures.extend(broken(assertion, run));
        }
    }
    for (at, question) in &lesson.scenario.questions {
        out.claims += 1;
        let answered = runs.get(own).is_some_and(|run| value(run, at + 1, &question.path).is_some());
        if !answered {
            out.failures.push(format!("question before operation {at}: no number {}", question.path));
        }
    }
    out
}

fn check_run(run: &Run, out: &mut LessonCheck) {
    if let Some((at, text, refused)) = &run.stop {
        out.failures.push(format!("on {}: operation {at} [{text}]: {refused}", run.profile));
    }
    for (at, step) in run.steps.iter().enumerate().filter(|(_, step)| !step.played.step.imbalances.is_empty()) {
        out.failures.push(format!(
            "on {}: operation {at}: the books do not balance: {:?}",
            run.profile, step.played.step.imbalances
        ));
    }
}

fn broken(assertion: &Assertion, run: &Run) -> Option<String> {
    match assertion.holds(|path| value(run, assertion.after, path)) {
        Verdict::Holds => None,
        Verdict::Fails { found } => Some(format!("{assertion}: it is {found}")),
        Verdict::Unknown => Some(format!("{assertion}: there is no such number")),
    }
}

/// The number at `path` when `after` operations are done.
fn value(run: &Run, after: u32, path: &str) -> Option<i64> {
    let last = after.checked_sub(1)?;
    let step = run.steps.get(usize::try_from(last).ok()?)?;
    state::lookup(&step.played.answers, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::lessons;

    const LESSON: &str = "# Sizes

```lesson
slug sizes
about Sizes double.
surprise 1
```

Prose.

```scenario
name sizes
socket s
ask s.rcvbuf How large is it now?
setsockopt s SO_RCVBUF 30000
```

```assert
after 2: s.rcvbuf == CLAIM
on 5.10 after 2: ret == 0
```
";

    fn checked(claim: &str) -> LessonCheck {
        let lesson = lessons::parse(&LESSON.replace("CLAIM", claim)).unwrap();
        check(&[lesson]).remove(0)
    }

    #[test]
    fn a_true_claim_holds_and_a_false_one_says_what_is() {
        let held = checked("60000");
        assert_eq!((held.claims, held.failures), (3, vec![]));
        assert_eq!(checked("1").failures, ["after 2: s.rcvbuf == 1: it is 60000"]);
    }
}
