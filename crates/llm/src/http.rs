//! The clients and what they share.

#[cfg(feature = "anthropic")]
mod anthropic;
mod backoff;
mod breaker;
mod calls;
mod client;
mod cost;
mod endpoint;
mod fault;
#[cfg(feature = "openai")]
mod openai;
mod protocol;
mod roots;
mod settings;
mod transport;

#[cfg(feature = "anthropic")]
pub use anthropic::Anthropic;
pub use cost::{CostRow, CostSink, Price};
pub use endpoint::Endpoint;
#[cfg(feature = "openai")]
pub use openai::{OpenAi, OpenAiOptions, SchemaMode, TokenLimit};
pub use roots::Roots;
pub use settings::{
    ApiKey, BreakerSettings, Jitter, Retries, Settings, SettingsError, Surroundings,
};
