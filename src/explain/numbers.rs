//! Numbers as people read them. Always exact: a lens changes the unit, never the amount.

use crate::engine::units::PageSize;
use crate::scenario::view::Units;

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Pages of the machine.
    Pages,
    /// Packets, segments or datagrams.
    Packets,
    /// Microseconds.
    Micros,
    /// Bits of a shift.
    Bits,
    /// 1 or 0.
    Flag,
    /// A plain number.
    Count,
}

/// In which unit amounts of memory are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The unit.
    pub units: Units,
    /// The machine's page.
    pub page: PageSize,
}

impl Lens {
    /// Bytes as bytes and pages as pages, as the kernel counts them.
    pub const EXACT: Self = Self { units: Units::Bytes, page: PageSize::K4 };
}

/// An integer with commas: `1,234,567`.
pub fn number(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    if value < 0 {
        text.push('-');
    }
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its unit, exact: `20,000 B`, `25 pages`, `19 KiB + 544 B`, `0.02 MB`.
///
/// The lens applies to bytes and pages. Under the bytes lens pages stay pages: that is how `tcp_mem` counts.
pub fn amount(value: i64, unit: Unit, lens: Lens) -> String {
    match unit {
        Unit::Bytes => bytes(value, lens),
        Unit::Pages if lens.units == Units::Bytes => counted(value, "page"),
        Unit::Pages => bytes(value * lens.page.bytes().get(), lens),
        Unit::Packets => counted(value, "packet"),
        Unit::Micros if value % 1000 == 0 => format!("{} ms", number(value / 1000)),
        Unit::Micros => format!("{} us", number(value)),
        Unit::Bits | Unit::Count => number(value),
        Unit::Flag => (if value == 0 { "off" } else { "on" }).to_owned(),
    }
}

/// As [`amount`], without the unit where that is what the kernel itself counts in: for inequalities.
pub(super) fn bare(value: i64, unit: Unit, lens: Lens) -> String {
    match unit {
        Unit::Bytes | Unit::Pages if lens.units == Units::Bytes => number(value),
        Unit::Packets => number(value),
        _ => amount(value, unit, lens),
    }
}

fn counted(value: i64, one: &str) -> String {
    let plural = if value == 1 { "" } else { "s" };
    format!("{} {one}{plural}", number(value))
}

fn bytes(value: i64, lens: Lens) -> String {
    match lens.units {
        Units::Bytes => format!("{} B", number(value)),
        Units::Kib => mixed(value, 1024, "KiB"),
        Units::Pages => {
            let page = lens.page.bytes().get();
            mixed(value, page, if (value / page).abs() == 1 { "page" } else { "pages" })
        }
        Units::Mb => megabytes(value),
    }
}

/// Whole units and the bytes that remain. The remainder has the sign of the whole.
fn mixed(value: i64, size: i64, name: &str) -> String {
    let (whole, rest) = (value / size, (value % size).abs());
    let sign = if value < 0 { "-" } else { "+" };
    match (whole, rest) {
        (whole, 0) => format!("{} {name}", number(whole)),
        (0, _) => format!("{} B", number(value)),
        (whole, rest) => format!("{} {name} {sign} {} B", number(whole), number(rest)),
    }
}

/// Millions of bytes with as many of six decimals as are needed.
fn megabytes(value: i64) -> String {
    let (whole, rest) = (value.unsigned_abs() / 1_000_000, value.unsigned_abs() % 1_000_000);
    let sign = if value < 0 { "-" } else { "" };
    let whole = number(i64::try_from(whole).unwrap_or(i64::MAX));
    let decimals = format!("{rest:06}");
    match decimals.trim_end_matches('0') {
        "" => format!("{sign}{whole} MB"),
        decimals => format!("{sign}{whole}.{decimals} MB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas() {
        for (value, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (-1000, "-1,000"),
            (-999, "-999"),
            (102_400, "102,400"),
            (1_234_567, "1,234,567"),
            (i64::MIN, "-9,223,372,036,854,775,808"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn a_lens_changes_the_unit_and_not_the_amount() {
        let lens = |units| Lens { units, page: PageSize::K4 };
        for (value, unit, expected) in [
            (102_400, Unit::Bytes, ["102,400 B", "100 KiB", "25 pages", "0.1024 MB"]),
            (20_000, Unit::Bytes, ["20,000 B", "19 KiB + 544 B", "4 pages + 3,616 B", "0.02 MB"]),
            (-20_000, Unit::Bytes, ["-20,000 B", "-19 KiB - 544 B", "-4 pages - 3,616 B", "-0.02 MB"]),
            (54, Unit::Bytes, ["54 B", "54 B", "54 B", "0.000054 MB"]),
            (4096, Unit::Bytes, ["4,096 B", "4 KiB", "1 page", "0.004096 MB"]),
            (1, Unit::Pages, ["1 page", "4 KiB", "1 page", "0.004096 MB"]),
            (1000, Unit::Pages, ["1,000 pages", "4,000 KiB", "1,000 pages", "4.096 MB"]),
            (0, Unit::Pages, ["0 pages", "0 KiB", "0 pages", "0 MB"]),
            (3, Unit::Packets, ["3 packets"; 4]),
            (1, Unit::Flag, ["on"; 4]),
            (40_000, Unit::Micros, ["40 ms"; 4]),
            (1, Unit::Micros, ["1 us"; 4]),
        ] {
            for (units, text) in Units::ALL.into_iter().zip(expected) {
                assert_eq!(amount(value, unit, lens(units)), text);
            }
        }
        let large = Lens { units: Units::Pages, page: PageSize::K64 };
        assert_eq!(amount(102_400, Unit::Bytes, large), "1 page + 36,864 B");
    }
}
