//! Whatever the input: the C front end answers.
#![no_main]

#[path = "../../tests/all/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    properties::c(&dbverify::c::decode(bytes));
});
