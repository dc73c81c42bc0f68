// The tasks as lanes; time runs down. Where there is no room for a column each they are tracks, as in a commit graph.

const field = byId("field"), box = byId("lanes");
const GUTTER = () => parseFloat(getComputedStyle(root).fontSize) * 5.4;
const TRACK = 17, LEAST = 17, MOST = 46, WINDOW = 120;
let tracks = false, lefts = [], shownFrom = 0, shownTo = 0, here = -1, at = last;

function widths() {
  const probe = make("span", { class: "c probe" }, "0".repeat(20));
  field.append(probe);
  const ch = probe.getBoundingClientRect().width / 20;
  probe.remove();
  const wanted = groups.map(() => LEAST);
  for (let r = shownFrom; r < shownTo; r++) {
    const g = groupOf[laneOfRow(rows[r])].n;
    const { words, changes } = said(rows[r]);
    wanted[g] = Math.max(wanted[g], Math.min(MOST, words.length + (changes ? changes.length + 2 : 0) + 3));
  }
  const room = (box.clientWidth - GUTTER() - 8) / ch - groups.length * 3.4;
  let sum = wanted.reduce((a, b) => a + b, 0);
  // The widest shrink first.
  while (sum > room) {
    const widest = wanted.indexOf(Math.max(...wanted));
    if (wanted[widest] <= LEAST) break;
    wanted[widest]--; sum--;
  }
  tracks = sum > room || innerWidth < 760;
  return wanted.map((w) => (w + 3.4) * ch);
}

function drawLanes() {
  // A window of rows around the current one: what is not shown is a click away.
  const r = at > 0 ? rowOf[at - 1] : 0;
  if (rows.length <= 2 * WINDOW) { shownFrom = 0; shownTo = rows.length; }
  else {
    shownFrom = Math.max(0, Math.min(r - WINDOW, rows.length - 2 * WINDOW));
    shownTo = Math.min(rows.length, shownFrom + 2 * WINDOW);
  }
  const columns = widths();
  root.classList.toggle("tracks", tracks);
  const gutter = GUTTER();
  const template = tracks
    ? gutter + "px " + (groups.length * TRACK + 12) + "px minmax(0,1fr)"
    : gutter + "px " + columns.map((w, i) => i + 1 < columns.length ? w + "px" : "minmax(" + w + "px,1fr)").join(" ");
  field.style.setProperty("--cols", template);
  lefts = [];
  let x = gutter;
  groups.forEach((_, i) => { lefts.push(x + 9); x += tracks ? TRACK : columns[i]; });
  const parts = [heads()];
  if (shownFrom > 0) parts.push(more("Earlier: " + plural(shownFrom, "row"), firstOf(rows[shownFrom - 1]) + 1));
  let round = shownFrom > 0 ? steps[firstOf(rows[shownFrom - 1])].round : -1;
  for (let n = shownFrom; n < shownTo; n++) {
    const s = steps[firstOf(rows[n])];
    if (data.rounds && s.round !== round) parts.push(roundMark(s.round));
    round = s.round;
    parts.push(rowNode(n));
  }
  if (shownTo < rows.length) parts.push(more("Later: " + plural(rows.length - shownTo, "row"), finalOf(rows[shownTo]) + 1));
  const idle = lanes.filter((lane, l) => lane.n > 0 && !acts(l)).length;
  if (hiddenLanes.size) parts.push(make("button", { type: "button", class: "more", "data-show": "" }, "Show " + plural(hiddenLanes.size, "hidden lane")));
  if (idle) parts.push(make("p", { class: "hint" }, plural(idle, threads ? "thread" : "task") + " without a step."));
  field.replaceChildren(...parts);
  here = -1;
  wires();
}
function heads() {
  const head = make("div", { class: "hd", "aria-hidden": "true" }, make("div", { class: "gh" }, make("span", {}, "step"), make("span", {}, "line")));
  if (tracks) {
    const names = make("div", { class: "legend" });
    groups.forEach((g) => {
      const name = make("button", { type: "button", class: "hide", "data-hide": g.n, title: "hide this lane" }, g.name + " ×");
      name.style.color = g.color;
      names.append(name);
    });
    head.append(names);
    return head;
  }
  groups.forEach((g) => {
    const name = make("b", { title: g.lanes.map(laneWords).join(", ") }, g.name);
    name.style.color = g.color;
    const hide = make("button", { type: "button", class: "hide", "data-hide": g.n, title: "hide this lane", "aria-label": "hide " + g.name }, "×");
    head.append(make("div", { "data-g": g.n }, name, hide, make("small", {})));
  });
  return head;
}
const more = (words, to) => make("button", { type: "button", class: "more", "data-to": to }, words);
const roundMark = (round) => make("div", { class: "rd" }, make("span", {}, "round " + round + (round > 0 ? " · what was delayed runs now" : "")));
function rowNode(n) {
  const row = rows[n], first = firstOf(row), s = steps[first], g = groupOf[s.lane], { words, changes, note, fold: folded } = said(row);
  const node = make("div", { class: "row " + s.kind + (row.inner ? " inner" : ""), "data-r": n });
  const number = row.list ? (first + 1) + "–" + (finalOf(row) + 1) : first + 1;
  node.append(make("span", { class: "g" }, make("i", {}, number), make("i", {}, row.list || !s.line || s.file > 0 ? "" : s.line)));
  const cell = make("div", { class: "c" });
  cell.style.gridColumn = tracks ? 3 : g.n + 2;
  const prior = n > 0 ? rows[n - 1] : null;
  if (tracks && (!prior || n === shownFrom || laneOfRow(prior) !== s.lane)) {
    const who = make("span", { class: "who" }, g.name + " ");
    who.style.color = g.color;
    cell.append(who);
  }
  if (folded) {
    const button = make("button", { type: "button", class: "fold", "aria-expanded": opened.has(row.key), "data-fold": row.key }, make("b", {}, (opened.has(row.key) ? "▾ " : "▸ ") + words));
    if (changes) button.append(": " + changes);
    cell.append(button);
  } else {
    const where = s.file > 0 ? " (" + files[s.file].name + ":" + s.line + ")" : "";
    cell.append(make("span", { class: "t", title: words + where }, words));
    if (changes) cell.append(" ", make("span", { class: "v" }, changes));
    if (note) cell.append(make("span", { class: "nt" }, note));
  }
  node.append(cell);
  return node;
}

// ---- the lines behind the texts ----
function wires() {
  const old = field.querySelector("svg");
  if (old) old.remove();
  const nodes = [...field.querySelectorAll(".row")];
  if (!nodes.length) return;
  const top = [], bottom = [];
  nodes.forEach((node) => { const r = Number(node.dataset.r); top[r] = node.offsetTop; bottom[r] = node.offsetTop + node.offsetHeight; });
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("width", field.scrollWidth);
  svg.setAttribute("height", field.offsetHeight);
  svg.setAttribute("aria-hidden", "true");
  const y0 = top[shownFrom], y1 = bottom[shownTo - 1];
  const y = (row) => row < shownFrom ? y0 : row >= shownTo ? y1 : top[row] + 12;
  const sees = (a, b) => rowOf[a] < shownTo && rowOf[b] >= shownFrom;
  groups.forEach((g) => {
    const x = lefts[g.n];
    g.lanes.forEach((lane) => lifeline(svg, g, lane, x, y, sees));
  });
  for (let r = shownFrom; r < shownTo; r++) marks(svg, r, y, top, bottom);
  if (loopFrom >= 0) loopBracket(svg, y);
  if (arrows) orders(svg, y);
  field.prepend(svg);
}
function lifeline(svg, g, lane, x, y, sees) {
  const mine = ofLane[lane].filter((n) => segments[n].end > segments[n].first);
  const line = (kind, a, b, more) => { if (sees(a, b) && y(rowOf[b]) > y(rowOf[a])) shape(svg, "line", { class: kind, x1: x, x2: x, y1: y(rowOf[a]), y2: y(rowOf[b]), stroke: g.color, ...more }); };
  const stuck = blocked.some((b) => b.lane === lane);
  if (!mine.length && stuck) return line("stuck", born[lane], last - 1);
  if (!g.many) line("pending", born[lane], mine.length ? segments[mine[0]].first : last - 1);
  mine.forEach((n, nth) => {
    const s = segments[n], own = stepsOf[lane].filter((i) => i >= s.first && i < s.end);
    const final = own.length ? own[own.length - 1] : s.first;
    line("runs", s.first, final);
    const next = nth + 1 < mine.length ? segments[mine[nth + 1]].first : -1;
    const put = stepsOf[lane].find((i) => steps[i].kind === "delayed" && i >= s.first && (next < 0 || i < next));
    if (next >= 0) line(put !== undefined && put > final ? "pending" : s.ended === "waits" ? "waits" : "pending", final, next);
  });
  stepsOf[lane].filter((i) => steps[i].kind === "delayed").forEach((i) => {
    const until = stepsOf[lane].find((j) => j > i && steps[j].kind !== "delayed");
    line("late", i, until ?? last - 1);
  });
  if (stuck && stepsOf[lane].length) line("stuck", stepsOf[lane][stepsOf[lane].length - 1], last - 1);
}
function marks(svg, r, y, top, bottom) {
  const row = rows[r], s = steps[firstOf(row)], g = groupOf[s.lane], x = lefts[g.n], at = y(r);
  if (r > shownFrom) {
    const before = groupOf[laneOfRow(rows[r - 1])];
    const gap = (bottom[r - 1] + top[r]) / 2;
    if (before !== g) shape(svg, "path", { class: "switch", d: `M${lefts[before.n]} ${y(r - 1)}V${gap}H${x}V${at}` });
  }
  if (s.child !== undefined && !row.list && groupOf[s.child]) {
    shape(svg, "circle", { class: "posted", cx: lefts[groupOf[s.child].n], cy: at, r: 3.5, stroke: groupOf[s.child].color });
  }
  if (row.list && stops(s.lane, finalOf(row))) shape(svg, "rect", { class: "stop", x: x - 5, y: at - 5, width: 10, height: 10 });
  else if (row.list) shape(svg, "rect", { class: "box", x: x - 4, y: at - 6, width: 8, height: 12, rx: 2, stroke: g.color });
  else if (s.kind === "fails") shape(svg, "path", { class: "cross", d: `M${x - 5} ${at - 5}l10 10m0 -10l-10 10` });
  else if (s.kind === "title") return;
  else {
    const stuck = stops(s.lane, row.step);
    if (stuck) shape(svg, "rect", { class: "stop", x: x - 5, y: at - 5, width: 10, height: 10 });
    else shape(svg, "circle", { class: "dot", cx: x, cy: at, r: 4, fill: s.kind === "yields" ? "var(--paper)" : s.kind === "delayed" ? "var(--delay)" : g.color, stroke: s.kind === "delayed" ? "var(--delay)" : g.color });
  }
}

// The part that repeats for ever, in the gutter.
function loopBracket(svg, y) {
  const from = rowOf[loopFrom], to = rowOf[last - 1];
  if (to < shownFrom || from >= shownTo) return;
  const x = GUTTER() - 3, a = y(from), b = y(to);
  shape(svg, "path", { class: "loop", d: `M${x + 5} ${a}H${x}V${b}H${x + 5}` });
  shape(svg, "path", { class: "loop", d: `M${x + 2} ${a - 4}L${x + 7} ${a}L${x + 2} ${a + 4}` });
}
// Arrows from earlier to later steps, on demand: posts, joins, and changes of one variable by two tasks.
let arrows = false;
const orderPairs = (() => {
  const pairs = [], changed = new Map();
  steps.forEach((s, i) => {
    if (s.child !== undefined && stepsOf[s.child].length) pairs.push([i, stepsOf[s.child][0], threads ? "creates" : "posts"]);
    if (s.joins) {
      const other = s.joined ?? lanes.findIndex((l) => l.run === lanes[s.lane].run && s.action === "join task " + l.n);
      if (other >= 0 && stepsOf[other].length) pairs.push([stepsOf[other][stepsOf[other].length - 1], i, "joins"]);
    }
    for (const [name] of s.changed) {
      if (globalOf(name) === undefined) continue;
      const before = changed.get(name);
      if (before !== undefined && steps[before].lane !== s.lane && lanes[steps[before].lane].run === lanes[s.lane].run) pairs.push([before, i, name]);
      changed.set(name, i);
    }
  });
  return pairs;
})();
function orders(svg, y) {
  for (const [a, b, why] of orderPairs) {
    const [from, to] = [groupOf[steps[a].lane], groupOf[steps[b].lane]];
    if (!from || !to || from === to || rowOf[b] < shownFrom || rowOf[a] >= shownTo) continue;
    const [x, u, v, w] = [lefts[from.n], lefts[to.n], y(rowOf[a]), y(rowOf[b])];
    const line = shape(svg, "path", { class: "order", d: `M${x} ${v}C${x} ${(v + w) / 2} ${u} ${(v + w) / 2} ${u} ${w}` });
    shape(line, "title", {}, why);
    shape(svg, "path", { class: "order tip", d: `M${u - 4} ${w - 8}L${u} ${w - 2}L${u + 4} ${w - 8}` });
  }
}

// Whether a task is blocked for ever after a step.
const stops = (lane, step) => blocked.some((b) => b.lane === lane && stepsOf[lane][stepsOf[lane].length - 1] === step);

// ---- where we are ----
function markLanes() {
  const r = at > 0 ? rowOf[at - 1] : -1;
  if (r >= 0 && (r < shownFrom || r >= shownTo || (r === shownFrom && shownFrom > 0) || (r === shownTo - 1 && shownTo < rows.length))) drawLanes();
  const nodes = field.querySelectorAll(".row");
  nodes.forEach((node) => {
    const n = Number(node.dataset.r);
    node.classList.toggle("here", n === r);
    node.classList.toggle("later", n > r);
    if (n === r) node.setAttribute("aria-current", "step"); else node.removeAttribute("aria-current");
  });
  const node = nodes[r - shownFrom];
  if (node) {
    const head = field.querySelector(".hd").offsetHeight;
    const up = node.offsetTop - head - 30, down = node.offsetTop + node.offsetHeight + 40;
    if (box.scrollTop > up || box.scrollTop + box.clientHeight < down) box.scrollTop = Math.max(0, node.offsetTop - box.clientHeight / 2);
    if (innerWidth < 760) node.scrollIntoView({ block: "nearest" });
  } else if (at === 0) box.scrollTop = 0;
  if (!tracks) field.querySelectorAll(".hd [data-g]").forEach((head) => state(head, groups[Number(head.dataset.g)]));
  here = r;
}
// What a task does at this moment, in its heading.
function state(head, g) {
  const lane = g.lanes[0], small = head.querySelector("small");
  const begun = begins[lane] < at, mine = stepsOf[lane];
  const running = at > 0 && steps[at - 1].lane === lane;
  const done = g.lanes.every((l) => ended[l] && stepsOf[l][stepsOf[l].length - 1] < at);
  const stuck = blocked.find((b) => b.lane === lane), final = mine.length ? mine[mine.length - 1] : born[lane];
  let before = -1;
  for (const i of mine) if (i < at) before = i;
  let words = begun ? "ready" : born[lane] < at ? (threads ? "created" : "posted") : "not yet there";
  let tone = "";
  if (failing >= 0 && at === last && steps[failing].lane === lane) [words, tone] = ["fails", "bad"];
  else if (stuck && final < at) [words, tone] = ["waits for " + stuck.what, "bad"];
  else if (done) words = "done";
  else if (before >= 0 && steps[before].kind === "delayed") [words, tone] = ["delayed", "delay"];
  else if (running) words = "runs";
  else if (before >= 0 && steps[before].note) words = steps[before].note;
  small.textContent = words;
  small.className = tone;
  small.title = words;
}
