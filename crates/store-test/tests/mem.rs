//! The reference store passes the suite.

precedent_store_test::conformance!(precedent_store_test::MemHarness::default());
