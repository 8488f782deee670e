//! Bytes and pages as types. `tcp_mem` counts pages, `truesize` counts bytes; mixing them must not compile.
//!
//! All quantities are `i64`: the kernel's own counters are signed ints and longs, and several of them
//! (`sk_forward_alloc`, the per-CPU page delta) go negative on purpose. Arithmetic that overflows an
//! `i64` is our own bug and stops the program in every build profile.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

macro_rules! unit {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl $name {
            /// Nothing.
            pub const ZERO: Self = Self(0);

            /// The plain number, for arithmetic that has no unit.
            pub const fn get(self) -> i64 {
                self.0
            }
        }
        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }
        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }
        impl Neg for $name {
            type Output = Self;
            fn neg(self) -> Self {
                Self(-self.0)
            }
        }
        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl SubAssign for $name {
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }
        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
                items.fold(Self::ZERO, |total, item| total + item)
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

unit! {
    /// A number of bytes.
    Bytes
}
unit! {
    /// A number of pages of the machine's page size.
    Pages
}
unit! {
    /// Microseconds of simulated time. The engine reads no clock: operations carry how much time passed.
    Micros
}

impl Micros {
    /// From milliseconds.
    pub const fn from_ms(ms: i64) -> Self {
        Self(ms * 1000)
    }
}

/// The size of one page, the unit in which the protocol and the memcg are charged.
///
/// 5.10 names its unit separately (4096 on every machine); 6.0 and later use the page size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSize {
    shift: u32,
}

impl PageSize {
    /// 4096 bytes.
    pub const K4: Self = Self { shift: 12 };
    /// 65536 bytes.
    pub const K64: Self = Self { shift: 16 };

    /// Bytes in one page.
    pub const fn bytes(self) -> Bytes {
        Bytes(1 << self.shift)
    }

    /// Pages needed to hold `amount`: rounds up (`sk_mem_pages`). Negative amounts need none.
    pub fn pages_up(self, amount: Bytes) -> Pages {
        if amount <= Bytes::ZERO {
            return Pages::ZERO;
        }
        Pages((amount.0 + self.bytes().0 - 1) >> self.shift)
    }

    /// Whole pages inside `amount`: rounds down. This is what a reclaim gives back.
    pub const fn pages_down(self, amount: Bytes) -> Pages {
        Pages(amount.0 >> self.shift)
    }

    /// Bytes in `pages` pages: exact.
    pub const fn bytes_of(self, pages: Pages) -> Bytes {
        Bytes(pages.0 << self.shift)
    }
}

/// `x` rounded up to a multiple of the power of two `to`, as the kernel's window code rounds an offer.
pub const fn round_up(x: i64, to: i64) -> i64 {
    (x + to - 1) & !(to - 1)
}

/// `x` rounded down to a multiple of the power of two `to`; keeps the sign's direction (towards minus infinity).
pub const fn round_down(x: i64, to: i64) -> i64 {
    x & !(to - 1)
}

/// The smallest power of two that is at least `x` (`roundup_pow_of_two`). `x` must be positive.
pub const fn pow2_roundup(x: i64) -> i64 {
    let mut p = 1;
    while p < x {
        p <<= 1;
    }
    p
}

/// Floor of the base-2 logarithm (`ilog2`). `x` must be positive.
pub const fn ilog2(x: i64) -> i64 {
    let mut n = 0;
    while x >> (n + 1) > 0 {
        n += 1;
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_round_up_to_hold_and_down_to_return() {
        let p = PageSize::K4;
        // 1832 bytes need one page; 4097 need two; 8191 bytes hold one whole page.
        assert_eq!(p.pages_up(Bytes(1832)), Pages(1));
        assert_eq!(p.pages_up(Bytes(4097)), Pages(2));
        assert_eq!(p.pages_up(Bytes(0)), Pages(0));
        assert_eq!(p.pages_down(Bytes(8191)), Pages(1));
        assert_eq!(p.bytes_of(Pages(25)), Bytes(102_400));
    }

    #[test]
    fn powers_of_two() {
        assert_eq!(pow2_roundup(2036), 2048);
        assert_eq!(pow2_roundup(2048), 2048);
        assert_eq!(ilog2(40_880_000), 25);
        assert_eq!(ilog2(212_992), 17);
        assert_eq!(round_up(64_088, 128), 64_128);
        assert_eq!(round_down(5536, 128), 5504);
    }
}
