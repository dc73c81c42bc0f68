// The client: starts `dbverify lsp`, and shows a trace beside the program that it is about.
"use strict";

const fs = require("fs");
const os = require("os");
const path = require("path");
const { execFile } = require("child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SCHEME = "dbverify-answer";

/** The last answers, by the name under which they are shown. */
const answers = new Map();
const changed = new vscode.EventEmitter();
let client;

/** C files belong to other tools too, so they are sent only where that is wanted. */
function languages() {
  return vscode.workspace.getConfiguration("dbverify").get("c") ? ["async", "c"] : ["async"];
}

function settings() {
  const { delays, unroll, timeout, memory } = vscode.workspace.getConfiguration("dbverify");
  return { delays, unroll, timeout, memory };
}

/** Starts the server with the first document that is sent to it: C files activate us too, and may not be wanted. */
async function startFor(documents) {
  if (!client && documents.some((document) => languages().includes(document.languageId))) await start();
}

/** Shows the text of an answer beside the editor; a safe program needs only its message. */
async function show(result, wanted) {
  if (!result || !result.text) {
    if (wanted) vscode.window.showInformationMessage("This text has not been verified.");
    return;
  }
  if (result.verdict !== "bug" && !wanted) return;
  const name = vscode.Uri.parse(result.uri).path.split("/").pop();
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.trace` });
  answers.set(uri.toString(), result.text);
  changed.fire(uri);
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    preserveFocus: true,
    preview: true,
  });
}

/** A command of the server for the file at hand. The server says by itself what goes wrong. */
function run(command, wanted) {
  return async () => {
    const editor = vscode.window.activeTextEditor;
    if (!client || !editor || !languages().includes(editor.document.languageId)) return;
    const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
    try {
      const params = { command, arguments: [uri] };
      await show(await client.sendRequest("workspace/executeCommand", params), wanted);
    } catch {
      return;
    }
  };
}

/** Whether the file at hand is one of ours; it is saved, because other processes read it. */
async function saved() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !languages().includes(editor.document.languageId)) return undefined;
  return (await editor.document.save()) || !editor.document.isDirty ? editor.document.uri : undefined;
}

function executable() {
  return vscode.workspace.getConfiguration("dbverify").get("path");
}

async function debug() {
  const uri = await saved();
  if (!uri) return;
  const { delays } = settings();
  const args = [`--delays=${delays}`];
  const launch = { type: "dbverify", request: "launch", name: "counterexample", program: uri.fsPath, args };
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), launch);
}

/** The page that `--html` writes, in a panel. It is made of one file and loads nothing. */
async function page() {
  const uri = await saved();
  if (!uri) return;
  const folder = await fs.promises.mkdtemp(path.join(os.tmpdir(), "dbverify-"));
  const html = path.join(folder, "page.html");
  const { delays, timeout } = settings();
  const args = ["verify", `--delays=${delays}`, `--timeout=${timeout}`, `--html=${html}`, "--", uri.fsPath];
  const done = (resolve) => execFile(executable(), args, (error, out, wrong) => resolve(wrong || String(error)));
  const title = `Verifying ${path.basename(uri.fsPath)}`;
  const location = vscode.ProgressLocation.Notification;
  const said = await vscode.window.withProgress({ location, title }, () => new Promise(done));
  try {
    const panel = vscode.window.createWebviewPanel("dbverify", path.basename(uri.fsPath), vscode.ViewColumn.Beside, {
      enableScripts: true,
      localResourceRoots: [],
    });
    panel.webview.html = await fs.promises.readFile(html, "utf8");
  } catch {
    vscode.window.showWarningMessage(said);
  } finally {
    await fs.promises.rm(folder, { recursive: true, force: true });
  }
}

async function start() {
  const server = { command: executable(), args: ["lsp"] };
  client = new LanguageClient("dbverify", "dbverify", server, {
    documentSelector: languages().map((language) => ({ language })),
    initializationOptions: settings(),
    middleware: {
      // The actions of the light bulb come by here.
      executeCommand: async (name, args, next) => {
        const result = await next(name, args);
        if (/^dbverify\.(verify|explore|prove)$/.test(name)) await show(result, false);
        return result;
      },
    },
  });
  await client.start();
}

async function stop() {
  const old = client;
  client = undefined;
  if (old) await old.stop();
}

async function activate(context) {
  const provider = {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => answers.get(uri.toString()) || "",
  };
  const command = vscode.commands.registerCommand;
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    command("dbverify.verifyFile", run("dbverify.verify", false)),
    command("dbverify.exploreFile", run("dbverify.explore", false)),
    vscode.debug.registerDebugAdapterDescriptorFactory("dbverify", {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(executable(), ["dap"]),
    }),
    command("dbverify.debugFile", debug),
    command("dbverify.showPage", page),
    command("dbverify.proveFile", run("dbverify.prove", false)),
    command("dbverify.showTrace", run("dbverify.trace", true)),
    command("dbverify.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidOpenTextDocument((document) => startFor([document])),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("dbverify.c")) {
        await stop();
        await startFor(vscode.workspace.textDocuments);
      } else if (client && event.affectsConfiguration("dbverify")) {
        const params = { settings: { dbverify: settings() } };
        client.sendNotification("workspace/didChangeConfiguration", params);
      }
    }),
  );
  await startFor(vscode.workspace.textDocuments);
}

module.exports = { activate, deactivate: stop };
