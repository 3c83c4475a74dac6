//! The Merkle tree head of RFC 6962 over values known in full.

use crate::hash;
use precedent_core::Digest;

/// Computes the RFC 6962 section 2.1 tree head over leaf hashes.
///
/// The head of an empty tree is SHA-256 of nothing.
pub fn root(leaves: &[Digest]) -> Digest {
    match leaves {
        [] => hash::sha256(b""),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(split(leaves.len()));
            hash::node(&root(left), &root(right))
        }
    }
}

/// Computes the tree head over a set of ids: each id's text is a leaf, ids in byte order.
pub fn root_of_ids(ids: &[String]) -> Digest {
    let mut sorted: Vec<&str> = ids.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    let leaves: Vec<Digest> = sorted.iter().map(|id| hash::leaf(id.as_bytes())).collect();
    root(&leaves)
}

/// The largest power of two below `count`, which is at least 2.
fn split(count: usize) -> usize {
    count.next_power_of_two() / 2
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    fn vector_leaves() -> Vec<Digest> {
        include_str!("../tests/vectors/leaf_hashes.txt")
            .lines()
            .map(|line| line.parse::<Digest>().unwrap())
            .collect()
    }

    fn checkpoint_root(note: &str) -> String {
        note.lines().nth(2).unwrap().to_owned()
    }

    #[test]
    fn empty_tree_matches_the_vector() {
        let expected = include_str!("../tests/vectors/empty-root.txt").trim();
        assert_eq!(root(&[]).to_string(), expected);
    }

    #[test]
    fn roots_match_the_signed_checkpoints() {
        let leaves = vector_leaves();
        for (size, note) in [
            (4, include_str!("../tests/vectors/checkpoint-4")),
            (9, include_str!("../tests/vectors/checkpoint")),
        ] {
            let computed = STANDARD.encode(root(&leaves[..size]).as_bytes());
            assert_eq!(computed, checkpoint_root(note), "size {size}");
        }
    }

    #[test]
    fn split_is_the_largest_smaller_power_of_two() {
        let expected = [(2, 1), (3, 2), (4, 2), (5, 4), (8, 4), (9, 8), (1_000, 512)];
        for (count, left) in expected {
            assert_eq!(split(count), left, "count {count}");
        }
    }

    #[test]
    fn id_root_ignores_the_order_given() {
        let one = ["b".to_owned(), "a".to_owned()];
        let two = ["a".to_owned(), "b".to_owned()];
        assert_eq!(root_of_ids(&one), root_of_ids(&two));
        assert_eq!(
            root_of_ids(&one),
            hash::node(&hash::leaf(b"a"), &hash::leaf(b"b"))
        );
    }
}
