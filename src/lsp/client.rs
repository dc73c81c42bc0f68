//! The client at the other side of the wire: answers to its requests, messages to it, and the work that it calls off.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::MessageType;
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Value, json};

use super::wire::Outbox;

/// Why a request gets no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The protocol's number for it.
    pub code: i32,
    pub message: String,
}

impl Refusal {
    /// A refusal with a code.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code: code as i32,
            message: message.into(),
        }
    }

    /// A refusal because the request cannot be fulfilled.
    #[must_use]
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::RequestFailed, message)
    }

    /// A refusal because the client has called the request off.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new(ErrorCode::RequestCanceled, "called off")
    }
}

/// A result as JSON, or why there is none.
pub type Answered = Result<Value, Refusal>;

/// A flag that calls work off.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn call_off(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was called off.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The abilities of a client beyond the protocol's first version.
#[derive(Clone, Copy, Debug, Default)]
pub struct Can {
    /// Other places of a diagnostic.
    pub related: bool,
    /// Progress that the server begins.
    pub progress: bool,
    pub nested_symbols: bool,
    /// Actions that are more than a command.
    pub action_literals: bool,
}

/// The client. Copies are the same client.
#[derive(Clone)]
pub struct Client {
    out: Outbox,
    /// The work that can be called off: requests by id, progress by token.
    waiting: Arc<Mutex<FxHashMap<Key, Cancel>>>,
    next: Arc<AtomicU64>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Request(RequestId),
    Progress(String),
}

impl Client {
    /// A client behind a wire.
    #[must_use]
    pub fn new(out: Outbox) -> Self {
        Self {
            out,
            waiting: Arc::default(),
            next: Arc::default(),
        }
    }

    fn waiting(&self) -> MutexGuard<'_, FxHashMap<Key, Cancel>> {
        // No code panics under the lock, and a table of flags is whole at any time.
        self.waiting
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Registers a request that came in. The client can call it off until it is answered.
    pub fn register(&self, id: &RequestId) -> Cancel {
        let cancel = Cancel::default();
        self.waiting()
            .insert(Key::Request(id.clone()), cancel.clone());
        cancel
    }

    /// Calls a request off, if it is not answered yet.
    pub fn cancel_request(&self, id: &RequestId) {
        if let Some(cancel) = self.waiting().get(&Key::Request(id.clone())) {
            cancel.call_off();
        }
    }

    /// Calls off the work whose progress is shown with this token.
    pub fn cancel_progress(&self, token: &Value) {
        if let Some(cancel) = self.waiting().get(&Key::Progress(token.to_string())) {
            cancel.call_off();
        }
    }

    pub fn cancel_all(&self) {
        self.waiting().values().for_each(Cancel::call_off);
    }

    pub fn answer(&self, id: RequestId, answered: Answered) {
        self.waiting().remove(&Key::Request(id.clone()));
        let response = match answered {
            Ok(result) => Response::new_ok(id, result),
            Err(refusal) => Response::new_err(id, refusal.code, refusal.message),
        };
        self.out.send(&Message::Response(response));
    }

    /// Refuses a message that had no id.
    pub fn refuse(&self, code: i32, message: &str) {
        self.out.refuse(code, message);
    }

    /// Tells the client something.
    pub fn notify(&self, method: &str, params: impl Serialize) {
        if let Ok(params) = serde_json::to_value(params) {
            let method = method.to_owned();
            self.out
                .send(&Message::Notification(Notification { method, params }));
        }
    }

    /// Shows a person a message.
    pub fn show(&self, typ: MessageType, message: &str) {
        self.notify(
            "window/showMessage",
            json!({ "type": typ, "message": message }),
        );
    }

    /// Writes into the client's log.
    pub fn log(&self, message: &str) {
        let params = json!({ "type": MessageType::LOG, "message": message });
        self.notify("window/logMessage", params);
    }

    /// Shows progress until the returned value is dropped. If the client calls the progress off, `cancel` is called off.
    #[must_use]
    pub fn progress(&self, token: Option<Value>, title: &str, cancel: &Cancel) -> Progress {
        let own = token.is_none();
        let name = format!("dbverify/{}", self.next.fetch_add(1, Ordering::Relaxed));
        let token = token.unwrap_or_else(|| name.as_str().into());
        // This comes first: as soon as the client knows the token, it can call the work off.
        self.waiting()
            .insert(Key::Progress(token.to_string()), cancel.clone());
        if own {
            self.out.send(&Message::Request(Request {
                id: RequestId::from(name),
                method: "window/workDoneProgress/create".to_owned(),
                params: json!({ "token": token }),
            }));
        }
        let value = json!({ "kind": "begin", "title": title, "cancellable": true });
        self.notify("$/progress", json!({ "token": token, "value": value }));
        Progress {
            client: self.clone(),
            token,
        }
    }

    /// Waits until everything is written, within reason.
    pub fn flush(&self) {
        self.out.flush(Duration::from_secs(2));
    }
}

/// Progress that is shown as long as this lives.
pub struct Progress {
    client: Client,
    token: Value,
}

impl Drop for Progress {
    fn drop(&mut self) {
        let key = Key::Progress(self.token.to_string());
        self.client.waiting().remove(&key);
        let value = json!({ "kind": "end" });
        self.client
            .notify("$/progress", json!({ "token": self.token, "value": value }));
    }
}
