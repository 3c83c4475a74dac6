//! What answers cost.

use precedent_core::{Timestamp, Usage};
use precedent_redact::CleanText;

/// What a provider asks for tokens, in millionths of a dollar for a million tokens: three dollars
/// for a million tokens are 3,000,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// For a million tokens of questions.
    pub input_micro_dollars: u64,
    /// For a million tokens of answers.
    pub output_micro_dollars: u64,
}

impl Price {
    /// Returns the cost of a request in millionths of a dollar, rounded up.
    pub fn of(&self, usage: Usage) -> u64 {
        let part = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
        let total = part(usage.input_tokens, self.input_micro_dollars)
            .saturating_add(part(usage.output_tokens, self.output_micro_dollars));
        u64::try_from(total.div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }
}

/// One answer that was paid for, whether or not it could be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostRow {
    /// What it was for.
    pub purpose: &'static str,
    /// The model that answered, as the provider names it.
    pub model: CleanText,
    /// Tokens of the question; `None` if the provider did not say.
    pub input_tokens: Option<u64>,
    /// Tokens of the answer; `None` if the provider did not say.
    pub output_tokens: Option<u64>,
    /// Millionths of a dollar; `None` without a price or a count.
    pub micro_dollars: Option<u64>,
    /// When the answer arrived.
    pub at: Timestamp,
}

/// Keeps account.
pub trait CostSink: Send + Sync {
    /// Takes a row. Called on a thread of the client, before the answer is given back.
    fn record(&self, row: CostRow);
}

impl<F: Fn(CostRow) + Send + Sync> CostSink for F {
    fn record(&self, row: CostRow) {
        self(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_exact_and_rounded_up() {
        let price = Price {
            input_micro_dollars: 3_000_000,
            output_micro_dollars: 15_000_000,
        };
        let cost = |input_tokens, output_tokens| {
            price.of(Usage {
                input_tokens,
                output_tokens,
            })
        };
        assert_eq!(cost(1_000, 200), 3_000 + 3_000);
        assert_eq!(cost(0, 0), 0);
        assert_eq!(cost(u64::MAX, u64::MAX), u64::MAX);
        let cheap = Price {
            input_micro_dollars: 150_000,
            output_micro_dollars: 600_000,
        };
        // 0.15 millionths of a dollar.
        let one = Usage {
            input_tokens: 1,
            output_tokens: 0,
        };
        assert_eq!(cheap.of(one), 1);
    }
}
