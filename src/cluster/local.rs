//! `--cluster local:N`: one process starts the others on this machine, and tells them the secret and where all listen,
//! through pipes that nobody else reads.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use serde::{Deserialize, Serialize};

use super::Broken;

/// The variable of the environment that says which of the processes this one is.
const MEMBER: &str = "DBVERIFY_CLUSTER_MEMBER";

/// What the first process tells the others.
#[derive(Debug, Serialize, Deserialize)]
struct Told {
    secret: String,
    hosts: Vec<String>,
}

/// A process on this machine, before it meets the others.
pub struct Local {
    pub me: usize,
    pub listener: TcpListener,
    pub hosts: Vec<String>,
    pub secret: String,
    children: Vec<Child>,
}

impl Local {
    /// Whether this process was started by the first.
    #[must_use]
    pub fn is_started() -> bool {
        std::env::var_os(MEMBER).is_some()
    }

    /// Makes the first process, which starts the others with its own command line, or makes one of the others.
    ///
    /// # Errors
    /// When a process cannot be started, or the first is gone.
    pub fn new(size: usize) -> Result<Self, Broken> {
        let member = std::env::var(MEMBER).ok().and_then(|m| m.parse().ok());
        let fails =
            |what: &str, error: &dyn std::fmt::Display| Broken::Gone(format!("{what}: {error}"));
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|e| fails("cannot listen", &e))?;
        let address = listener
            .local_addr()
            .map_err(|e| fails("cannot listen", &e))?;
        let host = address.to_string();
        match member {
            None => Self::first(size, listener, host),
            Some(me) => {
                println!("{host}");
                let mut line = String::new();
                let read = std::io::stdin().read_line(&mut line);
                read.map_err(|e| fails("the first process is gone", &e))?;
                let told = serde_json::from_str(&line);
                let told: Told = told.map_err(|e| fails("the first process is gone", &e))?;
                end_with_the_first();
                Ok(Self {
                    me,
                    listener,
                    hosts: told.hosts,
                    secret: told.secret,
                    children: Vec::new(),
                })
            }
        }
    }

    fn first(size: usize, listener: TcpListener, host: String) -> Result<Self, Broken> {
        let mut secret = [0; 32];
        let random = getrandom::fill(&mut secret);
        random.map_err(|_| Broken::Gone("there are no random numbers".to_owned()))?;
        let mut local = Self {
            me: 0,
            listener,
            hosts: vec![host],
            secret: secret.iter().map(|byte| format!("{byte:02x}")).collect(),
            children: Vec::new(),
        };
        for me in 1..size {
            let child = start(me)
                .map_err(|e| Broken::Gone(format!("process {me} cannot be started: {e}")))?;
            local.children.push(child);
        }
        for (me, child) in (1..).zip(&mut local.children) {
            let mut line = String::new();
            let read = child
                .stdout
                .take()
                .map(|out| BufReader::new(out).read_line(&mut line));
            if !matches!(read, Some(Ok(1..))) {
                return Err(Broken::Gone(format!("process {me} ended before it began")));
            }
            local.hosts.push(line.trim().to_owned());
        }
        let told = Told {
            secret: local.secret.clone(),
            hosts: local.hosts.clone(),
        };
        let told = serde_json::to_string(&told).unwrap_or_default() + "\n";
        for child in &mut local.children {
            // The pipe stays open until this process ends. A child that does not read it will be missed at the meeting.
            let _ = child
                .stdin
                .as_mut()
                .map(|pipe| pipe.write_all(told.as_bytes()));
        }
        Ok(local)
    }

    /// Checks whether all started processes still run.
    ///
    /// # Errors
    /// When one has ended.
    pub fn alive(&mut self) -> Result<(), Broken> {
        for (me, child) in (1..).zip(&mut self.children) {
            if let Ok(Some(status)) = child.try_wait() {
                return Err(Broken::Gone(format!("process {me} has ended: {status}")));
            }
        }
        Ok(())
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        for child in &mut self.children {
            drop(child.stdin.take());
            let _ = child.wait();
        }
    }
}

fn start(me: usize) -> std::io::Result<Child> {
    Command::new(std::env::current_exe()?)
        .args(std::env::args_os().skip(1))
        .env(MEMBER, me.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
}

/// Ends this process when the first one ends: the pipe from the first process closes then, however it ends.
fn end_with_the_first() {
    std::thread::spawn(|| {
        drop(std::io::copy(&mut std::io::stdin(), &mut std::io::sink()));
        std::process::exit(3);
    });
}
