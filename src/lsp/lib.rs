//! `dbverify lsp`: what an editor asks about a program, over standard input and output.
//!
//! Four kinds of threads, so that quick answers do not wait for slow work:
//!
//! - `serve` (the caller's) reads messages: the order of a session, and what is called off;
//! - `server` keeps the documents and answers, in order, from `names` and the tree;
//! - `checker` compiles what was changed last, for diagnostics;
//! - `verify` runs the engines, in a process of its own that can be stopped.
//!
//! Knows the pipeline as `cli` does, and no engine from inside.

mod actions;
mod checker;
mod client;
mod comments;
mod complaints;
mod complete;
mod folding;
mod hover;
mod lens;
mod navigate;
mod outline;
mod rename;
mod semantic;
mod serve;
mod server;
mod settings;
mod signature;
mod text;
mod verify;
pub mod wire;

use std::io::{self, BufReader};

/// Serves a client on standard input and output until it leaves. Returns the exit status:
/// 0 if it took its leave as the protocol says, else 1.
#[must_use]
pub fn run() -> u8 {
    let (out, _) = wire::Outbox::open(io::stdout());
    let client = client::Client::new(out);
    serve::serve(&mut BufReader::new(io::stdin()), &client)
}
