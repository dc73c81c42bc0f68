//! Compiles the runtime: a library that dbverify carries in its binary and loads into the user's program.

use std::path::Path;

const FILES: &str = "core.c ops.c access.c heap.c pipes.c texts.c";

fn main() {
    println!("cargo:rerun-if-changed=runtime");
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    let library = Path::new(&out).join("runtime.so");
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let machine = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let libc = std::env::var("CARGO_CFG_TARGET_ENV").unwrap_or_default();
    println!("cargo:rustc-check-cfg=cfg(native)");
    if os != "linux" || libc != "gnu" || !matches!(machine.as_str(), "x86_64" | "aarch64") {
        return;
    }
    let mut build = cc::Build::new();
    build.opt_level(2).pic(true).cargo_metadata(false);
    let mut command = match build.try_get_compiler() {
        Ok(compiler) => compiler.to_command(),
        Err(_) => {
            return println!("cargo:warning=`dbverify run` is left out: there is no C compiler");
        }
    };
    command.args([
        "-fexceptions",
        "-fvisibility=hidden",
        "-fno-builtin",
        "-w",
        "-Wno-psabi",
    ]);
    command.args(["-ftls-model=initial-exec", "-shared"]);
    command.args(["-Wl,-soname,libdbverify_run.so", "-o"]);
    command.arg(&library);
    command.args(FILES.split(' ').map(|file| Path::new("runtime").join(file)));
    // Without the runtime, all other commands work.
    if command.status().is_ok_and(|status| status.success()) {
        println!("cargo:rustc-cfg=native");
    } else {
        println!(
            "cargo:warning=`dbverify run` is left out: the C compiler does not compile its runtime"
        );
    }
}
