// The client: starts `dbverify lsp`, and shows a trace beside the program that it is about.
"use strict";

const fs = require("fs");
const os = require("os");
const path = require("path");
const { execFile } = require("child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SCHEME = "dbverify-answer";

/** The last answers, by the name under which they are shown, with the programs that they are about. */
const answers = new Map();
const changed = new vscode.EventEmitter();
let client;
/** What the server was started for, also where that failed. */
let startedFor;
/** The last of the starts and ends of the server, which come one after the other. */
let turn = Promise.resolve();

/** C files belong to other tools too, so they are sent only where that is wanted. */
function languages() {
  return vscode.workspace.getConfiguration("dbverify").get("c") ? ["async", "c"] : ["async"];
}

function settings() {
  const { delays, unroll, timeout, memory } = vscode.workspace.getConfiguration("dbverify");
  return { delays, unroll, timeout, memory };
}

/** Starts the server where a document is for it: C files activate us too, and may not be wanted. Other settings need another server. */
function refresh(again) {
  turn = turn.then(async () => {
    const wanted = JSON.stringify([executable(), languages()]);
    if (wanted === startedFor && !(again && !client)) return;
    await stop();
    if (!vscode.workspace.textDocuments.some((document) => languages().includes(document.languageId))) return;
    startedFor = wanted;
    await start();
  });
  return turn;
}

/** The document at hand with a server that knows it, or nothing. */
async function ours() {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !["async", "c"].includes(document.languageId)) {
    vscode.window.showInformationMessage("dbverify reads .async files and C. Open one first.");
    return undefined;
  }
  if (!languages().includes(document.languageId)) {
    const yes = "Check C files";
    if ((await vscode.window.showInformationMessage("dbverify does not check C files here yet.", yes)) !== yes) return undefined;
    const { Workspace, Global } = vscode.ConfigurationTarget;
    const where = vscode.workspace.workspaceFolders ? Workspace : Global;
    await vscode.workspace.getConfiguration("dbverify").update("c", true, where);
  }
  await refresh(true);
  return client && document;
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
  answers.set(uri.toString(), { text: result.text, program: result.uri });
  changed.fire(uri);
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    preserveFocus: true,
    preview: true,
  });
}

/** From a step of an answer to its line in the program: `   16  |  counter = 1`, or of another file `  pool.h:16  …`. */
function links(document) {
  const answer = answers.get(document.uri.toString());
  if (!answer) return [];
  const program = vscode.Uri.parse(answer.program);
  const own = program.path.split("/").pop();
  return answer.text.split("\n").flatMap((line, row) => {
    const found = /^(?: *--> (?:.*\/)?| *)(?:([^\s:/]+):)?(\d+)(?::\d+)?(?= |$)/.exec(line);
    const file = found?.[1] || own;
    // Files of the library are on nobody's disk, and other ones may lie in other folders.
    if (!found || file !== own) return [];
    const range = new vscode.Range(row, found[0].search(/\S/), row, found[0].length);
    return [new vscode.DocumentLink(range, program.with({ fragment: `L${found[2]}` }))];
  });
}

/** A command of the server for the file at hand. The server says by itself what goes wrong. */
function run(command, wanted) {
  return async () => {
    const document = await ours();
    if (!document) return;
    const uri = client.code2ProtocolConverter.asUri(document.uri);
    try {
      const params = { command, arguments: [uri] };
      await show(await client.sendRequest("workspace/executeCommand", params), wanted);
    } catch {
      return;
    }
  };
}

/** The file at hand if it is one of ours; it is saved, because other processes read it. */
async function saved() {
  const document = await ours();
  if (!document) return undefined;
  return (await document.save()) || !document.isDirty ? document.uri : undefined;
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

/** Why the program cannot be run, if it cannot. */
function hindrance(program) {
  return new Promise((resolve) => execFile(program, ["--version"], resolve));
}

async function start() {
  const program = executable();
  const error = await hindrance(program);
  if (error) {
    const setting = "Say where it is";
    const missing = error.code === "ENOENT" ? "there is no such program in the PATH" : error.message;
    // Nobody waits for the answer.
    vscode.window.showErrorMessage(`\`${program}\` cannot be run: ${missing}. Install dbverify.`, setting).then((chosen) => {
      if (chosen) vscode.commands.executeCommand("workbench.action.openSettings", "dbverify.path");
    });
    return;
  }
  const server = { command: program, args: ["lsp"] };
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
  try {
    await client.start();
  } catch {
    // The client has said why.
    client = undefined;
  }
}

async function stop() {
  const old = client;
  client = startedFor = undefined;
  if (old) await old.stop();
}

async function activate(context) {
  const provider = {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => answers.get(uri.toString())?.text || "",
  };
  const command = vscode.commands.registerCommand;
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    vscode.languages.registerDocumentLinkProvider({ scheme: SCHEME }, { provideDocumentLinks: links }),
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
      turn = turn.then(stop);
      await refresh(true);
    }),
    vscode.workspace.onDidOpenTextDocument(() => refresh(false)),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("dbverify.c") || event.affectsConfiguration("dbverify.path")) {
        await refresh(false);
      } else if (client && event.affectsConfiguration("dbverify")) {
        const params = { settings: { dbverify: settings() } };
        client.sendNotification("workspace/didChangeConfiguration", params);
      }
    }),
  );
  await refresh(false);
}

module.exports = { activate, deactivate: stop };
