//! Dot products of 8-bit codes with a 16-bit query, on the widest unit that the processor has.
//!
//! Through pulp, which checks for the processor's features at run time and wraps the intrinsics in
//! safe functions; so this crate needs no unsafe code. `wide` chooses its width when it is
//! compiled and was not taken for that reason.

use pulp::NullaryFnOnce;

/// Bytes that one step of the widest unit takes; rows of codes are multiples of the dimension and
/// need no padding.
const WIDE: usize = 32;
const NARROW: usize = 16;

/// The instruction set that dot products run on, found once.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kernel {
    /// AVX-512 with byte and word instructions.
    #[cfg(target_arch = "x86_64")]
    Avx512(pulp::x86::V4),
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3),
    /// Whatever the compiler makes of a loop.
    Portable,
}

impl Kernel {
    /// Chooses the widest unit of this processor.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(simd) = pulp::x86::V4::try_new() {
                return Self::Avx512(simd);
            }
            if let Some(simd) = pulp::x86::V3::try_new() {
                return Self::Avx2(simd);
            }
        }
        Self::Portable
    }

    /// Writes the dot product of each row of `codes` with `query` into `sums`.
    ///
    /// A row has as many codes as the query has components. The caller keeps the query's
    /// components within [`query_limit`], so that no sum overflows.
    pub(crate) fn dots(self, codes: &[i8], query: &[i16], sums: &mut [i32]) {
        if query.is_empty() {
            sums.fill(0);
            return;
        }
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(simd) => simd.vectorize(Avx512 {
                simd,
                codes,
                query,
                sums,
            }),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(simd) => simd.vectorize(Avx2 {
                simd,
                codes,
                query,
                sums,
            }),
            Self::Portable => {
                for (row, sum) in codes.chunks_exact(query.len()).zip(sums) {
                    *sum = rest(row, query);
                }
            }
        }
    }
}

/// Returns the largest component of a query that keeps every sum within an i32.
pub(crate) fn query_limit(dimension: usize) -> i16 {
    const LARGEST_CODE: usize = 127;
    let terms = LARGEST_CODE.saturating_mul(dimension).max(1);
    i16::try_from(i32::MAX.unsigned_abs() as usize / terms).unwrap_or(i16::MAX)
}

#[inline(always)]
fn rest(row: &[i8], query: &[i16]) -> i32 {
    row.iter()
        .zip(query)
        .map(|(code, component)| i32::from(*code) * i32::from(*component))
        .sum()
}

#[cfg(target_arch = "x86_64")]
struct Avx512<'a> {
    simd: pulp::x86::V4,
    codes: &'a [i8],
    query: &'a [i16],
    sums: &'a mut [i32],
}

#[cfg(target_arch = "x86_64")]
impl NullaryFnOnce for Avx512<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let simd = self.simd;
        let (query, query_rest) = self.query.as_chunks::<WIDE>();
        for (row, sum) in self.codes.chunks_exact(self.query.len()).zip(self.sums) {
            let (blocks, row_rest) = row.as_chunks::<WIDE>();
            let mut total = simd.avx512f._mm512_setzero_si512();
            for (codes, components) in blocks.iter().zip(query) {
                let codes = simd.avx512bw._mm512_cvtepi8_epi16(pulp::cast(*codes));
                let products = simd
                    .avx512bw
                    ._mm512_madd_epi16(codes, pulp::cast(*components));
                total = simd.avx512f._mm512_add_epi32(total, products);
            }
            *sum = simd.avx512f._mm512_reduce_add_epi32(total) + rest(row_rest, query_rest);
        }
    }
}

#[cfg(target_arch = "x86_64")]
struct Avx2<'a> {
    simd: pulp::x86::V3,
    codes: &'a [i8],
    query: &'a [i16],
    sums: &'a mut [i32],
}

#[cfg(target_arch = "x86_64")]
impl NullaryFnOnce for Avx2<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let simd = self.simd;
        let (query, query_rest) = self.query.as_chunks::<NARROW>();
        for (row, sum) in self.codes.chunks_exact(self.query.len()).zip(self.sums) {
            let (blocks, row_rest) = row.as_chunks::<NARROW>();
            let mut total = simd.avx._mm256_setzero_si256();
            for (codes, components) in blocks.iter().zip(query) {
                let codes = simd.avx2._mm256_cvtepi8_epi16(pulp::cast(*codes));
                let products = simd.avx2._mm256_madd_epi16(codes, pulp::cast(*components));
                total = simd.avx2._mm256_add_epi32(total, products);
            }
            let lanes: [i32; 8] = pulp::cast(total);
            *sum = lanes.iter().sum::<i32>() + rest(row_rest, query_rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kernels() -> Vec<Kernel> {
        let mut kernels = vec![Kernel::Portable, Kernel::detect()];
        #[cfg(target_arch = "x86_64")]
        kernels.extend(pulp::x86::V3::try_new().map(Kernel::Avx2));
        kernels
    }

    fn naive(codes: &[i8], query: &[i16]) -> Vec<i64> {
        codes
            .chunks_exact(query.len())
            .map(|row| {
                row.iter()
                    .zip(query)
                    .map(|(a, b)| i64::from(*a) * i64::from(*b))
                    .sum()
            })
            .collect()
    }

    #[test]
    fn the_largest_components_do_not_overflow() {
        for dimension in [1, 16, 384, 1536, 4096] {
            let query = vec![query_limit(dimension); dimension];
            let codes = vec![127i8; dimension];
            for kernel in kernels() {
                let mut sums = [0];
                kernel.dots(&codes, &query, &mut sums);
                assert_eq!(i64::from(sums[0]), naive(&codes, &query)[0], "{kernel:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn kernels_agree_with_the_plain_sum(
            query in proptest::collection::vec(-32767i16..=32767, 1..130),
            seed in proptest::collection::vec(-127i8..=127, 1..130),
            rows in 1usize..5,
        ) {
            let codes: Vec<i8> =
                seed.iter().copied().cycle().take(rows * query.len()).collect();
            let expected = naive(&codes, &query);
            for kernel in kernels() {
                let mut sums = vec![0; rows];
                kernel.dots(&codes, &query, &mut sums);
                let sums: Vec<i64> = sums.into_iter().map(i64::from).collect();
                prop_assert_eq!(&sums, &expected, "{:?}", kernel);
            }
        }
    }
}
