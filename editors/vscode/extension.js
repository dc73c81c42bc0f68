// The client: starts `dbverify lsp`, and shows a trace beside the program that it is about.
"use strict";

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

async function start() {
  const command = vscode.workspace.getConfiguration("dbverify").get("path");
  const server = { command, args: ["lsp"] };
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
    command("dbverify.proveFile", run("dbverify.prove", false)),
    command("dbverify.showTrace", run("dbverify.trace", true)),
    command("dbverify.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (client && event.affectsConfiguration("dbverify")) {
        const params = { settings: { dbverify: settings() } };
        client.sendNotification("workspace/didChangeConfiguration", params);
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
