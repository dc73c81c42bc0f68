// The program beside the lanes, and the sequential program in its place if that is wanted.

const WORDS = /\b(?:proc|var|let|const|type|use|if|else|while|for|in|call|post|join|await|yield|sleep|atomic|assert|assume|havoc|return|break|continue|skip|finally|object|op|when|enqueue|independent|exclusive|spurious|preempt|enum|record|then|int|bool|task|true|false|self|void|struct|unsigned|char|static|do|switch|case|default|goto|sizeof|typedef)\b/;
const TOKEN = new RegExp("(//[^\\n]*|/\\*.*?\\*/)|(\"(?:[^\"\\\\]|\\\\.)*\"?)|(" + WORDS.source + ")|(\\b\\d\\w*\\b)", "g");
function coloured(text) {
  const out = [];
  let from = 0;
  for (const m of text.matchAll(TOKEN)) {
    if (m.index > from) out.push(text.slice(from, m.index));
    out.push(make("span", { class: m[1] ? "m" : m[2] ? "s" : m[3] ? "k" : "d" }, m[0]));
    from = m.index + m[0].length;
  }
  out.push(text.slice(from));
  return out;
}

let shownFile = 0, sequential = false, codeRows = [];
const codeBox = byId("code-box"), code = byId("code");
// The steps of each line, for links.
const linesOf = files.map(() => new Map());
steps.forEach((s, i) => {
  if (!s.line) return;
  const lines = linesOf[s.file];
  if (!lines.has(s.line)) lines.set(s.line, []);
  lines.get(s.line).push(i);
});
const twins = new Map();
if (seq) seq.from.forEach((from, i) => { if (from > 0) { if (!twins.has(from)) twins.set(from, []); twins.get(from).push(i); } });

const PLAIN = 4000;
function showCode() {
  const lines = sequential ? seq.lines : files[shownFile].lines;
  byId("code-title").textContent = sequential ? "The same as a sequential program" : files[shownFile].name;
  codeRows = lines.map((text, i) => {
    const number = i + 1;
    const runs = !sequential && linesOf[shownFile].has(number);
    const from = sequential ? seq.from[i] : 0;
    const n = make("span", { class: "n" }, String(number));
    if (runs) n.title = "to the next step on this line";
    if (from > 0) n.title = "from line " + from;
    const reached = !sequential && reachedOf[shownFile]?.get(number);
    if (reached !== undefined) n.title = (n.title ? n.title + "; " : "") + (reached ? "reached" : "not reached");
    const kind = reached === undefined ? "" : reached ? " reached" : " missed";
    return make("div", { "data-line": number, class: kind + " " + (runs ? "run" : from > 0 ? "run from" : "") }, n, make("span", { class: "text" }, ...(lines.length > PLAIN ? [text] : coloured(text))));
  });
  const place = about.place;
  if (!sequential && place && place.file === shownFile) codeRows[place.line - 1]?.classList.add("bad");
  if (!sequential) steps.filter((s) => s.raced && s.file === shownFile).forEach((s) => codeRows[s.line - 1]?.classList.add("bad"));
  editorLink();
  code.replaceChildren(...codeRows);
}
// Which lines executions come to, if that was looked at.
const reachedOf = (data.coverage || []).map((lines) => new Map(lines || []));
// Opens the current line in an editor that knows the address.
function editorLink() {
  const path = sequential ? null : files[shownFile].path;
  const title = byId("code-title");
  const line = codeRows.findIndex((row) => row.classList.contains("here")) + 1 || about.place?.line || 1;
  if (path) title.replaceChildren(make("a", { href: "vscode://file/" + encodeURI(path).replace(/^\//, "") + ":" + line, title: "open in the editor" }, files[shownFile].name));
}
function markCode() {
  const s = at > 0 ? steps[at - 1] : null;
  // A step of the dispatcher has no line, so this takes the last step of its task that has one.
  // For a step in the library, it takes the line of the program that called it.
  const mine = s ? stepsOf[s.lane].filter((j) => j < at && steps[j].line) : [];
  const own = mine.filter((j) => steps[j].file === 0);
  const place = own.length ? steps[own.pop()] : mine.length ? steps[mine.pop()] : null;
  const file = place ? place.file : 0;
  if (!sequential && file !== shownFile) { shownFile = file; showCode(); }
  codeRows.forEach((row) => {
    if (row.classList.contains("here")) { row.classList.remove("here"); row.removeAttribute("aria-current"); }
    row.querySelectorAll(".pc").forEach((chip) => chip.remove());
  });
  const current = sequential ? (twins.get(place && place.file === 0 ? place.line : -1) || []).map((n) => codeRows[n]) : place ? [codeRows[place.line - 1]] : [];
  current.forEach((row) => { row?.classList.add("here"); row?.setAttribute("aria-current", "step"); });
  if (!sequential) lanes.forEach((_, lane) => chip(lane, s));
  if (current[0]) reveal(current[0]);
  editorLink();
}
// Where each task is that has begun and is not done.
function chip(lane, s) {
  if (lanes[lane].run !== (s ? lanes[s.lane].run : 0)) return;
  const acting = s && s.lane === lane;
  const mine = stepsOf[lane];
  let i = -1;
  for (const j of mine) { if (j >= at) break; if (steps[j].line && steps[j].file === 0) i = j; }
  if (i < 0 || !acting && ended[lane] && mine[mine.length - 1] < at) return;
  // A task that does not act is shown where it goes on.
  const next = acting ? i : mine.find((j) => j >= at && steps[j].line && steps[j].file === 0) ?? i;
  if (steps[next].file !== shownFile) return;
  const mark = make("span", { class: "pc" + (acting ? "" : " other"), title: laneWords(lane) + (acting ? " acts here" : " goes on here") }, threads ? lanes[lane].name : lanes[lane].n ? (lanes[lane].n < 100 ? "task " : "") + lanes[lane].n : "finally");
  if (acting) mark.style.background = color(lane); else { mark.style.color = color(lane); mark.style.borderColor = color(lane); }
  const row = codeRows[steps[next].line - 1];
  if (row && row.querySelectorAll(".pc").length < 4) row.append(mark);
}
function reveal(row) {
  if (row.offsetTop < codeBox.scrollTop + 20 || row.offsetTop > codeBox.scrollTop + codeBox.clientHeight - 40) codeBox.scrollTop = Math.max(0, row.offsetTop - codeBox.clientHeight / 2);
}
function listenToCode() {
  code.addEventListener("click", (event) => {
    const row = event.target.closest(".run");
    if (!row || event.target.closest(".text")) return;
    const line = Number(row.dataset.line);
    if (sequential) {
      const from = seq.from[line - 1];
      toggleSequential();
      const target = codeRows[from - 1];
      if (target) { target.classList.add("here"); reveal(target); }
      return;
    }
    const own = linesOf[shownFile].get(line);
    go((own.find((i) => i >= at) ?? own[0]) + 1);
  });
  if (byId("seq")) byId("seq").addEventListener("click", toggleSequential);
}
function toggleSequential() {
  sequential = !sequential;
  shownFile = 0;
  byId("seq").setAttribute("aria-pressed", sequential);
  showCode();
  markCode();
}
