// As much of the API of VS Code as the extension needs to start its server and to show an answer. What is not here does nothing.
"use strict";

const path = require("path");
const { pathToFileURL, fileURLToPath } = require("url");

/** Can be called, made and asked for parts; all of it does nothing. A listener that is added can be disposed of. */
const nothing = new Proxy(function () {}, {
  get: (_, name) => (name === "then" || typeof name === "symbol" ? undefined : name === "prototype" ? {} : nothing),
  apply: () => nothing,
  construct: () => ({ dispose() {} }),
});

function partly(known) {
  return new Proxy(known, { get: (own, name) => (name in own || typeof name === "symbol" ? own[name] : nothing) });
}

class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener, self) => {
      const bound = self ? listener.bind(self) : listener;
      this.listeners.add(bound);
      return { dispose: () => this.listeners.delete(bound) };
    };
  }
  fire(value) {
    return Promise.all([...this.listeners].map((listener) => listener(value)));
  }
  dispose() {}
}

class Uri {
  constructor(parts) {
    Object.assign(this, { scheme: "file", authority: "", path: "", query: "", fragment: "" }, parts);
  }
  static from(parts) {
    return new Uri(parts);
  }
  static file(name) {
    return new Uri({ path: name });
  }
  with(parts) {
    return new Uri({ ...this, ...parts });
  }
  static parse(text) {
    const url = new URL(text);
    return new Uri({ scheme: url.protocol.slice(0, -1), path: decodeURIComponent(url.pathname) });
  }
  get fsPath() {
    return fileURLToPath(pathToFileURL(this.path));
  }
  toString() {
    return this.scheme === "file" ? pathToFileURL(this.path).href : `${this.scheme}:${this.path}`;
  }
}

class Disposable {
  constructor(end) {
    this.end = end;
  }
  static from(...all) {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }
  dispose() {
    if (this.end) this.end();
  }
}

class Range {
  constructor(...places) {
    this.places = places;
  }
}

class DocumentLink {
  constructor(range, target) {
    Object.assign(this, { range, target });
  }
}

class CancellationTokenSource {
  constructor() {
    this.token = { isCancellationRequested: false, onCancellationRequested: () => new Disposable() };
  }
  cancel() {}
  dispose() {}
}

const opened = new EventEmitter();
const configured = new EventEmitter();

/** What the test sees, and what it sets. */
const state = { settings: {}, commands: new Map(), providers: new Map(), shown: [], messages: [], opened, configured };

function document(languageId, name, text) {
  const uri = Uri.file(path.resolve(name));
  const save = async () => true;
  return { languageId, uri, fileName: uri.fsPath, version: 1, isDirty: false, isUntitled: false, getText: () => text, save };
}

const workspace = partly({
  textDocuments: [],
  notebookDocuments: [],
  workspaceFolders: undefined,
  getConfiguration: () => ({ get: (name) => state.settings[name], ...state.settings }),
  onDidOpenTextDocument: opened.event,
  onDidChangeConfiguration: configured.event,
  registerTextDocumentContentProvider: (scheme, provider) => {
    state.providers.set(scheme, provider);
    return new Disposable();
  },
  openTextDocument: async (uri) => ({ uri, text: state.providers.get(uri.scheme).provideTextDocumentContent(uri) }),
});

const window = partly({
  activeTextEditor: undefined,
  visibleTextEditors: [],
  showTextDocument: async (shown) => {
    state.shown.push(shown.text);
    state.last = shown;
  },
  showInformationMessage: async (text) => void state.messages.push(text),
  showWarningMessage: async (text) => void state.messages.push(text),
  showErrorMessage: async (text) => void state.messages.push(text),
  withProgress: (_, work) => work({ report() {} }, new CancellationTokenSource().token),
});

const commands = partly({
  registerCommand: (name, run) => {
    state.commands.set(name, run);
    return new Disposable(() => state.commands.delete(name));
  },
  executeCommand: async (name, ...args) => state.commands.get(name)?.(...args),
});

const languages = partly({
  registerDocumentLinkProvider: (_, provider) => {
    state.links = provider.provideDocumentLinks;
    return new Disposable();
  },
  match: (filters, { languageId }) => ([filters].flat().some((filter) => filter.language === languageId) ? 10 : 0),
});

const env = { appName: "test", language: "en", clipboard: nothing };
const classes = { EventEmitter, Uri, Range, DocumentLink, Disposable, CancellationTokenSource };
module.exports = partly({ ...classes, workspace, window, commands, languages, env, version: "1.82.0", state, document });
