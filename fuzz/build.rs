//! What the main build leaves out on purpose: libFuzzer is written in C++ and needs its runtime, and
//! the fuzzers have to find the solver's library, which lies beside them.

fn main() {
    println!("cargo::rustc-link-lib=stdc++");
    println!("cargo::rustc-link-arg=-Wl,-rpath,$ORIGIN");
}
