// The rows: every step, or the story, in which steps that do not matter are folded.

const inLibrary = (i) => steps[i].file !== undefined && files[steps[i].file].library;
// The variables that the failing check looks at.
const needed = failing >= 0 ? (steps[failing].values || []).map(([name]) => name).filter((n) => globalOf(n) !== undefined) : [];

// Where memory is weak: the reads, stores and moments that no order of whole steps would explain. A store that goes to memory at once is none.
const weak = steps.flatMap((s, i) => {
  const beside = (j, what) => steps[j]?.weak === what && steps[j].lane === s.lane;
  const atOnce = s.weak === "stays" ? beside(i + 1, "reaches") : s.weak === "reaches" && beside(i - 1, "stays");
  return s.weak && !atOnce ? [i] : [];
});

const kept = (() => {
  const keep = new Uint8Array(last);
  steps.forEach((s, i) => {
    if (s.kind === "delayed" || s.kind === "title" || s.kind === "fails" || s.raced) keep[i] = 1;
    if (needed.some((name) => writes(s, name)) && !inLibrary(i)) keep[i] = 1;
    if (s.stale) [i, s.stale[1], s.stale[2]].forEach((j) => { keep[j] = 1; });
  });
  weak.forEach((i) => { keep[i] = 1; });
  if (last > 0) keep[last - 1] = 1;
  for (const b of blocked) stepsOf[b.lane].filter((i) => !inLibrary(i)).slice(-2).forEach((i) => { keep[i] = 1; });
  // Keeps also the steps at which a task that matters stops and goes on.
  lanes.forEach((_, lane) => {
    if (!stepsOf[lane].some((i) => keep[i]) && needed.length + blocked.length > 0) return;
    ofLane[lane].forEach((n, nth) => {
      const s = segments[n];
      if (s.end <= s.first) return;
      if (nth > 0 && !inLibrary(s.first)) keep[s.first] = 1;
      if (nth + 1 < ofLane[lane].length && !inLibrary(s.end - 1)) keep[s.end - 1] = 1;
    });
  });
  return keep;
})();

// Tasks that run from their begin to their end without a break, beside others of the kind: the terminal folds them, too.
const wholeAt = new Map();
data.wholes.forEach((tasks) => tasks.forEach(([lane, from, to]) => wholeAt.set(from, { lane, to, first: tasks[0][1] })));

// Rounds of a loop that do the same: those that the terminal leaves out.
const repeatAt = new Map();
(data.repeats ?? []).forEach(([from, to, words]) => { if (!weak.some((i) => i >= from && i < to)) repeatAt.set(from, { to, words }); });

// Lanes that are not shown, and whether tasks of one procedure share a lane.
const hiddenLanes = new Set();
let grouped = false;
let view = "story", opened = new Set();
let rows = [], rowOf = new Int32Array(last + 1), groups = [], groupOf = [];

// `whole` is the first step of the tasks that are folded together.
function fold(list, whole) { return { list, whole, key: view + list[0] }; }

function build() {
  const all = view === "all";
  const out = [];
  let run = [];
  const flush = () => {
    if (run.length > 1) out.push(fold(run));
    else run.forEach((i) => out.push({ step: i }));
    run = [];
  };
  for (let i = 0; i < last; i++) {
    const s = steps[i], segment = segmentOf[i];
    const together = run.length > 0 && segmentOf[run[0]] === segment && steps[run[0]].lane === s.lane;
    if (!together) flush();
    const whole = all ? undefined : wholeAt.get(i);
    if (whole && whole.to > i) {
      flush();
      const mine = Array.from({ length: whole.to - i }, (_, n) => i + n), before = out[out.length - 1];
      if (before?.whole === whole.first && lanes[before.lanes[0]].name === lanes[s.lane].name) {
        before.list.push(...mine);
        before.lanes.push(s.lane);
      } else {
        out.push({ ...fold(mine, whole.first), lanes: [s.lane] });
      }
      i = whole.to - 1;
      continue;
    }
    const repeat = all ? undefined : repeatAt.get(i);
    if (repeat && repeat.to > i) {
      flush();
      out.push({ ...fold(Array.from({ length: repeat.to - i }, (_, n) => i + n)), repeat: repeat.words });
      i = repeat.to - 1;
      continue;
    }
    // Steps inside of the library are one thing to the program.
    const foldable = all ? inLibrary(i) : !kept[i];
    if (foldable && (!all || run.length === 0 || steps[run[0]].proc === s.proc)) run.push(i);
    else { flush(); if (foldable) run.push(i); else out.push({ step: i }); }
  }
  flush();
  rows = [];
  const seen = (row) => !hiddenLanes.has(laneOfRow(row)) || finalOf(row) === last - 1;
  for (const row of out.some(seen) ? out.filter(seen) : out) {
    rows.push(row);
    if (row.list && opened.has(row.key)) row.list.forEach((i) => rows.push({ step: i, inner: true }));
  }
  rowOf.fill(-1);
  rows.forEach((row, r) => {
    if (row.list) row.list.forEach((i) => { rowOf[i] = r; });
    else rowOf[row.step] = r;
  });
  // A step of a lane that is hidden belongs to the row before it.
  for (let i = 0, r = 0; i < last; i++) { if (rowOf[i] < 0) rowOf[i] = r; else r = rowOf[i]; }
  group();
}

// Lanes that are folded together share a column; those that never act have none.
function group() {
  const shared = new Map();
  for (const row of rows) {
    if (row.whole !== undefined && row.lanes.length > 1) {
      const one = { lanes: row.lanes };
      row.lanes.forEach((l) => shared.set(l, one));
    }
  }
  if (grouped) {
    const kinds = new Map();
    lanes.forEach((l, lane) => {
      const key = l.run + " " + (l.n === 0 ? "" : l.name);
      if (!acts(lane) || hiddenLanes.has(lane)) return;
      if (!kinds.has(key)) kinds.set(key, { lanes: [] });
      kinds.get(key).lanes.push(lane);
      shared.set(lane, kinds.get(key));
    });
  }
  groups = [];
  groupOf = [];
  lanes.forEach((_, lane) => {
    if (!acts(lane) || (hiddenLanes.has(lane) && !rows.some((row) => laneOfRow(row) === lane))) return;
    const one = shared.get(lane) ?? { lanes: [lane] };
    if (!groups.includes(one)) groups.push(one);
    groupOf[lane] = one;
  });
  groups.forEach((g, n) => {
    g.n = n;
    g.many = g.lanes.length > 1;
    const first = g.lanes[0], final = g.lanes[g.lanes.length - 1];
    const row = g.lanes.every((lane, i) => i === 0 || lanes[lane].n === lanes[g.lanes[i - 1]].n + 1);
    g.name = g.many && !row ? g.lanes.length + " × " + lanes[first].name : g.many ? lanes[first].n + "–" + lanes[final].n + " " + lanes[first].name : laneName(first);
    g.color = g.many ? "var(--t5)" : color(first);
  });
}

// The first and the last step of a row.
const firstOf = (row) => row.list ? row.list[0] : row.step;
const finalOf = (row) => row.list ? row.list[row.list.length - 1] : row.step;
const laneOfRow = (row) => steps[firstOf(row)].lane;

// The words of a row, and its changes.
function said(row) {
  if (!row.list) return saidStep(row.step);
  const first = steps[firstOf(row)], count = plural(row.list.length, "step");
  const changed = new Set(row.list.flatMap((i) => steps[i].changed.map(([n]) => globalOf(n)).filter((n) => n !== undefined)));
  const effects = [...changed].slice(0, 4).map((name) => {
    const [a, b] = [valueAt(name, firstOf(row)), valueAt(name, finalOf(row) + 1)];
    if (a.length + b.length > 40) return name + " changes";
    return a === b ? name + " is " + b + " again" : name + " " + a + " → " + b;
  });
  if (changed.size > 4) effects.push("…");
  let words = count;
  if (row.whole !== undefined) {
    words = row.lanes.length > 1
      ? "tasks " + lanes[row.lanes[0]].n + " to " + lanes[row.lanes[row.lanes.length - 1]].n + " run to their end"
      : laneWords(first.lane) + (lanes[first.lane].n ? " runs to its end" : "");
  } else if (row.repeat) {
    words = row.repeat;
  } else if (row.list.every(inLibrary)) {
    words = count + " in " + first.proc;
  }
  const children = row.list.filter((i) => steps[i].child !== undefined).map((i) => laneShort(steps[i].child));
  if (children.length && threads) words += ", creates " + listed(children);
  else if (children.length) words += ", posts " + (children.length > 1 ? "tasks " + children[0] + " to " + children[children.length - 1] : "task " + children[0]);
  return { words, changes: effects.join(", "), fold: true };
}
function saidStep(i) {
  const s = steps[i];
  const news = s.changed.map(([n, v]) => [n.startsWith(s.proc + ".") ? n.slice(s.proc.length + 1) : n, v]);
  const unsaid = news.filter(([n, v]) => ![" := ", " = ", ": "].some((is) => (" " + s.action).endsWith(" " + n + is + v))).map(([n, v]) => n + " = " + v);
  const values = s.kind === "fails" && s.values ? s.values.map(([n, v]) => n + " = " + v) : [];
  const stale = s.stale ? s.stale[0] + " is stale: read at step " + (s.stale[1] + 1) + ", changed at step " + (s.stale[2] + 1) : "";
  return { words: cut(s.action, 220), changes: cut([...unsaid, ...values].join(", "), 220), note: [s.note, stale].filter(Boolean).join(", ") };
}
