//! A session from its first message to its last: which messages are allowed when, and which work is called off.
//!
//! No call here takes long: the [server](super::server) gets the work that does.

use std::io::BufRead;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

use super::actions;
use super::client::{Client, Refusal};
use super::server::{Job, Server};
use super::wire::{Incoming, read};

/// Where a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before `initialize`.
    Fresh,
    /// Between `initialize` and `shutdown`.
    Running,
    /// After `shutdown`.
    Down,
}

struct Session<'a> {
    client: &'a Client,
    jobs: Sender<Job>,
    state: State,
}

/// Serves until `exit` or the end of the input; returns the exit status.
pub fn serve(input: &mut impl BufRead, client: &Client) -> u8 {
    let (jobs, inbox) = mpsc::channel();
    // Every verification holds a copy.
    let running = Arc::new(());
    let server = Server::new(client.clone(), jobs.clone(), running.clone());
    thread::spawn(move || server.run(inbox));
    let mut session = Session {
        client,
        jobs,
        state: State::Fresh,
    };
    let polite = loop {
        match read(input) {
            Ok(Some(Incoming::Message(Message::Notification(n)))) if n.method == "exit" => {
                break session.state == State::Down;
            }
            Ok(Some(Incoming::Message(message))) => session.message(message),
            Ok(Some(Incoming::Wrong(code, reason))) => client.refuse(code, &reason),
            Ok(None) => break false,
            Err(error) => {
                client.refuse(ErrorCode::ParseError as i32, &error.to_string());
                break false;
            }
        }
    };
    client.cancel_all();
    wait_for(&running);
    client.flush();
    u8::from(!polite)
}

/// Waits until every verification has stopped its process, within reason.
fn wait_for(running: &Arc<()>) {
    let begin = Instant::now();
    // One copy is here and one is the server's.
    while Arc::strong_count(running) > 2 && begin.elapsed() < Duration::from_secs(2) {
        thread::sleep(Duration::from_millis(5));
    }
}

impl Session<'_> {
    fn message(&mut self, message: Message) {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) => self.notification(notification),
            // The server does nothing with answers to its own requests.
            Message::Response(_) => {}
        }
    }

    fn request(&mut self, request: Request) {
        match (self.state, request.method.as_str()) {
            (State::Fresh, "initialize") => {
                self.state = State::Running;
                let answer = json!({
                    "capabilities": actions::capabilities(),
                    "serverInfo": { "name": "dbverify", "version": env!("CARGO_PKG_VERSION") },
                });
                self.hand_on(Job::Begin(request.params));
                self.client.answer(request.id, Ok(answer));
            }
            (State::Fresh, _) => {
                self.refuse(
                    request.id,
                    ErrorCode::ServerNotInitialized,
                    "not initialized yet",
                );
            }
            (State::Running, "initialize") => {
                self.refuse(request.id, ErrorCode::InvalidRequest, "initialized already");
            }
            (State::Running, "shutdown") => {
                self.state = State::Down;
                self.client.cancel_all();
                self.client.answer(request.id, Ok(Value::Null));
            }
            (State::Running, _) => {
                let cancel = self.client.register(&request.id);
                self.hand_on(Job::Request(request, cancel));
            }
            (State::Down, _) => {
                self.refuse(request.id, ErrorCode::InvalidRequest, "shut down already");
            }
        }
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, message: &str) {
        self.client.answer(id, Err(Refusal::new(code, message)));
    }

    fn notification(&self, notification: Notification) {
        match notification.method.as_str() {
            _ if self.state != State::Running => {}
            "$/cancelRequest" => {
                let id = notification.params.get("id").cloned();
                if let Some(Ok(id)) = id.map(serde_json::from_value::<RequestId>) {
                    self.client.cancel_request(&id);
                }
            }
            "window/workDoneProgress/cancel" => {
                if let Some(token) = notification.params.get("token") {
                    self.client.cancel_progress(token);
                }
            }
            _ => self.hand_on(Job::Notification(notification)),
        }
    }

    fn hand_on(&self, job: Job) {
        // The server ends only with the process.
        drop(self.jobs.send(job));
    }
}
