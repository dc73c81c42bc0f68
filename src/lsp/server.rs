//! The documents of a session, and the answers to what is asked about them, in order.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use lsp_server::{ErrorCode, Notification, Request};
use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    MessageType, PublishDiagnosticsParams, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use base::diagnostic::{Diagnostic, Fix};
use base::source::{self, Span};
use base::stack::on_big_stack;

use super::client::{Answered, Can, Cancel, Client, Refusal};
use super::complaints::Place;
use super::settings::{Settings, abilities, wrong};
use super::text::Text;
use super::verify::Verified;
use super::{
    actions, checker, complete, folding, hover, lens, navigate, outline, rename, semantic,
    signature,
};
use names::Module;
use names::language::Origin;

/// Texts with more bytes are kept, but not read.
const MOST_BYTES: usize = 16 << 20;

/// Something for the server to do.
#[derive(Debug)]
pub enum Job {
    /// A client begins; the parameters of `initialize`.
    Begin(Value),
    Request(Request, Cancel),
    Notification(Notification),
    /// A text was checked: document, revision, what is wrong.
    Checked(String, u64, Vec<Diagnostic>),
    /// A text was verified.
    Verified(Box<Verified>),
}

pub struct Document {
    pub uri: Uri,
    pub origin: Origin,
    /// The client's number for the text.
    version: i32,
    pub revision: u64,
    pub text: Arc<Text>,
    /// Why the text is not read, if it is not.
    pub refusal: Option<Diagnostic>,
    /// The names of the text, once a request has needed them.
    module: Option<Arc<Module>>,
    complaints: Vec<lsp_types::Diagnostic>,
    /// The changes that mend some of the complaints.
    pub fixes: Vec<Fix>,
    /// The last verification of this text.
    verified: Option<Box<Verified>>,
}

impl Document {
    /// The text, if it is that of a model and is read here.
    pub fn model(&self) -> Option<&Text> {
        let is_model = self.refusal.is_none() && !self.origin.is_c();
        is_model.then_some(&*self.text)
    }

    /// The names of the text.
    pub fn module(&mut self) -> Arc<Module> {
        let text = self.model().map_or("".into(), |text| text.text.clone());
        self.module
            .get_or_insert_with(|| Arc::new(Module::read_from(&self.origin, text)))
            .clone()
    }
}

/// The state of a session.
pub struct Server {
    pub(super) client: Client,
    pub(super) jobs: Sender<Job>,
    /// Every verification holds a copy.
    pub(super) running: Arc<()>,
    checker: Sender<checker::Order>,
    documents: BTreeMap<String, Document>,
    revision: u64,
    pub(super) settings: Settings,
    pub(super) can: Can,
}

impl Server {
    /// Makes a session, before its first message.
    #[must_use]
    pub fn new(client: Client, jobs: Sender<Job>, running: Arc<()>) -> Self {
        Self {
            client,
            checker: checker::start(jobs.clone()),
            jobs,
            running,
            documents: BTreeMap::new(),
            revision: 0,
            settings: Settings::default(),
            can: Can::default(),
        }
    }

    /// Does all jobs that come in, until the process ends.
    pub fn run(mut self, inbox: Receiver<Job>) {
        on_big_stack(move || {
            while let Ok(job) = inbox.recv() {
                self.guarded(job);
            }
        });
    }

    /// Does a job. A panic is our fault: it costs the request, but not the session.
    fn guarded(&mut self, job: Job) {
        let id = match &job {
            Job::Request(request, _) => Some(request.id.clone()),
            _ => None,
        };
        let done = catch_unwind(AssertUnwindSafe(|| self.work(job)));
        if let (Err(_), Some(id)) = (done, id) {
            let message = "internal error: this is a fault of dbverify, please report it";
            let refusal = Refusal::new(ErrorCode::InternalError, message);
            self.client.answer(id, Err(refusal));
        }
    }

    fn work(&mut self, job: Job) {
        match job {
            Job::Begin(params) => {
                self.can = abilities(&params);
                self.set_as(&params["initializationOptions"]);
            }
            Job::Request(request, cancel) => self.request(request, cancel),
            Job::Notification(notification) => self.notification(notification),
            Job::Checked(uri, revision, found) => self.checked(&uri, revision, &found),
            Job::Verified(verified) => self.verified(verified),
        }
    }

    // ---- What the client tells ----

    fn notification(&mut self, notification: Notification) {
        let params = notification.params;
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(params) = read::<DidOpenTextDocumentParams>(params) {
                    let document = params.text_document;
                    self.set(
                        document.uri,
                        document.version,
                        Arc::new(Text::new(document.text)),
                    );
                }
            }
            "textDocument/didChange" => {
                if let Ok(params) = read::<DidChangeTextDocumentParams>(params) {
                    self.change(params);
                }
            }
            "textDocument/didSave" => self.read_used_files_again(),
            "textDocument/didClose" => {
                if let Ok(params) = read::<DidCloseTextDocumentParams>(params) {
                    self.close(&params.text_document.uri);
                }
            }
            "workspace/didChangeConfiguration" => {
                let said = &params["settings"];
                self.set_as(said.get("dbverify").unwrap_or(said));
            }
            _ => {}
        }
    }

    /// Takes settings of the client, and says which are wrong.
    fn set_as(&mut self, said: &Value) {
        self.settings = self.settings_with(said);
    }

    /// The settings with those of an object; says which are wrong.
    pub(super) fn settings_with(&self, said: &Value) -> Settings {
        for key in wrong(said) {
            let message = format!(
                "the setting `{key}` is wrong and changes nothing: {}",
                said[key]
            );
            self.client.show(MessageType::WARNING, &message);
        }
        self.settings.with(said)
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let id = params.text_document;
        // A change of a document that was never opened changes nothing.
        let Some(document) = self.documents.get(id.uri.as_str()) else {
            return;
        };
        let before = (*document.text).clone();
        let changes = params.content_changes.into_iter();
        let text = changes.fold(before, |text, change| text.changed(change));
        self.set(id.uri, id.version, Arc::new(text));
    }

    fn set(&mut self, uri: Uri, version: i32, text: Arc<Text>) {
        self.revision += 1;
        let key = uri.as_str().to_owned();
        let origin = Origin::of(uri.as_str());
        let refusal = refusal(&origin, &text);
        if refusal.is_none() {
            let order = checker::Order {
                uri: key.clone(),
                origin: origin.clone(),
                revision: self.revision,
                text: text.clone(),
            };
            drop(self.checker.send(order));
        }
        let document = Document {
            uri,
            origin,
            version,
            revision: self.revision,
            text,
            refusal: refusal.clone(),
            module: None,
            complaints: Vec::new(),
            fixes: Vec::new(),
            verified: None,
        };
        self.documents.insert(key.clone(), document);
        if let Some(refusal) = refusal {
            self.checked(&key, self.revision, &[refusal]);
        }
    }

    /// Checks the documents again that use other files: after a save, their names may mean something else.
    fn read_used_files_again(&mut self) {
        let all = self.documents.values();
        let using = all.filter(|d| !d.origin.is_c() && d.text.text.contains("use \""));
        let again: Vec<(Uri, i32, Arc<Text>)> = using
            .map(|d| (d.uri.clone(), d.version, d.text.clone()))
            .collect();
        for (uri, version, text) in again {
            self.set(uri, version, text);
        }
    }

    fn close(&mut self, uri: &Uri) {
        if self.documents.remove(uri.as_str()).is_some() {
            self.publish(uri.clone(), None, Vec::new());
        }
    }

    // ---- What was found ----

    fn checked(&mut self, uri: &str, revision: u64, found: &[Diagnostic]) {
        let related = self.can.related;
        let Some(document) = self.current(uri, revision) else {
            return;
        };
        let place = Place {
            uri: &document.uri,
            text: &document.text,
            related,
        };
        document.complaints = found.iter().map(|d| place.complaint(d)).collect();
        document.fixes = found.iter().filter_map(|d| d.fix.clone()).collect();
        self.republish(uri);
    }

    fn verified(&mut self, verified: Box<Verified>) {
        let uri = verified.uri.as_str().to_owned();
        if let Some(document) = self.current(&uri, verified.revision) {
            document.verified = Some(verified);
            self.republish(&uri);
        }
    }

    /// A document, if its text still has this revision.
    fn current(&mut self, uri: &str, revision: u64) -> Option<&mut Document> {
        let document = self.documents.get_mut(uri)?;
        (document.revision == revision).then_some(document)
    }

    fn republish(&self, uri: &str) {
        let Some(document) = self.documents.get(uri) else {
            return;
        };
        let bugs = document.verified.iter().flat_map(|v| &v.diagnostics);
        let all = document.complaints.iter().chain(bugs).cloned().collect();
        self.publish(document.uri.clone(), Some(document.version), all);
    }

    fn publish(&self, uri: Uri, version: Option<i32>, diagnostics: Vec<lsp_types::Diagnostic>) {
        let params = PublishDiagnosticsParams {
            uri,
            diagnostics,
            version,
        };
        self.client
            .notify("textDocument/publishDiagnostics", params);
    }

    // ---- What the client asks ----

    fn request(&mut self, request: Request, cancel: Cancel) {
        let Request { id, method, params } = request;
        if cancel.is_off() {
            return self.client.answer(id, Err(Refusal::cancelled()));
        }
        let answered = match method.as_str() {
            "workspace/executeCommand" => match actions::execute(self, &id, params, cancel) {
                // The verification answers the request when it is done.
                Ok(None) => return,
                Ok(Some(value)) => Ok(value),
                Err(refusal) => Err(refusal),
            },
            _ => self.answer(&method, params),
        };
        self.client.answer(id, answered);
    }

    fn answer(&mut self, method: &str, params: Value) -> Answered {
        match method {
            "textDocument/hover" => hover::hover(self, read(params)?),
            "textDocument/definition" => navigate::definition(self, read(params)?),
            "textDocument/references" => navigate::references(self, read(params)?),
            "textDocument/documentHighlight" => navigate::highlight(self, read(params)?),
            "textDocument/prepareRename" => rename::prepare(self, read(params)?),
            "textDocument/rename" => rename::rename(self, read(params)?),
            "textDocument/documentSymbol" => outline::symbols(self, read(params)?),
            "textDocument/completion" => complete::complete(self, read(params)?),
            "textDocument/formatting" => actions::format(self, read(params)?),
            "textDocument/codeAction" => actions::code_actions(self, read(params)?),
            "textDocument/codeLens" => lens::lenses(self, read(params)?),
            "textDocument/foldingRange" => folding::ranges(self, read(params)?),
            "textDocument/semanticTokens/full" => semantic::tokens(self, read(params)?),
            "textDocument/signatureHelp" => signature::help(self, read(params)?),
            _ => {
                let message = format!("`{method}` is not supported");
                Err(Refusal::new(ErrorCode::MethodNotFound, message))
            }
        }
    }

    pub(super) fn document(&mut self, uri: &Uri) -> Result<&mut Document, Refusal> {
        self.documents.get_mut(uri.as_str()).ok_or_else(|| {
            let message = format!("{} is not open", uri.as_str());
            Refusal::new(ErrorCode::InvalidParams, message)
        })
    }

    /// The text of the last verification of a document, if it still has that text.
    pub(super) fn last_answer(&mut self, uri: &Uri) -> Answered {
        let verified = &self.document(uri)?.verified;
        Ok(verified.as_ref().map_or(Value::Null, |v| v.result.clone()))
    }
}

/// Why a text is not read, if it is not.
fn refusal(origin: &Origin, text: &Text) -> Option<Diagnostic> {
    if text.text.len() > MOST_BYTES {
        let message = format!(
            "the text is larger than {} MiB: it is not checked here, but `dbverify check` reads it",
            MOST_BYTES >> 20
        );
        return Some(Diagnostic::error("too-large", Span::default(), message));
    }
    // C is read with any bytes.
    let wrong = source::check(&text.text).err().filter(|_| !origin.is_c())?;
    let at = u32::try_from(wrong.offset).unwrap_or_default();
    let span = Span::new(at, at + 1);
    Some(Diagnostic::error("input", span, wrong.message))
}

/// Reads parameters, or refuses them.
pub(super) fn read<P: DeserializeOwned>(params: Value) -> Result<P, Refusal> {
    serde_json::from_value(params)
        .map_err(|error| Refusal::new(ErrorCode::InvalidParams, error.to_string()))
}

/// A result as JSON.
pub(super) fn write(result: impl Serialize) -> Answered {
    serde_json::to_value(result)
        .map_err(|error| Refusal::new(ErrorCode::InternalError, error.to_string()))
}
