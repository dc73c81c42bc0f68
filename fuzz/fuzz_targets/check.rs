//! Whatever the input: checking it ends, with a valid program or with diagnostics.
#![no_main]

#[path = "../../tests/all/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = dbverify::source::decode(bytes.to_vec()) {
        properties::check(&text);
    }
});
