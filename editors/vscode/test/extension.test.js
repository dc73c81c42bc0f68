// Drives the bundled extension and the real server, without VS Code: `npm test`. DBVERIFY names the program.
"use strict";

const assert = require("node:assert");
const Module = require("node:module");
const path = require("node:path");
const { test, after } = require("node:test");

const vscode = require("./vscode.js");
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = require("../dist/extension.js");

const { state } = vscode;
const BUG = `var x: int := 0;
proc add() { let old = x; yield; x := old + 1; }
proc main() { post add(); post add(); }
finally { assert x == 2; }
`;
const C = "#include <assert.h>\nint main(void) { assert(1 == 2); return 0; }\n";

state.settings = { path: process.env.DBVERIFY || "dbverify", c: false, delays: 1, unroll: 4, timeout: 60, memory: 1000 };
after(() => extension.deactivate());

async function edit(languageId, name, text) {
  const document = vscode.document(languageId, path.join(__dirname, name), text);
  vscode.workspace.textDocuments.push(document);
  vscode.window.activeTextEditor = { document };
  await state.opened.fire(document);
}

async function run(command) {
  state.shown.length = 0;
  await state.commands.get(command)();
  return state.shown.join("\n");
}

test("a C file does not start the server where C is not wanted", async () => {
  await extension.activate({ subscriptions: [] });
  await edit("c", "p.c", C);
  assert.strictEqual(await run("dbverify.verifyFile"), "");
  assert.match(state.messages.join(), /does not check C files here yet/);
});

test("a program that is missing is said once, and looked for again", async () => {
  const { settings } = state;
  state.settings = { ...settings, path: "/nowhere/dbverify" };
  state.messages.length = 0;
  await edit("async", "o.async", BUG);
  await edit("async", "o2.async", BUG);
  assert.strictEqual(state.messages.length, 1);
  assert.match(state.messages[0], /`\/nowhere\/dbverify` cannot be run/);
  state.settings = settings;
  await state.configured.fire({ affectsConfiguration: (name) => "dbverify.path".startsWith(name) });
});

test("a bug is shown beside the program", async () => {
  await edit("async", "p.async", BUG);
  assert.match(await run("dbverify.verifyFile"), /bug: assertion[^]*p\.async:4/);
  assert.match(await run("dbverify.exploreFile"), /found by exploring all schedules/);
  assert.match(await run("dbverify.showTrace"), /found by exploring all schedules/);
});

test("steps of an answer are links to their lines", async () => {
  await run("dbverify.showTrace");
  const lines = state.last.text.split("\n");
  const links = state.links(state.last).map(({ range: { places }, target }) => {
    assert.match(target.toString(), /p\.async$/);
    return `${lines[places[0]].slice(places[1], places[3])} ${target.fragment}`;
  });
  assert.match(links[0], /^--> .*p\.async:4:11 L4$/);
  assert.ok(links.includes("3 L3") && links.includes("2 L2"), links.join());
});

test("every command of the package is registered", () => {
  for (const { command } of require("../package.json").contributes.commands) assert(state.commands.has(command), command);
});

test("C files are verified where that is wanted", async () => {
  state.settings = { ...state.settings, c: true };
  await state.configured.fire({ affectsConfiguration: (name) => "dbverify.c".startsWith(name) });
  await edit("c", "q.c", C);
  assert.match(await run("dbverify.exploreFile"), /bug: assertion[^]*q\.c:2/);
});
