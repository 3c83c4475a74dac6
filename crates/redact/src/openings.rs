//! Lists of words that a text can go on with, sorted by their first bytes when compiled: most
//! texts are told apart by one look.

/// Words in the order of their first bytes; among those that share one, in the order given.
pub(crate) struct Openings<const N: usize> {
    words: [&'static str; N],
    /// For each byte, the first word that starts with it or with a greater one.
    from: [u8; 257],
}

impl<const N: usize> Openings<N> {
    /// Sorts at most 255 words, none of them empty.
    pub(crate) const fn new(list: [&'static str; N]) -> Self {
        let mut words = [""; N];
        let mut from = [0; 257];
        let (mut byte, mut count) = (0, 0);
        while byte < 256 {
            from[byte] = count;
            let mut at = 0;
            while at < N {
                if list[at].as_bytes()[0] as usize == byte {
                    words[count as usize] = list[at];
                    count += 1;
                }
                at += 1;
            }
            byte += 1;
        }
        from[256] = count;
        Self { words, from }
    }

    /// Lists the words that the text begins with.
    pub(crate) fn of<'t>(
        &self,
        text: &'t str,
    ) -> impl Iterator<Item = &'static str> + use<'_, 't, N> {
        let words = text.as_bytes().first().map_or(0..0, |first| {
            let first = usize::from(*first);
            usize::from(self.from[first])..usize::from(self.from[first + 1])
        });
        let words = self.words[words].iter().copied();
        words.filter(|word| text.starts_with(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_the_order_given() {
        static OPENINGS: Openings<5> = Openings::new(["is ", "a", "is now ", "\u{3c9}", "\u{ff}"]);
        let of = |text| OPENINGS.of(text).collect::<Vec<_>>();
        assert_eq!(of("is now x"), ["is ", "is now "]);
        assert_eq!(of("\u{3c9}x"), ["\u{3c9}"]);
        assert_eq!(of("\u{ff}"), ["\u{ff}"]);
        assert_eq!(of("b"), Vec::<&str>::new());
        assert_eq!(of(""), Vec::<&str>::new());
    }
}
