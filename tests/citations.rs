//! Every rule of the engine names where it was read, in a form this test reads:
//!
//! ```text
//! //= net/core/sock.c __sk_mem_reclaim @ 5.10 6.1 6.12 7.3
//! //# The rule in our own words.
//! ```
#![cfg(not(target_arch = "wasm32"))]

use skmem_lab::engine::reason::Rule;
use skmem_lab::explain::glossary;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Kernels whose sources were read.
const READ: [&str; 4] = ["5.10", "6.1", "6.12", "7.3"];

/// One citation and where it stands.
struct Citation {
    place: String,
    file: String,
    function: String,
    versions: Vec<String>,
    rule_text: bool,
    item_below: bool,
}

fn citations() -> Vec<Citation> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine/rules");
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    let mut found = Vec::new();
    for path in names {
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (n, line) in lines.iter().enumerate() {
            let Some(rest) = line.strip_prefix("//= ") else { continue };
            let (source, versions) = rest.split_once(" @ ").unwrap_or((rest, ""));
            let (file, function) = source.split_once(' ').unwrap_or((source, ""));
            let after: Vec<&&str> = lines[n + 1..].iter().skip_while(|l| l.starts_with("//= ")).collect();
            let body = after.iter().take_while(|l| l.starts_with("//# ")).count();
            let item = after.iter().skip(body).find(|l| !l.starts_with("#["));
            found.push(Citation {
                place: format!("{}:{}", path.file_name().unwrap().to_string_lossy(), n + 1),
                file: file.to_owned(),
                function: function.to_owned(),
                versions: versions.split_whitespace().map(str::to_owned).collect(),
                rule_text: body > 0,
                item_below: item
                    .is_some_and(|l| l.contains("fn ") || l.contains("const ") || l.contains("struct ")),
            });
        }
    }
    found
}

#[test]
fn citations_are_complete() {
    let mut complaints = Vec::new();
    for c in citations() {
        if !["include/", "kernel/", "mm/", "net/"].iter().any(|root| c.file.starts_with(root)) {
            complaints.push(format!("{}: {:?} is no kernel source file", c.place, c.file));
        }
        if c.versions.is_empty() || c.versions.iter().any(|v| !READ.contains(&v.as_str())) {
            complaints.push(format!("{}: versions {:?}; read were {READ:?}", c.place, c.versions));
        }
        if !c.rule_text {
            complaints.push(format!("{}: no rule in our own words (`//#`) follows", c.place));
        }
        if !c.item_below {
            complaints.push(format!("{}: stands above no function or constant", c.place));
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn every_rule_is_cited() {
    let cited: BTreeSet<String> = citations().into_iter().map(|c| c.function).collect();
    let missing: Vec<&str> =
        Rule::ALL.iter().map(|rule| rule.name()).filter(|name| !cited.contains(*name)).collect();
    assert!(missing.is_empty(), "nobody cites a source for: {missing:?}");
}

/// The page names a source file for each rule: it must be one that the rule itself cites.
#[test]
fn the_glossary_names_the_cited_file() {
    let cited = citations();
    let mut complaints = Vec::new();
    for rule in Rule::ALL {
        let shown = glossary::rule(*rule).source;
        if !cited.iter().any(|c| c.function == rule.name() && c.file == shown) {
            complaints.push(format!("{}: the glossary says {shown}, no citation does", rule.name()));
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// A rule that nothing records is a name without a meaning.
#[test]
fn every_rule_decides_something() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine/rules");
    let code: String = fs::read_dir(dir)
        .unwrap()
        .map(|e| fs::read_to_string(e.unwrap().path()).unwrap())
        .collect::<Vec<_>>()
        .join("\n");
    let unused: Vec<String> = Rule::ALL
        .iter()
        .map(|rule| format!("Rule::{rule:?}"))
        .filter(|name| {
            !code
                .match_indices(name.as_str())
                .any(|(at, _)| !code[at + name.len()..].starts_with(|c: char| c.is_alphanumeric()))
        })
        .collect();
    assert!(unused.is_empty(), "no rule records: {unused:?}");
}
