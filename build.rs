//! Where the finished program looks for the library of Z3 first: in its own folder, and in the one above, as tests do.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let origin = match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux") => "$ORIGIN",
        Ok("macos") => "@loader_path",
        _ => return,
    };
    for folder in ["", "/.."] {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{origin}{folder}");
    }
}
