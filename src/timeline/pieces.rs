//! A list whose copies share what they have in common: a fork costs a few pointers.

use std::rc::Rc;

/// Items of one piece.
const PIECE: u32 = 256;

/// A list that is appended to, cut short, and copied often. Copies share their pieces.
#[derive(Clone, Debug)]
pub struct Pieces<T> {
    pieces: Vec<Rc<Vec<T>>>,
    len: u32,
}

impl<T> Default for Pieces<T> {
    fn default() -> Self {
        Self { pieces: Vec::new(), len: 0 }
    }
}

impl<T: Clone> Pieces<T> {
    /// How many items there are.
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One item.
    pub fn get(&self, at: u32) -> Option<&T> {
        self.pieces.get((at / PIECE) as usize)?.get((at % PIECE) as usize)
    }

    /// Every item in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.pieces.iter().flat_map(|piece| piece.iter())
    }

    /// Every item from `at` on.
    pub fn from(&self, at: u32) -> impl Iterator<Item = &T> {
        let first = (at / PIECE) as usize;
        let skip = (at % PIECE) as usize;
        self.pieces.iter().skip(first).flat_map(|piece| piece.iter()).skip(skip)
    }

    /// Appends one item. Copies the last piece if it is shared.
    pub fn push(&mut self, item: T) {
        if self.len.is_multiple_of(PIECE) {
            self.pieces.push(Rc::new(Vec::new()));
        }
        if let Some(last) = self.pieces.last_mut() {
            Rc::make_mut(last).push(item);
        }
        self.len += 1;
    }

    /// Keeps the first `len` items.
    pub fn truncate(&mut self, len: u32) {
        if len >= self.len {
            return;
        }
        self.pieces.truncate(len.div_ceil(PIECE) as usize);
        let rest = (len % PIECE) as usize;
        if rest > 0
            && let Some(last) = self.pieces.last_mut()
        {
            Rc::make_mut(last).truncate(rest);
        }
        self.len = len;
    }
}

impl<T: Clone> FromIterator<T> for Pieces<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut all = Self::default();
        for item in items {
            all.push(item);
        }
        all
    }
}

impl<T: Clone + PartialEq> PartialEq for Pieces<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.pieces.iter().zip(&other.pieces).all(|(a, b)| Rc::ptr_eq(a, b) || a == b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_keeps_what_it_had() {
        let mut list: Pieces<u32> = (0..600).collect();
        let copy = list.clone();
        list.truncate(511);
        list.push(7);
        assert_eq!(list.len(), 512);
        assert_eq!(list.get(511), Some(&7));
        assert_eq!(copy.len(), 600);
        assert_eq!(copy.get(511), Some(&511));
        assert_eq!(list.from(509).copied().collect::<Vec<_>>(), [509, 510, 7]);
        assert_eq!(copy.iter().copied().sum::<u32>(), 600 * 599 / 2);
    }

    #[test]
    fn cutting_at_the_edge_of_a_piece() {
        let mut list: Pieces<u32> = (0..512).collect();
        list.truncate(256);
        assert_eq!(list.get(255), Some(&255));
        assert_eq!(list.get(256), None);
        list.truncate(0);
        assert!(list.is_empty());
        list.push(1);
        assert_eq!(list.iter().copied().collect::<Vec<_>>(), [1]);
    }
}
