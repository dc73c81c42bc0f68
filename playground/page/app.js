// The page: an editor, a command, and the answer to it.
"use strict";

const byId = (id) => document.getElementById(id);
const root = document.documentElement;
const text = byId("text");
const examples = JSON.parse(byId("examples").textContent);

// ---- The verifier ----

// Over http the module is a file of its own; a page that was opened from a folder may only load scripts.
const verifier = (async () => {
  if (location.protocol !== "file:") {
    const response = await fetch("dbverify.wasm");
    if (!response.ok) throw new Error("dbverify.wasm cannot be loaded: " + response.status);
    return WebAssembly.compile(await response.arrayBuffer());
  }
  await new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = "dbverify.wasm.js";
    script.onload = done;
    script.onerror = () => failed(new Error("dbverify.wasm.js is not beside the page"));
    document.head.append(script);
  });
  const packed = Uint8Array.from(atob(window.packedVerifier), (c) => c.charCodeAt(0));
  return WebAssembly.compile(await through(packed, new DecompressionStream("gzip")));
})();
verifier.catch((error) => tell("fault", String(error.message || error)));

const workerUrl = URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" }));
let worker = null;
let clock = 0;

async function ask(command, then) {
  stop();
  const module = await verifier;
  const question = { command, name: named(), text: text.value, width: 100 };
  const begun = performance.now();
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1) + " s";
  const current = worker = new Worker(workerUrl);
  byId("stop").disabled = false;
  tell("busy", "at work");
  clock = setInterval(() => tell("busy", "at work, " + seconds()), 500);
  worker.onmessage = ({ data }) => {
    if (current !== worker) return;
    stop();
    if (data.fault) return tell("fault", data.fault);
    then(data.said, question, seconds());
  };
  worker.onerror = (event) => { stop(); tell("fault", event.message || "the worker ended"); };
  worker.postMessage({ module, question });
}

function stop() {
  clearInterval(clock);
  worker?.terminate();
  worker = null;
  byId("stop").disabled = true;
}

// ---- The answer ----

let pageUrl = null;
let view = "words";

function tell(kind, words) {
  byId("status").dataset.kind = kind;
  byId("status").textContent = kind === "fault" ? "dbverify did not answer: " + words : words;
}

function shown(said, question, took) {
  const { answer } = said;
  if (pageUrl) URL.revokeObjectURL(pageUrl);
  pageUrl = null;
  // The page of an answer follows the look of this one.
  if (said.page) {
    const page = said.page.replace("<html lang=\"en\">", `<html lang="en" data-theme="${root.dataset.theme}">`);
    pageUrl = URL.createObjectURL(new Blob([page], { type: "text/html" }));
  }
  const problems = said.diagnostics.filter((d) => !d.file || d.file === question.name);
  const marks = problems.map((d) => ({ line: d.line, kind: d.severity, message: d.message }));
  const bug = answer?.error;
  if (bug?.line && (!bug.file || bug.file === question.name)) marks.push({ line: bug.line, kind: "error", message: bug.message });
  mark(marks);
  list(said.diagnostics);
  if (answer) tell(answer.verdict, `${answer.verdict}: ${answer.summary ?? ""} (${took})`);
  else if (said.status === 2) tell("error", said.diagnostics.length ? "this is not a program yet" : "this cannot be asked");
  else tell("safe", said.diagnostics.length ? "warnings" : "nothing is wrong");
  byId("words").textContent = said.text;
  byId("data").textContent = JSON.stringify(answer ?? said.diagnostics, null, 2);
  byId("views").hidden = false;
  show(said.page && bug ? "steps" : said.text ? "words" : "data");
}

function list(diagnostics) {
  const items = diagnostics.slice(0, 50).map((d) => {
    const item = document.createElement("li");
    item.className = d.severity;
    if (d.line && (!d.file || d.file === named())) {
      const link = document.createElement("button");
      link.type = "button";
      link.textContent = "line " + d.line;
      link.onclick = () => goTo(d.line, d.column);
      item.append(link, " ");
    }
    item.append(d.message);
    return item;
  });
  byId("problems").replaceChildren(...items);
  byId("problems").hidden = items.length === 0;
}

function show(wanted) {
  view = wanted;
  for (const button of document.querySelectorAll("[data-view]")) {
    button.setAttribute("aria-pressed", button.dataset.view === view);
    byId(button.dataset.view).hidden = button.dataset.view !== view;
  }
  document.querySelector("[data-view=steps]").disabled = byId("alone").disabled = !pageUrl;
  if (view === "steps" && byId("steps").src !== pageUrl) byId("steps").src = pageUrl;
}

// ---- The editor ----

let marked = [];

// Its ending says which language it is.
const named = () => byId("name").value.trim() || "program.async";

function number() {
  const lines = text.value.split("\n").length;
  const numbers = byId("numbers");
  if (numbers.childElementCount === lines) return;
  numbers.replaceChildren(...Array.from({ length: lines }, (_, i) => {
    const line = document.createElement("div");
    line.textContent = i + 1;
    return line;
  }));
  drawMarks();
}

function mark(marks) {
  marked = marks.filter((m) => m.line);
  drawMarks();
}

function drawMarks() {
  const numbers = byId("numbers").children;
  for (const line of numbers) { line.className = ""; line.title = ""; }
  const bands = marked.filter((m) => numbers[m.line - 1]).map((m) => {
    const line = numbers[m.line - 1];
    line.className = line.className === "error" ? "error" : m.kind;
    line.title = [line.title, m.message].filter(Boolean).join("\n");
    const band = document.createElement("div");
    band.className = m.kind;
    band.style.top = `calc(${m.line - 1} * var(--row))`;
    return band;
  });
  byId("marks").replaceChildren(...bands);
  scrolled();
}

function scrolled() {
  byId("numbers").style.transform = byId("marks").style.transform = `translateY(${-text.scrollTop}px)`;
}

function changed() {
  number();
  if (marked.length) mark([]);
  const runs = [...text.value.matchAll(/^\s*\/\/ run:\s*(.+?)\s*$/gm)].map((m) => m[1]);
  byId("own").replaceChildren(...[...new Set(runs)].map((run) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = run;
    button.onclick = () => runLine(run);
    return button;
  }));
  byId("own").hidden = runs.length === 0;
}

function goTo(line, column) {
  const before = text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  text.focus();
  text.setSelectionRange(before + (column || 1) - 1, before + (column || 1) - 1);
  text.scrollTop = Math.max(0, (line - 5) * parseFloat(getComputedStyle(text).lineHeight));
}

// As typing would: so that it can be undone.
function type(words) {
  text.focus();
  if (!document.execCommand("insertText", false, words)) {
    text.setRangeText(words, text.selectionStart, text.selectionEnd, "end");
    changed();
  }
}

function load(title, program, command) {
  stop();
  byId("name").value = title;
  text.value = program;
  text.scrollTop = 0;
  mark([]);
  changed();
  byId("command").value = command || firstRun(program) || "verify --delays 2";
}

// Of what a program says about itself, what shows the bug if there is one.
function firstRun(program) {
  const cases = [...program.matchAll(/^\s*\/\/ run:\s*(.+?)\s*\n\s*\/\/ expect:\s*(.+?)\s*$/gm)];
  return (cases.find((c) => c[2].startsWith("bug")) ?? cases[0])?.[1];
}

// ---- Commands ----

function runLine(command) {
  byId("command").value = command;
  ask(command, shown);
}

function formatted(said, question, took) {
  if (said.formatted == null) return shown(said, question, took);
  if (said.formatted !== text.value) {
    text.select();
    type(said.formatted);
    text.setSelectionRange(0, 0);
    text.scrollTop = 0;
  }
  tell("safe", "in the standard format");
}

byId("verify").onclick = () => runLine("verify --delays " + byId("delays").value);
byId("explore").onclick = () => runLine("explore");
byId("check").onclick = () => ask("check", shown);
byId("format").onclick = () => ask("fmt", formatted);
byId("stop").onclick = () => { stop(); tell("fault", "stopped"); };
byId("line").onsubmit = (event) => { event.preventDefault(); runLine(byId("command").value); };
for (const button of document.querySelectorAll("[data-view]")) button.onclick = () => show(button.dataset.view);
byId("alone").onclick = () => window.open(pageUrl);

let leaves = false;
text.addEventListener("keydown", (event) => {
  if (event.key === "Escape") leaves = true;
  else if (event.key === "Tab" && !leaves && !event.shiftKey && !event.ctrlKey && !event.altKey) {
    event.preventDefault();
    type("  ");
  } else if (event.key !== "Shift") leaves = false;
});
text.addEventListener("input", changed);
text.addEventListener("scroll", scrolled);
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    runLine(byId("command").value);
  }
});

byId("theme").onclick = () => { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; };
root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

// ---- Examples and links ----

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function link() {
  const program = JSON.stringify([named(), byId("command").value, text.value]);
  const packed = await through(new TextEncoder().encode(program), new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  history.replaceState(null, "", "#program=" + letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""));
  try {
    await navigator.clipboard.writeText(location.href);
    tell("safe", "the link is in the clipboard");
  } catch {
    tell("safe", "the link is in the address");
  }
}

async function open() {
  const [what, value] = location.hash.slice(1).split("=", 2);
  if (what === "program") {
    try {
      const letters = atob(value.replaceAll("-", "+").replaceAll("_", "/"));
      const packed = Uint8Array.from(letters, (c) => c.charCodeAt(0));
      const unpacked = await through(packed, new DecompressionStream("deflate-raw"));
      const [title, command, program] = JSON.parse(new TextDecoder().decode(unpacked));
      byId("example").value = "";
      return load(String(title), String(program), String(command));
    } catch {
      tell("fault", "the link is damaged");
    }
  }
  const wanted = what === "example" ? decodeURIComponent(value ?? "") : "bluetooth_stop_bug";
  const example = examples.find((e) => e.name === wanted) ?? examples[0];
  byId("example").value = example.name;
  load(example.name + ".async", example.text);
}

byId("link").onclick = link;
byId("example").append(new Option("your own", ""), ...examples.map((e) => new Option(e.name.replaceAll("_", " "), e.name)));
byId("example").onchange = () => {
  const example = examples.find((e) => e.name === byId("example").value);
  if (example) history.replaceState(null, "", "#example=" + example.name);
  load(example ? example.name + ".async" : "program.async", example?.text ?? "proc main() {\n  \n}\n", example ? undefined : "explore");
};
addEventListener("hashchange", open);
open();
