//! Holds nothing: this package is its tests.
#![forbid(unsafe_code)]
