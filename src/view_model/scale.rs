//! From amounts to places on screen, in whole hundredths of a pixel.

use std::fmt;

/// A place or a length on screen, in hundredths of a CSS pixel. Prints as SVG takes it: `12.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Px(pub i64);

impl Px {
    /// Whole pixels.
    pub const fn whole(px: i64) -> Self {
        Self(px * 100)
    }

    /// The nearest whole pixel.
    pub const fn round(self) -> i64 {
        (self.0 + 50).div_euclid(100)
    }
}

impl fmt::Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, part) = (self.0.abs() / 100, self.0.abs() % 100);
        match part {
            0 => write!(f, "{sign}{whole}"),
            p if p % 10 == 0 => write!(f, "{sign}{whole}.{}", p / 10),
            p => write!(f, "{sign}{whole}.{p:02}"),
        }
    }
}

/// A linear scale that begins at zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The amount at the far end; at least 1.
    pub domain: i64,
    /// How long that is.
    pub length: Px,
}

impl Scale {
    /// `domain` over `length` pixels.
    pub fn new(domain: i64, length_px: i64) -> Self {
        Self { domain: domain.max(1), length: Px::whole(length_px.max(1)) }
    }

    /// Where an amount lies; what is below zero lies at zero, what is beyond the end at the end.
    pub fn at(&self, amount: i64) -> Px {
        let inside = i128::from(amount.clamp(0, self.domain));
        let place = (inside * i128::from(self.length.0) + i128::from(self.domain / 2)) / i128::from(self.domain);
        Px(i64::try_from(place).unwrap_or(self.length.0))
    }

    /// How long the stretch between two amounts is.
    pub fn between(&self, from: i64, to: i64) -> Px {
        Px(self.at(to).0 - self.at(from).0)
    }
}

/// The smallest of 1, 1.5, 2, 3, 4, 6 times a power of two that is at least `amount`.
///
/// The end of a scale jumps rarely, and a page count stays a page count.
pub fn roomy(amount: i64) -> i64 {
    let mut step = 1;
    while step < amount {
        if step > 1 && step / 2 * 3 >= amount {
            return step / 2 * 3;
        }
        step *= 2;
    }
    step
}

/// An amount for a scale bar: a power of two that is at most a sixth of the scale, at least 1.
pub const fn bar(domain: i64) -> i64 {
    let mut amount = 1;
    while amount * 2 <= domain / 6 {
        amount *= 2;
    }
    amount
}
