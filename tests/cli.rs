//! The command line: what it prints and how it ends.
#![cfg(not(target_arch = "wasm32"))]

use serde_json::Value;
use std::path::Path;
use std::process::Command;

struct Run {
    code: i32,
    out: String,
    err: String,
}

fn skmem(args: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_skmem"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .output()
        .expect("the program was built");
    Run {
        code: output.status.code().expect("it ended by itself"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

const B01: &str = "tests/recordings/6.12.117/b01_rcvbuf_values.json";

/// A recording with one value changed, in a file of its own.
fn spoiled(name: &str) -> String {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(B01)).unwrap();
    let mut recording: Value = serde_json::from_str(&text).unwrap();
    recording["steps"][5]["state"]["socks"]["s"]["sndbuf"] = 1.into();
    write(name, &recording.to_string())
}

fn write(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

#[test]
fn a_replay_ends_with_the_counts() {
    let run = skmem(&["replay", B01]);
    let last = run.out.lines().last().unwrap();
    let words: Vec<&str> = last.split(' ').collect();
    let numbers: Vec<u64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    assert_eq!(numbers.len(), 6, "{last}");
    let [traces, steps, values, mismatches, not_compared, not_modelled] = numbers[..] else { panic!("{last}") };
    assert_eq!((traces, steps, mismatches), (1, 24, 0));
    let expected = format!(
        "replayed {traces} traces, {steps} steps: {values} values compared, {mismatches} mismatches, \
         {not_compared} not compared, {not_modelled} not modelled"
    );
    assert_eq!(last, expected);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn a_difference_is_named_and_ends_with_1() {
    let run = skmem(&["replay", &spoiled("spoiled.json")]);
    assert_eq!(run.code, 1);
    let line = run.out.lines().find(|line| line.contains("socks.s.sndbuf")).expect(&run.out);
    assert!(line.contains("step 5 ") && line.contains("kernel 1, model "), "{line}");
    assert!(run.out.lines().last().unwrap().contains(" 1 mismatches, "), "{}", run.out);
}

#[test]
fn the_json_report_has_every_part() {
    let run = skmem(&["replay", "--json", &spoiled("spoiled-json.json"), B01]);
    assert_eq!(run.code, 1);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["traces"], 2);
    assert_eq!(report["mismatches"], 1);
    for part in ["steps", "values", "not_compared", "not_modelled"] {
        assert!(report[part].as_u64().unwrap() > 0, "{part}");
    }
    assert_eq!(report["by_field"]["socks.*.sndbuf"]["mismatches"], 1);
    let failure = &report["failures"][0];
    assert_eq!(failure["trace"], "6.12.117/b01_rcvbuf_values");
    assert_eq!((&failure["step"], &failure["field"]), (&5.into(), &"socks.s.sndbuf".into()));
    assert_eq!(failure["expected"], 1);
    assert!(failure["got"].as_i64().unwrap() > 1);
}

#[test]
fn the_models_answers_are_a_recording() {
    let run = skmem(&["replay", "--states", B01]);
    assert_eq!(run.code, 0, "{}", run.err);
    let path = write("states.json", &run.out);
    let again = skmem(&["replay", &path]);
    assert_eq!(again.code, 2, "states say nothing about the recording's clock: {}", again.out);
    assert!(again.err.contains("not_compared"), "{}", again.err);
    let states: Value = serde_json::from_str(&run.out).unwrap();
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(B01)).unwrap();
    let recording: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(states["steps"].as_array().unwrap().len(), recording["steps"].as_array().unwrap().len());
    for field in ["ret", "errno", "op", "value"] {
        assert_eq!(states["steps"][4][field], recording["steps"][4][field], "{field}");
    }
    let rcvbuf = "/steps/4/state/socks/s/rcvbuf";
    assert_eq!(states.pointer(rcvbuf), recording.pointer(rcvbuf));
}

#[test]
fn what_cannot_be_read_is_said_and_ends_with_2() {
    let bad_field = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(B01)).unwrap();
    let bad_field = bad_field.replacen(r#""op": "setsockopt""#, r#""op": "juggle""#, 1);
    let bad_field = bad_field.replacen(r#""op":"setsockopt""#, r#""op":"juggle""#, 1);
    let cases = [
        ("tests/recordings/none.json".to_owned(), "none.json"),
        (write("torn.json", "{\"kernel\": "), "not JSON"),
        (write("bad-field.json", &bad_field), "step 1, field `op`"),
        (write("scenario.json", "{\"name\":\"x\",\"steps\":[]}"), "not a recording"),
        ("src/engine".to_owned(), "no recordings"),
    ];
    for (path, expected) in cases {
        let run = skmem(&["replay", &path]);
        assert_eq!(run.code, 2, "{path}: {}", run.out);
        assert!(run.err.contains(expected) && run.err.contains(&path), "{path}: {}", run.err);
    }
    // What can be read is replayed all the same.
    let run = skmem(&["replay", "tests/recordings/none.json", B01]);
    assert_eq!(run.code, 2);
    assert!(run.out.lines().last().unwrap().starts_with("replayed 1 traces, "), "{}", run.out);
}

#[test]
fn an_unknown_kernel_lists_what_there_is() {
    let run = skmem(&["replay", "--kernel", "4.4", B01]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("\"4.4\"") && run.err.contains("5.10, 5.16, 6.1, 6.6, 6.8, 6.12, 6.18, 7.3"),
        "{}",
        run.err
    );
}

#[test]
fn another_kernel_plays_the_same_operations() {
    for version in ["6.1", "6.1.192", "6.12+64k"] {
        let run = skmem(&["replay", "--kernel", version, B01]);
        assert!(run.code < 2, "{version}: {}", run.err);
        assert!(run.out.lines().last().unwrap().starts_with("replayed 1 traces, 24 steps: "), "{}", run.out);
    }
}

#[test]
fn a_directory_is_searched_and_sorted() {
    let run = skmem(&["replay", "tests/recordings/5.10.223"]);
    let names: Vec<&str> = run.out.lines().filter(|line| line.starts_with("5.10.223/")).collect();
    assert!(names.len() > 60 && names.is_sorted(), "{names:?}");
}

/// A lesson's text form in a file of its own.
fn lesson_file(name: &str) -> String {
    let run = skmem(&["export", LESSON, "--to", "text"]);
    assert_eq!(run.code, 0, "{}", run.err);
    write(name, &run.out)
}

const LESSON: &str = "option-rounding";

#[test]
fn run_shows_every_step_with_its_numbers_and_reasons() {
    let text = skmem(&["run", LESSON]);
    assert_eq!(text.code, 0, "{}", text.err);
    assert!(text.out.starts_with("on Linux 6.12\n"), "{}", text.out);
    assert!(text.out.contains("\n0 socket ") && text.out.contains("sk_setsockopt"), "{}", text.out);

    let json = skmem(&["run", LESSON, "--json", "--profile", "5.10"]);
    let run: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(run["profile"], "5.10");
    let step = &run["steps"][0];
    assert_eq!((&step["op"], &step["errno"]), (&"socket".into(), &0.into()));
    assert!(!step["beats"][0]["facts"].as_array().unwrap().is_empty());

    let csv = skmem(&["run", LESSON, "--csv"]);
    let columns = csv.out.lines().next().unwrap();
    assert!(columns.starts_with("op,text,rules,errno,global."), "{columns}");
    assert_eq!(csv.out.lines().count(), run["steps"].as_array().unwrap().len() + 1);
}

#[test]
fn every_form_of_a_scenario_plays_alike() {
    let expected = skmem(&["run", LESSON, "--csv"]).out;
    let link = skmem(&["export", LESSON, "--to", "link"]).out;
    let json = write("lesson.json", &skmem(&["export", LESSON, "--to", "json"]).out);
    let text = lesson_file("lesson.skm");
    let long_link = skmem(&["export", &text, "--to", "link"]).out;
    assert!(link.starts_with("#v=1&") && long_link.len() > link.len(), "{link}");
    let csv = skmem(&["export", LESSON, "--to", "csv"]).out;
    assert_eq!(csv, expected);
    for form in [link.trim(), long_link.trim(), &json, &text] {
        let run = skmem(&["run", form, "--csv"]);
        assert_eq!(run.out, expected, "{form}: {}", run.err);
    }
}

#[test]
fn a_recording_plays_as_the_scenario_it_was_made_from() {
    let run = skmem(&["run", B01, "--csv"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out.lines().count(), 25);
}

#[test]
fn run_and_export_say_what_cannot_be_used() {
    let nonsense = write("nonsense.skm", "socket s\nsend t 1\n");
    let mistyped = write("mistyped.skm", "socket s\nsned s 1\n");
    let cases: [(&[&str], &str); 6] = [
        (&["run", "no-such-thing"], "option-rounding"),
        (&["run", &nonsense], "operation 1 [send t 1]"),
        (&["run", &mistyped], "mistyped.skm"),
        (&["run", LESSON, "--profile", "4.4"], "4.4"),
        (&["run", "#v=1&lesson=nothing"], "link"),
        (&["export", LESSON, "--to", "smoke"], "smoke"),
    ];
    for (args, expected) in cases {
        let run = skmem(args);
        assert_eq!(run.code, 2, "{args:?}: {}", run.out);
        assert!(run.err.contains(expected), "{args:?}: {}", run.err);
    }
}

#[test]
fn every_lesson_holds() {
    let run = skmem(&["check"]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.out.lines().last().unwrap().ends_with(" 0 failures"), "{}", run.out);
}
