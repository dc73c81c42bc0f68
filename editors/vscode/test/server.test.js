// Drives the packed extension in a real VS Code: `npm run test:server`. It needs code-server and chromium, and is skipped where one
// of them is missing. DBVERIFY names the program, CODE_SERVER and CHROMIUM name the others.
"use strict";

const assert = require("node:assert");
const { execFileSync, spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");
const { test } = require("node:test");

const SERVER = process.env.CODE_SERVER || "code-server";
const BROWSER = process.env.CHROMIUM || "chromium";
const PROGRAM = path.resolve(process.env.DBVERIFY || "dbverify");
const starts = (program) => spawnSync(program, ["--version"]).status === 0;
const missing = [SERVER, BROWSER, PROGRAM].find((program) => !starts(program));

const BUG = `object Cell(T: type) { var kept: T := default(T); op set(x: T) { kept := x; } op get(): T { return kept; } }
var cell: Cell(int);
proc add() { let old = cell.get(); cell.set(old + 1); }
proc main() { post add(); post add(); }
finally { let end = cell.get(); assert end == 2; }
`;

const pause = (ms) => new Promise((go) => setTimeout(go, ms));

/** A browser that is asked through a pipe. */
class Page {
  constructor(home) {
    const own = ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--window-size=1400,900", `--user-data-dir=${home}`];
    this.browser = spawn(BROWSER, [...own, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.asked = new Map();
    let rest = "";
    this.browser.stdio[4].on("data", (data) => {
      const messages = (rest + data).split("\0");
      rest = messages.pop();
      for (const { id, result, error } of messages.map((text) => JSON.parse(text))) {
        this.asked.get(id)?.(result ?? error);
        this.asked.delete(id);
      }
    });
  }
  ask(method, params = {}) {
    const id = (this.last = (this.last || 0) + 1);
    this.browser.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    return new Promise((done) => this.asked.set(id, done));
  }
  async open(url) {
    const { targetId } = await this.ask("Target.createTarget", { url });
    this.session = (await this.ask("Target.attachToTarget", { targetId, flatten: true })).sessionId;
  }
  async value(expression) {
    const { result } = await this.ask("Runtime.evaluate", { expression, returnByValue: true });
    return result?.value;
  }
  /** Waits until an expression of the page holds. */
  async until(what, expression) {
    for (let tries = 0; tries < 600; tries++) {
      if (await this.value(expression)) return;
      await pause(100);
    }
    assert.fail(`${what}: ${await this.value("document.body.innerText")}`);
  }
  async key(key, code) {
    for (const type of ["rawKeyDown", "keyUp"]) await this.ask("Input.dispatchKeyEvent", { type, key, code: key, windowsVirtualKeyCode: code });
  }
  /** Runs a command from the palette. */
  async command(title) {
    await this.key("F1", 112);
    await this.until("the palette", "!!document.querySelector('.quick-input-widget input')?.offsetParent");
    await this.ask("Input.insertText", { text: title });
    await this.until(title, `document.querySelector('.quick-input-list .focused')?.innerText.includes(${JSON.stringify(title)})`);
    await this.key("Enter", 13);
  }
}

function freePort() {
  return new Promise((done) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

test("a real VS Code shows errors and a bug", { skip: missing && `${missing} cannot be started`, timeout: 300_000 }, async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "dbverify-vscode-"));
  const at = (name) => path.join(home, name);
  const running = [];
  try {
    execFileSync("npx", ["vsce", "package", "--out", at("it.vsix")], { cwd: path.dirname(__dirname) });
    const folders = ["--user-data-dir", at("user"), "--extensions-dir", at("extensions")];
    execFileSync(SERVER, [...folders, "--install-extension", at("it.vsix")]);
    fs.mkdirSync(at("work"));
    fs.writeFileSync(at("work/bug.async"), BUG);
    fs.writeFileSync(at("work/wrong.async"), "proc main() { x := 1; }\n");
    fs.writeFileSync(at("user/User/settings.json"), JSON.stringify({ "dbverify.path": PROGRAM }));
    const port = await freePort();
    const more = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-workspace-trust", "--disable-telemetry"];
    running.push(spawn(SERVER, [...folders, ...more, at("work")], { stdio: "ignore", detached: true }));
    const page = new Page(at("browser"));
    running.push(page.browser);
    const open = async (name) => {
      const file = encodeURIComponent(JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${port}${at(`work/${name}`)}`]]));
      const url = `http://127.0.0.1:${port}/?folder=${at("work")}&payload=${file}`;
      for (let tries = 0; tries < 300 && !(await fetch(url).catch(() => null))?.ok; tries++) await pause(100);
      await page.open(url);
    };
    await open("wrong.async");
    await page.until("an error is marked", "!!document.querySelector('.squiggly-error')");
    await open("bug.async");
    await page.until("the words have colours", "document.querySelectorAll('.view-line span[class*=mtk]').length > 20");
    await page.until("the server is there", "document.body.innerText.includes('Explore every schedule')");
    await page.command("dbverify: Explore every schedule of this file");
    await page.until("the answer is shown", "document.body.innerText.replaceAll('\\u00a0', ' ').includes('found by exploring all schedules')");
  } finally {
    for (const child of running) {
      try {
        process.kill(child.spawnargs[0] === SERVER ? -child.pid : child.pid);
      } catch {}
    }
    await pause(500);
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
});
