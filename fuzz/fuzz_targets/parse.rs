//! Whatever the input: the parser answers, and what parses can be formatted.
#![no_main]

#[path = "../../tests/all/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = dbverify::source::decode(bytes.to_vec()) {
        properties::parse(&text);
    }
});
