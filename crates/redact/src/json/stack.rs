//! A stack whose first elements need no allocation.

/// Elements that are kept in place; few documents nest deeper.
const INLINE: usize = 16;

/// A stack.
pub(super) struct Stack<T> {
    first: [Option<T>; INLINE],
    rest: Vec<T>,
    length: usize,
}

impl<T> Default for Stack<T> {
    fn default() -> Self {
        Self {
            first: std::array::from_fn(|_| None),
            rest: Vec::new(),
            length: 0,
        }
    }
}

impl<T> Stack<T> {
    pub(super) fn push(&mut self, value: T) {
        match self.first.get_mut(self.length) {
            Some(place) => *place = Some(value),
            None => self.rest.push(value),
        }
        self.length += 1;
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        self.length = self.length.checked_sub(1)?;
        match self.first.get_mut(self.length) {
            Some(place) => place.take(),
            None => self.rest.pop(),
        }
    }

    pub(super) fn last(&self) -> Option<&T> {
        match self.first.get(self.length.checked_sub(1)?) {
            Some(place) => place.as_ref(),
            None => self.rest.last(),
        }
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut T> {
        match self.first.get_mut(self.length.checked_sub(1)?) {
            Some(place) => place.as_mut(),
            None => self.rest.last_mut(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_works_across_the_border() {
        let mut stack = Stack::default();
        for number in 0..2 * INLINE {
            stack.push(number);
            assert_eq!(stack.last(), Some(&number));
        }
        if let Some(last) = stack.last_mut() {
            *last += 1;
        }
        assert_eq!(stack.pop(), Some(2 * INLINE));
        for number in (0..2 * INLINE - 1).rev() {
            assert_eq!(stack.pop(), Some(number));
        }
        assert_eq!(stack.pop(), None);
        assert_eq!(stack.last(), None);
    }
}
