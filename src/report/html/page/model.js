// The trace as the page thinks of it: who runs when, what each variable holds after each step.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const { lanes, steps, starts, files, seq, about } = data;
const last = steps.length;
const byId = (id) => document.getElementById(id);
const root = document.documentElement;

function make(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  node.append(...children);
  return node;
}
const SVG = "http://www.w3.org/2000/svg";
function shape(parent, name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}
const plural = (n, word) => n + " " + word + (n === 1 ? "" : "s");
const listed = (words) => words.length < 2 ? words.join("") : words.slice(0, -1).join(", ") + " and " + words[words.length - 1];
const cut = (text, most) => text.length > most ? text.slice(0, most - 1) + "…" : text;

// ---- tasks ----
const two = lanes.some((lane) => lane.run > 0);
// The lanes are threads of a program that ran. The page shows only their names: main, thread 1.
const threads = data.threads === true;
const laneName = (lane) => (two ? (lanes[lane].run ? "b: " : "a: ") : "") + (threads ? lanes[lane].name : lanes[lane].n === 0 ? "finally" : lanes[lane].n + " " + lanes[lane].name);
const laneWords = (lane) => threads ? lanes[lane].name : lanes[lane].n === 0 ? "finally" : "task " + lanes[lane].n + " (" + lanes[lane].name + ")";
const laneShort = (lane) => threads ? lanes[lane].name : String(lanes[lane].n);
const color = (lane) => lanes[lane].n === 0 ? "var(--t5)" : "var(--t" + ((lanes[lane].n - 1) % 5) + ")";

// Joins neighbouring segments of one task: nothing interrupted it between them.
const segments = [];
for (const s of data.segments) {
  const before = segments[segments.length - 1];
  if (before && before.lane === s.lane && before.round === s.round) before.ended = s.ended;
  else segments.push({ ...s });
}
const segmentOf = new Int32Array(last + 1).fill(-1);
const ofLane = lanes.map(() => []);
segments.forEach((s, i) => {
  s.end = i + 1 < segments.length ? segments[i + 1].first : last;
  ofLane[s.lane].push(i);
  for (let step = s.first; step < s.end; step++) segmentOf[step] = i;
});
// The steps of a lane, and where it was posted; the first task is there from the start.
const stepsOf = lanes.map(() => []);
const born = lanes.map((lane) => starts[lane.run]?.step ?? 0);
steps.forEach((s, i) => {
  stepsOf[s.lane].push(i);
  if (s.child !== undefined) born[s.child] = i;
});
lanes.forEach((lane, i) => { if (lane.n === 0 && stepsOf[i].length) born[i] = stepsOf[i][0]; });
const begins = lanes.map((_, i) => stepsOf[i].find((s) => steps[s].kind !== "delayed") ?? last);
const ended = lanes.map((_, i) => {
  const mine = ofLane[i];
  return mine.length > 0 && segments[mine[mine.length - 1]].ended === "finished";
});
const failing = last > 0 && steps[last - 1].kind === "fails" ? last - 1 : -1;

// Who is blocked for ever, at a deadlock.
const blocked = data.waiting.map((b) => ({ ...b, what: b.what.replace(/`/g, "") }));
const acts = (lane) => stepsOf[lane].length > 0 || blocked.some((b) => b.lane === lane);
// The lines of a loop that repeats for ever begin after a title.
const loopFrom = steps.findIndex((s) => s.kind === "title" && /for ever/.test(s.action));

// ---- values ----
// A value as it is written: [1, 2], Req { id: 1 }, [task 2: true, _: false].
function parse(text) {
  let i = 0;
  const skip = () => { while (text[i] === " ") i++; };
  const word = () => { const from = i; while (i < text.length && !"[]{},:".includes(text[i])) i++; return text.slice(from, i).trim(); };
  function list(end, node) {
    i++;
    for (skip(); i < text.length && text[i] !== end; skip()) {
      let key = null;
      const from = i;
      if (text[i] !== "[") { key = word(); if (text[i] === ":") i++; else { key = null; i = from; } }
      node.keys.push(key); node.parts.push(value());
      skip(); if (text[i] === ",") i++;
    }
    i++;
    return node;
  }
  function value() {
    skip();
    if (text[i] === "[") return list("]", { open: "[", close: "]", keys: [], parts: [] });
    const leaf = word();
    return text[i] === "{" ? list("}", { open: (leaf ? leaf + " " : "") + "{ ", close: " }", keys: [], parts: [] }) : leaf;
  }
  return value();
}
const pathSteps = (path) => path.match(/\[[^\]]*\]|\.[^.[]*/g) || [];
const keyOf = (step) => step[0] === "[" ? step.slice(1, -1) : step.slice(1);
// Puts a value at a path like [2].done; tells whether there is such a part.
function put(node, path, value) {
  const way = pathSteps(path);
  for (const [n, step] of way.entries()) {
    if (typeof node === "string") return false;
    const key = keyOf(step);
    let at = node.keys.indexOf(key);
    const rest = node.keys.indexOf("_");
    if (at < 0 && rest >= 0) { node.keys.splice(rest, 0, key); node.parts.splice(rest, 0, structuredClone(node.parts[rest])); at = rest; }
    if (at < 0 && node.keys[0] === null) at = Number(key);
    if (!(at in node.parts)) return false;
    if (n === way.length - 1) node.parts[at] = value;
    else node = node.parts[at];
  }
  return true;
}
function part(node, path) {
  for (const step of pathSteps(path)) {
    if (typeof node === "string") return node === "*" ? "*" : undefined;
    const key = keyOf(step);
    let at = node.keys[0] === null ? Number(key) : node.keys.indexOf(key);
    if (at < 0) at = node.keys.indexOf("_");
    node = node.parts[at];
    if (node === undefined) return undefined;
  }
  return node;
}
function written(node) {
  if (typeof node === "string") return node;
  return node.open + node.parts.map((p, i) => (node.keys[i] === null ? "" : node.keys[i] + ": ") + written(p)).join(", ") + node.close;
}

const globals = starts.length ? starts[0].globals.map(([name]) => name) : [];
const rootOf = (name) => name.split(/[.[]/)[0];
const globalNames = new Set(globals);
// An object's state has a dot in its name.
const globalOf = (name) => globalNames.has(name) ? name : globals.find((g) => name.startsWith(g + "[") || name.startsWith(g + ".")) ?? (globalNames.has(rootOf(name)) ? rootOf(name) : undefined);
const startOf = (step) => {
  let found = 0;
  for (let i = 0; i < starts.length; i++) if (starts[i].step <= step) found = i;
  return found;
};
// The changes of each global and of its parts, in order.
const changesOf = new Map();
steps.forEach((s, i) => {
  for (const [name, value] of s.changed) {
    if (globalOf(name) === undefined) continue;
    if (!changesOf.has(name)) changesOf.set(name, { name, at: [], value: [] });
    const h = changesOf.get(name);
    h.at.push(i); h.value.push(value);
  }
});
const partsOf = new Map(globals.map((g) => [g, []]));
for (const h of changesOf.values()) {
  const owner = globalOf(h.name);
  if (owner !== h.name) partsOf.get(owner)?.push(h);
}
// The index of the last change before a step, or -1.
function before(h, step) {
  let lo = 0, hi = h.at.length;
  while (lo < hi) { const mid = (lo + hi) >> 1; if (h.at[mid] < step) lo = mid + 1; else hi = mid; }
  return lo - 1;
}
const LONG = 400;
const initials = starts.map((s) => new Map(s.globals));
// What a global holds when so many steps are done.
function valueAt(name, at) {
  const run = startOf(Math.max(0, at - 1)), start = starts[run].step;
  const initial = initials[run].get(name) ?? "*";
  const whole = changesOf.get(name), w = whole ? before(whole, at) : -1;
  const since = w >= 0 && whole.at[w] >= start ? whole.at[w] : start - 1;
  const text = since < start ? initial : whole.value[w];
  const parts = partsOf.get(name).filter((h) => { const i = before(h, at); return i >= 0 && h.at[i] > since; });
  if (!parts.length) return text;
  const tree = { keys: [""], parts: [parse(text)] };
  parts.sort((a, b) => a.at[before(a, at)] - b.at[before(b, at)]);
  for (const h of parts) {
    const value = h.value[before(h, at)];
    // A first value that was not chosen has no part to put it in.
    if (!put(tree.parts[0], h.name.slice(name.length), parse(value))) return text + ", " + h.name.slice(name.length) + " = " + value;
  }
  return written(tree.parts[0]);
}
// The step that wrote what a name or a part of it holds when so many steps are done; -1 for the start.
function writtenAt(name, at) {
  let found = -1;
  const start = starts[startOf(Math.max(0, at - 1))]?.step ?? 0;
  for (const h of changesOf.values()) {
    const concerns = h.name === name || h.name.startsWith(name + "[") || h.name.startsWith(name + ".") || name.startsWith(h.name + "[") || name.startsWith(h.name + ".");
    const i = concerns ? before(h, at) : -1;
    if (i >= 0 && h.at[i] >= start) found = Math.max(found, h.at[i]);
  }
  return found;
}
const writes = (s, name) => s.changed.some(([n]) => n === name || n.startsWith(name + "[") || n.startsWith(name + ".") || name.startsWith(n + "[") || name.startsWith(n + "."));
