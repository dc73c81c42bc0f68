// What the page says at its top, how it is stepped through, and what keys and buttons do.

const link = (step, words) => make("a", { href: "#step=" + step, "data-go": step }, words ?? "step " + step);
const codeText = (text) => make("code", {}, text);
// A message: text in backticks is code.
const rich = (text) => text.split("`").map((part, i) => i % 2 ? codeText(part) : part);
const races = steps.flatMap((s, i) => s.raced ? [i] : []);

function title() {
  const h1 = byId("title"), word = about.verdict;
  const tag = word ? [make("span", { class: "tag " + word }, word), " "] : [];
  const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  let words = rich(upper(about.headline));
  if (races.length) {
    const where = [...new Set(races.map((i) => steps[i].line).filter(Boolean))];
    words = ["Race: ", ...rich(about.message), where.length ? " (line" + (where.length > 1 ? "s " : " ") + where.join(" and ") + ")." : "."];
  } else if (failing >= 0) {
    const s = steps[failing], condition = s.action.replace(/^fails:? ?/, "");
    const who = lanes[s.lane].n ? "in " + laneWords(s.lane) : "after the last task";
    const place = about.place ? " at line " + about.place.line : "";
    const plain = ["assertion failed", "an assertion fails"].includes(about.message);
    const says = about.message && !plain && about.message !== condition && !about.message.includes(condition);
    words = says
      ? [upper(about.message) + ": ", codeText(condition), " fails" + place + ", " + who + "."]
      : [codeText(condition || about.message), " fails" + place + ", " + who + "."];
    // A condition that is written as false says nothing.
    if (condition === "false" || condition === about.message) words = [...rich(upper(about.message)), place + ", " + who + "."];
  } else if (blocked.length) {
    const names = listed(blocked.map((b) => laneShort(b.lane))), task = threads ? "" : "task ", tasks = threads ? "" : "tasks ";
    words = [blocked.length === 1 ? "Deadlock: " + task + names + " waits, and nobody else can go on." : "Deadlock: " + tasks + names + " wait, and nobody can go on."];
  }
  h1.replaceChildren(...tag, ...words);
}
// Explains the failure in a few lines, each with a link.
function why() {
  const list = byId("why");
  const delays = steps.flatMap((s, i) => s.kind === "delayed" ? [i] : []);
  const items = delays.slice(0, 5).map((i) => {
    const next = steps.findIndex((s, j) => j > i && s.kind !== "delayed");
    return [link(i + 1), laneWords(steps[i].lane) + " is delayed" + (next >= 0 ? ", so " + laneWords(steps[next].lane) + " runs first" : "")];
  });
  // A store that waits in a buffer is named where a read passes it, or where it reaches memory.
  for (const i of weak.filter((i) => steps[i].weak !== "stays").slice(-5)) items.push([link(i + 1), laneWords(steps[i].lane) + ": ", codeText(cut(steps[i].action, 120))]);
  if (failing >= 0) {
    for (const [name, value] of (steps[failing].values || []).slice(0, 5)) {
      const since = globalOf(name) === undefined ? -1 : writtenAt(name, last);
      const what = [codeText(name), " is " + cut(value, 60)];
      items.push(since >= 0 ? [link(since + 1), ...what, ": written by " + laneWords(steps[since].lane)] : [make("span", {}, "at the end"), ...what]);
    }
    const late = steps.findLastIndex((s) => s.stale);
    if (late >= 0) {
      const [name, read, since] = steps[late].stale;
      items.push([link(read + 1), laneWords(steps[late].lane) + " reads ", codeText(name)]);
      // The list may have this step already.
      if (!items.some(([a]) => a.dataset?.go === String(since + 1))) items.push([link(since + 1), laneWords(steps[since].lane) + " changes it"]);
      if (late !== failing) items.push([link(late + 1), laneWords(steps[late].lane) + " goes on with what it has read"]);
    }
    items.sort((a, b) => Number(a[0].dataset?.go ?? 1e9) - Number(b[0].dataset?.go ?? 1e9));
    if (!races.length) items.push([link(failing + 1), threads && about.kind !== "assertion" ? "the program fails" : "the check fails"]);
  }
  for (const i of races) {
    const [what, write] = steps[i].raced;
    items.push([link(i + 1), laneWords(steps[i].lane) + (write ? " writes " : " reads "), codeText(what), steps[i].line ? " in line " + steps[i].line : ""]);
  }
  if (races.length) items.push([make("span", {}, "no order"), threads ? "nothing that both threads do puts one before the other" : "no post, join or lock that both use puts one before the other"]);
  for (const b of blocked) {
    const mine = stepsOf[b.lane];
    const words = [laneWords(b.lane) + " waits for ", b.joins ? b.what : codeText(b.what)];
    if (b.on && b.on.since !== null) {
      const [own, did] = [b.on.lane === b.lane, b.on.holds ? ["took", "in"] : ["changed", "last in"]];
      words.push(own ? ", which it " + did.join(" ") + " " : ": " + laneWords(b.on.lane) + " " + did.join(" it ") + " ", link(b.on.since + 1));
    }
    items.push([mine.length ? link(mine[mine.length - 1] + 1) : make("span", {}, "at once"), ...words]);
  }
  const ring = cycle();
  if (ring.length) items.push([make("span", {}, "in a ring"), [...ring, ring[0]].map(laneShort).join(" → ")]);
  if (loopFrom >= 0) items.push([link(loopFrom + 2), "steps " + (loopFrom + 2) + " to " + last + " repeat for ever"]);
  list.replaceChildren(...items.map(([a, ...words]) => make("li", {}, a, make("span", {}, ...words))));
  byId("why-box").hidden = items.length === 0;
}

// Finds blocked tasks that each wait for the next one.
function cycle() {
  const next = new Map(blocked.filter((b) => b.on).map((b) => [b.lane, b.on.lane]));
  for (const start of next.keys()) {
    const way = [];
    for (let lane = start; lane !== undefined && !way.includes(lane); lane = next.get(lane)) way.push(lane);
    const again = way.indexOf(next.get(way[way.length - 1]));
    if (again >= 0 && way.length - again > 1) return way.slice(again);
  }
  return [];
}

// ---- stepping ----
function words() {
  if (at === 0) return ["Before the first step of " + last];
  const s = steps[at - 1];
  const who = make("b", {}, laneWords(s.lane));
  who.style.color = color(s.lane);
  const out = [make("b", {}, "Step " + at), " of " + last];
  if (data.rounds) out.push(" · round " + s.round);
  out.push(" · ", who);
  if (s.line) out.push(" · line " + s.line);
  const { words, changes } = saidStep(at - 1);
  out.push(make("span", { class: "sr" }, ": " + words + (changes ? "; now " + changes : "")));
  return out;
}
let silent = false;
function go(step, quiet) {
  at = Math.max(0, Math.min(last, step));
  byId("status").replaceChildren(...words());
  strip.setAttribute("aria-valuenow", at);
  strip.setAttribute("aria-valuetext", byId("status").textContent);
  markLanes();
  moveCursor();
  markCode();
  showValues();
  if (!quiet) {
    silent = true;
    window.history.replaceState?.(null, "", "#step=" + at + (view === "all" ? "&view=all" : ""));
    silent = false;
  }
}
// A closed fold counts as one.
function forward() {
  if (at === 0) return go(rows.length ? finalOf(visible(0, 1)) + 1 : 0);
  const next = visible(rowOf[at - 1] + 1, 1);
  go(next ? finalOf(next) + 1 : last);
}
function back() {
  if (at === 0) return;
  const before = visible(rowOf[at - 1] - 1, -1);
  go(before ? finalOf(before) + 1 : 0);
}
// The next row that stands for steps of its own: an open fold is there with its steps.
function visible(r, way) {
  while (rows[r]?.list && opened.has(rows[r].key)) r += way;
  return rows[r];
}
function nextSwitch() { const i = switches.find((s) => s >= at); go(i === undefined ? last : i + 1); }
function lastSwitch() { const i = switches.filter((s) => s + 1 < at).pop(); go(i === undefined ? 0 : i + 1); }

let playing = 0;
function play() {
  if (playing) { clearInterval(playing); playing = 0; }
  else {
    if (at >= last) go(0);
    playing = setInterval(() => { forward(); if (at >= last) play(); }, 900);
  }
  byId("play").textContent = playing ? "Stop" : "Play";
  byId("play").setAttribute("aria-pressed", playing !== 0);
}

// ---- the parts of the page ----
let drawer = true;
function redraw(stay) {
  build();
  byId("story").setAttribute("aria-pressed", view === "story");
  byId("all").setAttribute("aria-pressed", view === "all");
  byId("source").setAttribute("aria-pressed", drawer);
  byId("drawer").hidden = !drawer;
  document.querySelector("main").classList.toggle("alone", !drawer);
  drawLanes();
  drawStrip();
  go(at, stay);
}
function show(which) { view = which; opened = new Set(); redraw(); }
function toggleDrawer() { drawer = !drawer; redraw(true); }
function toggleTheme() { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; }
function large() { root.classList.toggle("big"); redraw(true); }

// To the next row that says what is looked for.
function search() {
  const text = byId("find").value.trim().toLowerCase();
  const hits = rows.map((row) => text !== "" && rowText(row).toLowerCase().includes(text));
  field.querySelectorAll(".row").forEach((node) => node.classList.toggle("found", hits[Number(node.dataset.r)] === true));
  const now = at > 0 ? rowOf[at - 1] : -1;
  let r = hits.findIndex((hit, r) => hit && r > now);
  if (r < 0) r = hits.indexOf(true);
  if (r >= 0) go(finalOf(rows[r]) + 1);
}
function toggleGroups() { grouped = !grouped; byId("group").setAttribute("aria-pressed", grouped); redraw(true); }
function toggleArrows() { arrows = !arrows; byId("arrows").setAttribute("aria-pressed", arrows); redraw(true); }

const KEYED = {
  "/": () => byId("find").focus(), g: toggleGroups, h: toggleArrows, "+": () => zoomStrip(1.5), "-": () => zoomStrip(1 / 1.5),
  ArrowRight: forward, ArrowDown: forward, ArrowLeft: back, ArrowUp: back, j: forward, k: back,
  n: nextSwitch, p: lastSwitch, PageDown: nextSwitch, PageUp: lastSwitch, Home: () => go(0), End: () => go(last), " ": play,
  v: () => show(view === "story" ? "all" : "story"), s: toggleDrawer, f: large,
  w: () => { if (!drawer) toggleDrawer(); byId("expression").focus(); },
};
function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || dialog.open) return;
  const target = event.target, typing = target.matches?.("input, textarea, select");
  if (event.key === "Escape") {
    if (typing) target.blur(); else if (marked) mark(marked.name);
    return;
  }
  if (typing) return;
  if (event.key === " " && target.closest?.("button, a, summary")) return;
  // With the code or the values in focus, these keys scroll.
  if (/Up|Down|Home|End/.test(event.key) && target.matches?.("#code-box, #values-box")) return;
  const act = last > 0 ? KEYED[event.key] : undefined;
  const always = { t: toggleTheme, "?": help }[event.key];
  if (!act && !always) return;
  event.preventDefault();
  (act ?? always)();
}
const hashed = () => /step=(\d+)/.exec(location.hash);
function listen() {
  addEventListener("keydown", pressed);
  const buttons = {
    first: () => go(0), last: () => go(last), back, forth: forward, "back-switch": lastSwitch, switch: nextSwitch, play,
    story: () => show("story"), all: () => show("all"), source: toggleDrawer,
    text: () => offer("The trace as text", asText(), "trace.txt"), mermaid: () => offer("Mermaid sequence diagram", asMermaid(), "trace.mmd"),
  };
  for (const id in buttons) byId(id).addEventListener("click", buttons[id]);
  byId("why").addEventListener("click", (event) => {
    const to = event.target.closest("[data-go]");
    if (to) { event.preventDefault(); go(Number(to.dataset.go)); }
  });
  field.addEventListener("click", (event) => {
    const hide = event.target.closest("[data-hide]");
    if (hide) { groups[Number(hide.dataset.hide)].lanes.forEach((lane) => hiddenLanes.add(lane)); return redraw(true); }
    if (event.target.closest("[data-show]")) { hiddenLanes.clear(); return redraw(true); }
    const far = event.target.closest("[data-to]"), folded = event.target.closest("[data-fold]"), row = event.target.closest(".row");
    if (far) go(Number(far.dataset.to));
    else if (folded) {
      const key = folded.dataset.fold;
      if (opened.has(key)) opened.delete(key); else opened.add(key);
      redraw(true);
      [...field.querySelectorAll("[data-fold]")].find((b) => b.dataset.fold === key)?.focus();
    } else if (row) go(finalOf(rows[Number(row.dataset.r)]) + 1);
  });
  byId("group").addEventListener("click", toggleGroups);
  byId("arrows").addEventListener("click", toggleArrows);
  byId("search").addEventListener("submit", (event) => { event.preventDefault(); search(); });
  listenToStrip();
  listenToCode();
  listenToValues();
  addEventListener("hashchange", () => {
    const step = hashed();
    if (silent || !step) return;
    const wanted = /view=all/.test(location.hash) ? "all" : "story";
    if (wanted !== view) { view = wanted; at = Number(step[1]); redraw(); } else if (Number(step[1]) !== at) go(Number(step[1]));
  });
  let width = box.clientWidth;
  new ResizeObserver(() => {
    if (Math.abs(box.clientWidth - width) <= 2) return;
    width = box.clientWidth;
    // To draw at once could change the width again while the browser reports the change.
    requestAnimationFrame(() => redraw(true));
  }).observe(box);
  let screen = null;
  addEventListener("beforeprint", () => {
    screen = [root.dataset.theme, drawer];
    root.dataset.theme = "light";
    root.classList.add("printing");
    drawer = true;
    redraw(true);
  });
  addEventListener("afterprint", () => {
    if (!screen) return;
    root.classList.remove("printing");
    [root.dataset.theme, drawer] = screen;
    redraw(true);
  });
}

// Remarks name places of the program, at(client:7): links to their lines.
document.querySelectorAll(".facts li").forEach((item) => {
  const parts = item.textContent.split(/(at\(\w+:\d+\))/);
  if (parts.length < 2) return;
  item.replaceChildren(...parts.map((part, i) => i % 2 ? make("a", { href: "#line=" + /:(\d+)/.exec(part)[1], "data-line": /:(\d+)/.exec(part)[1] }, part) : part));
  item.addEventListener("click", (event) => {
    const to = event.target.closest("[data-line]");
    if (!to) return;
    event.preventDefault();
    codeRows.forEach((row) => row.classList.toggle("here", row.dataset.line === to.dataset.line));
    codeRows[Number(to.dataset.line) - 1]?.scrollIntoView({ block: "center" });
  });
});
title();
why();
byId("theme").addEventListener("click", toggleTheme);
byId("help").addEventListener("click", help);
byId("print").addEventListener("click", () => print());
byId("close").addEventListener("click", () => dialog.close());
byId("copy-text").addEventListener("click", (event) => copy(exported.text, event.target));
byId("download").addEventListener("click", () => {
  const a = make("a", { href: "data:text/plain;charset=utf-8," + encodeURIComponent(exported.text), download: exported.name });
  a.click();
});
byId("copy-command")?.addEventListener("click", (event) => copy(about.command, event.target));
const asked = new URLSearchParams(location.search);
root.dataset.theme = asked.get("theme") || root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
if (asked.has("big")) root.classList.add("big");
showCode();
if (last > 0) {
  drawer = asked.get("drawer") !== "0";
  if (/view=all/.test(location.hash)) view = "all";
  at = hashed() ? Number(hashed()[1]) : last;
  strip.setAttribute("aria-valuemax", last);
  listen();
  redraw(true);
} else {
  addEventListener("keydown", pressed);
}
