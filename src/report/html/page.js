"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { lanes, steps, segments, starts, files, seq } = data;
  const byId = (id) => document.getElementById(id);
  const last = steps.length;
  const ROW = 24, LEFT = 62, RIGHT = 420;
  // All lanes in sight if there is room for them and for what the last one says.
  const room = byId("lanes").clientWidth - LEFT - 230;
  const laneWidth = Math.max(64, Math.min(170, Math.floor(room / Math.max(1, lanes.length - 1))));
  const SVG = "http://www.w3.org/2000/svg";
  let at = 0, playing = null;

  function make(name, attributes, text) {
    const node = document.createElement(name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    if (text !== undefined) node.textContent = text;
    return node;
  }
  const laneName = (lane) => lanes[lane].n === 0 ? "finally" : lanes[lane].n + " " + lanes[lane].name;
  const laneWords = (lane) => lanes[lane].n === 0 ? "finally" : "task " + laneName(lane);
  const color = (lane) => "var(--t" + (lane % 6) + ")";
  const laneX = (lane) => LEFT + lane * laneWidth + 10;

  // Who ran when, by step and by lane.
  const segmentOf = new Int32Array(last + 1).fill(-1);
  const ofLane = lanes.map(() => []);
  segments.forEach((s, i) => {
    s.end = i + 1 < segments.length ? segments[i + 1].first : last;
    ofLane[s.lane].push(i);
    for (let step = s.first; step < s.end; step++) segmentOf[step] = i;
  });
  const delays = lanes.map(() => []);
  const born = lanes.map(() => 0), done = lanes.map(() => last);
  steps.forEach((s, i) => {
    if (s.kind === "delayed") delays[s.lane].push(i);
    if (s.child !== undefined) born[s.child] = i;
  });
  lanes.forEach((lane, i) => { if (lane.n === 0 && ofLane[i].length) born[i] = segments[ofLane[i][0]].first; });
  segments.forEach((s) => { if (s.ended === "finished") done[s.lane] = s.end; });
  const round = (i) => i < last ? steps[i].round : -1;

  // Values over time: for each variable its changes, in order.
  const startOf = (step) => {
    let found = 0;
    for (let i = 0; i < starts.length; i++) if (starts[i].step <= step) found = i;
    return found;
  };
  const history = new Map();
  steps.forEach((s, i) => {
    for (const [name, value] of s.changed) {
      const local = data.locals.includes(name.split(".")[0]) && !isGlobal(name);
      const key = local ? s.lane + " " + name : name;
      if (!history.has(key)) history.set(key, { name, lane: local ? s.lane : -1, at: [], value: [] });
      const h = history.get(key);
      h.at.push(i); h.value.push(value);
    }
  });
  function isGlobal(name) {
    const root = name.split(/[.[]/)[0];
    return starts.length > 0 && starts[0].globals.some(([g]) => g === name || g === root || name.startsWith(g + "[") || name.startsWith(g + "."));
  }
  // The index of the last change before a step, or -1.
  function before(h, step) {
    let lo = 0, hi = h.at.length;
    while (lo < hi) { const mid = (lo + hi) >> 1; if (h.at[mid] < step) lo = mid + 1; else hi = mid; }
    return lo - 1;
  }

  // ---- the program ----
  const sourceLines = [], seqLines = [], twins = new Map();
  function showCode() {
    const box = byId("source");
    files.forEach((file, f) => {
      if (f > 0) box.append(make("div", { class: "faint" }, "— " + file.name + " —"));
      const own = [];
      file.lines.forEach((text, i) => {
        const row = make("div", { id: "L" + f + "-" + (i + 1) });
        row.append(make("span", { class: "n" }, i + 1), text);
        box.append(row);
        own.push(row);
      });
      sourceLines.push(own);
    });
    if (data.error) line(data.error.file, data.error.line)?.classList.add("failing");
    if (!seq) return;
    const right = byId("seq");
    seq.lines.forEach((text, i) => {
      const from = seq.from[i];
      const row = make("div", { id: "S" + (i + 1) });
      if (from > 0) {
        row.append(make("a", { class: "n", href: "#L0-" + from, title: "from line " + from }, i + 1), text);
        if (!twins.has(from)) twins.set(from, []);
        twins.get(from).push(i);
      } else {
        row.append(make("span", { class: "n" }, i + 1), text);
      }
      right.append(row);
      seqLines.push(row);
    });
    for (const [from, rows] of twins) {
      const row = line(0, from);
      if (!row) continue;
      row.firstChild.replaceWith(make("a", { class: "n", href: "#S" + (rows[0] + 1), title: "in the sequential program: line " + (rows[0] + 1) }, from));
    }
    byId("source").addEventListener("click", (e) => link(e, true));
    right.addEventListener("click", (e) => link(e, false));
  }
  const line = (file, number) => sourceLines[file]?.[number - 1];
  function link(event, fromSource) {
    const row = event.target.closest("[id]");
    if (!row || !/^[LS]\d/.test(row.id)) return;
    if (event.target.tagName === "A") event.preventDefault();
    const number = Number(row.id.replace(/^S|^L\d+-/, ""));
    if (fromSource && !row.id.startsWith("L0-")) return;
    mark(fromSource ? number : seq.from[number - 1], !fromSource, fromSource);
  }
  function mark(number, scrollSource, scrollSeq) {
    document.querySelectorAll(".twin").forEach((n) => n.classList.remove("twin"));
    if (!number) return;
    const row = line(0, number);
    row?.classList.add("twin");
    const rows = (twins.get(number) || []).map((i) => seqLines[i]);
    rows.forEach((r) => r.classList.add("twin"));
    if (scrollSource && row) reveal(byId("source-box"), row);
    if (scrollSeq && rows.length) reveal(byId("seq-box"), rows[0]);
  }
  function reveal(box, row) {
    const top = row.offsetTop - box.clientHeight / 2;
    if (row.offsetTop < box.scrollTop + 20 || row.offsetTop > box.scrollTop + box.clientHeight - 40) box.scrollTop = Math.max(0, top);
  }

  // ---- the lanes: only what is in view is drawn ----
  function shape(parent, name, attributes, text) {
    const node = document.createElementNS(SVG, name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    if (text !== undefined) node.textContent = text;
    parent.append(node);
    return node;
  }
  const box = byId("lanes"), field = byId("field");
  const total = LEFT + lanes.length * laneWidth + RIGHT;
  function layLanes() {
    field.style.height = (last + 1) * ROW + "px";
    field.style.width = total + "px";
    const heads = byId("heads");
    heads.style.width = total + "px";
    lanes.forEach((lane, i) => {
      const head = make("span", { title: laneWords(i) }, (lane.run ? "b: " : "") + laneName(i));
      head.style.left = laneX(i) - 6 + "px";
      head.style.maxWidth = (i + 1 < lanes.length ? laneWidth - 4 : RIGHT) + "px";
      head.style.color = color(i);
      heads.append(head);
    });
    box.addEventListener("scroll", () => requestAnimationFrame(draw));
    addEventListener("resize", () => requestAnimationFrame(draw));
    field.addEventListener("click", (e) => {
      const y = e.clientY - field.getBoundingClientRect().top;
      go(Math.floor(y / ROW) + 1);
    });
  }
  const middle = (row) => row * ROW + ROW / 2;
  function draw() {
    const from = Math.max(0, Math.floor(box.scrollTop / ROW) - 4);
    const to = Math.min(last, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + 4);
    const y0 = from * ROW;
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("width", total);
    svg.setAttribute("height", Math.max(1, (to - from + 1) * ROW));
    svg.setAttribute("aria-hidden", "true");
    svg.style.top = y0 + "px";
    const y = (row) => middle(Math.max(from - 2, Math.min(to + 2, row))) - y0;
    if (at > from && at <= to) shape(svg, "rect", { class: "here", x: 0, y: (at - 1) * ROW - y0, width: total, height: ROW });
    const x0 = box.scrollLeft - laneWidth, x1 = box.scrollLeft + box.clientWidth + laneWidth;
    for (let lane = 0; lane < lanes.length; lane++) {
      if (laneX(lane) < x0 || laneX(lane) > x1) continue;
      if (born[lane] <= to && done[lane] >= from) lifeline(svg, lane, from, to, y);
    }
    for (let i = from; i < to; i++) row(svg, i, y);
    field.replaceChildren(svg);
  }
  function lifeline(svg, lane, from, to, y) {
    const x = laneX(lane), stroke = color(lane);
    const first = Math.max(born[lane], from - 1), end = Math.min(done[lane] - 1, to);
    if (end > first) shape(svg, "line", { class: "wait", x1: x, x2: x, y1: y(first), y2: y(end), stroke });
    const mine = ofLane[lane];
    let lo = 0, hi = mine.length;
    while (lo < hi) { const mid = (lo + hi) >> 1; if (segments[mine[mid]].end <= from) lo = mid + 1; else hi = mid; }
    for (; lo < mine.length && segments[mine[lo]].first <= to; lo++) {
      const s = segments[mine[lo]];
      if (s.end > s.first) {
        let stop = s.end - 1;
        while (stop > s.first && steps[stop].lane !== lane) stop--;
        // The same task goes on at once.
        const next = segments[mine[lo + 1]];
        if (next?.first === s.end && next.end > next.first && stop === s.end - 1) stop = s.end;
        shape(svg, "line", { class: "run", x1: x, x2: x, y1: y(s.first) - 0.01, y2: y(stop), stroke });
      }
    }
    for (const delay of delays[lane]) {
      const next = mine.find((i) => segments[i].first >= delay);
      const until = next === undefined ? last : segments[next].first;
      if (delay <= to && until >= from) {
        const bend = x - 14;
        shape(svg, "path", { class: "delay", d: `M${x} ${y(delay)} C${bend} ${y(delay)} ${bend} ${y(until)} ${x} ${y(until)}`, "marker-end": "url(#arrow)" });
      }
    }
  }
  function row(svg, i, y) {
    const s = steps[i], x = laneX(s.lane), later = i >= at ? " later" : "";
    const g = shape(svg, "g", { class: "row" + later });
    if (i > 0 && round(i) !== round(i - 1) || i === 0 && data.rounds) {
      const top = y(i) - ROW / 2;
      shape(svg, "line", { class: "roundline", x1: 0, x2: total, y1: top, y2: top });
      shape(g, "text", { class: "round", x: box.scrollLeft + 2, y: y(i) - 2 }, "r" + s.round);
    }
    if (i > 0 && s.lane !== steps[i - 1].lane && s.kind !== "title") {
      shape(g, "line", { class: "control", x1: laneX(steps[i - 1].lane), x2: x, y1: y(i - 1), y2: y(i) });
    }
    if (s.line) shape(g, "text", { class: "num", x: box.scrollLeft + 22, y: y(i) + 4 }, s.line);
    if (s.child !== undefined) {
      const to = laneX(s.child), side = to > x ? -4 : 4;
      shape(g, "path", { class: "post", d: `M${x} ${y(i)} L${x - 2 * side} ${y(i) + 10} L${to + side} ${y(i) + 10}`, "marker-end": "url(#arrow)" });
    }
    shape(g, "circle", { cx: x, cy: y(i), r: s.kind === "yields" ? 5 : 4, fill: s.kind === "yields" ? "var(--paper)" : s.kind === "fails" ? "var(--bad)" : s.kind === "delayed" ? "var(--mark)" : color(s.lane), stroke: color(s.lane), "stroke-width": 2 });
    const news = s.changed.map(([n, v]) => [n.startsWith(s.proc + ".") ? n.slice(s.proc.length + 1) : n, v]);
    const unsaid = news.filter(([n, v]) => s.action !== n + " := " + v).map(([n, v]) => n + " = " + v);
    const words = s.action + (unsaid.length ? " → " + unsaid.join(", ") : "") + (s.note ? " (" + s.note + ")" : "");
    shape(g, "text", { class: s.kind, x: x + 12, y: y(i) + 4 }, words.length > 220 ? words.slice(0, 220) + "…" : words);
  }

  // ---- the forest of tasks ----
  function showForest() {
    const lists = [], depth = [];
    const root = byId("forest");
    lanes.forEach((lane, i) => {
      if (lane.n === 0) return;
      let parent = lane.parent;
      depth[i] = parent < 0 ? 0 : depth[parent] + 1;
      while (parent >= 0 && depth[parent] > 40) parent = lanes[parent].parent;
      const item = make("li", {});
      const name = make("span", {}, (lane.run ? "b: " : "") + laneName(i));
      name.style.color = color(i);
      item.append(name);
      for (const s of ofLane[i].slice(0, 30)) {
        const words = laneWords(i) + ", segment from step " + (segments[s].first + 1) + ", round " + segments[s].round;
        const button = make("button", { type: "button", "data-segment": s, "aria-label": words, title: words }, data.rounds ? "r" + segments[s].round : segments[s].first + 1);
        button.addEventListener("click", () => go(segments[s].first + 1));
        item.append(button);
      }
      if (parent < 0) root.append(item);
      else {
        if (!lists[parent]) { lists[parent] = make("ul", {}); lists[parent].owner = parent; }
        lists[parent].append(item);
      }
      item.lane = i;
    });
    const items = new Map();
    root.querySelectorAll("li").forEach((item) => items.set(item.lane, item));
    lists.forEach((list) => list.querySelectorAll("li").forEach((item) => items.set(item.lane, item)));
    lists.forEach((list, parent) => items.get(parent)?.append(list));
  }

  // ---- the variables ----
  const cells = new Map();
  function variable(body, key, name, part) {
    const row = make("tr", part ? { class: "part" } : {});
    row.append(make("th", { scope: "row" }, name), make("td", {}));
    body.append(row);
    cells.set(key, row);
  }
  const composites = [];
  function showVariables() {
    const globals = byId("globals");
    if (!starts.length) return;
    for (const [name, initial] of starts[0].globals) {
      variable(globals, name, name, false);
      const parts = [...history.values()].filter((h) => h.lane < 0 && (h.name.startsWith(name + "[") || h.name.startsWith(name + ".")));
      if (!parts.length) continue;
      const long = initial.length > 400 || initial === "*";
      if (long) parts.slice(0, 200).forEach((h) => variable(globals, h.name, h.name, true));
      composites.push({ name, parts, long });
    }
  }
  // A value as it is written: [1, 2], Req { id: 1 }, [task 2: true, _: false].
  function parse(text) {
    let i = 0;
    const skip = () => { while (text[i] === " ") i++; };
    const word = () => { const from = i; while (i < text.length && !"[]{},:".includes(text[i])) i++; return text.slice(from, i).trim(); };
    function list(end, node) {
      i++;
      for (skip(); i < text.length && text[i] !== end; skip()) {
        let key = null, from = i;
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
  // Puts a value at a path like [2].done; tells whether there is such a part.
  function put(node, path, value) {
    const steps = path.match(/\[[^\]]*\]|\.[^.[]*/g) || [];
    for (const [n, step] of steps.entries()) {
      if (typeof node === "string") return false;
      const key = step[0] === "[" ? step.slice(1, -1) : step.slice(1);
      let at = node.keys.indexOf(key);
      const rest = node.keys.indexOf("_");
      if (at < 0 && rest >= 0) { node.keys.splice(rest, 0, key); node.parts.splice(rest, 0, structuredClone(node.parts[rest])); at = rest; }
      if (at < 0 && node.keys[0] === null) at = Number(key);
      if (!(at in node.parts)) return false;
      if (n === steps.length - 1) node.parts[at] = value;
      else node = node.parts[at];
    }
    return true;
  }
  function part(node, path) {
    for (const step of path.match(/\[[^\]]*\]|\.[^.[]*/g) || []) {
      if (typeof node === "string") return node === "*" ? "*" : undefined;
      const key = step[0] === "[" ? step.slice(1, -1) : step.slice(1);
      let at = node.keys[0] === null ? Number(key) : node.keys.indexOf(key);
      if (at < 0) at = node.keys.indexOf("_");
      node = node.parts[at];
      if (node === undefined) return undefined;
    }
    return node;
  }
  function write(cell, node) {
    if (typeof node === "string") return cell.append(node);
    if (node.fresh) return cell.append(make("b", {}, node.fresh));
    cell.append(node.open);
    node.parts.forEach((p, i) => {
      cell.append((i ? ", " : "") + (node.keys[i] === null ? "" : node.keys[i] + ": "));
      write(cell, p);
    });
    cell.append(node.close);
  }
  function set(row, value, changed) {
    const cell = row.lastChild;
    row.classList.toggle("changed", changed);
    cell.textContent = value;
    if (changed) cell.append(make("span", { class: "hidden" }, " (changed)"));
  }
  // Of a variable with parts: what it held when it last changed as a whole, and its parts that have changed since.
  function composite({ name, parts, long }, initial, start) {
    const whole = history.get(name), w = whole ? before(whole, at) : -1;
    const since = w >= 0 && whole.at[w] >= start.step ? whole.at[w] : start.step - 1;
    const tree = { keys: [""], parts: [parse(since < start.step ? initial : whole.value[w])] };
    let changed = since === at - 1 && since >= start.step, fits = true;
    for (const h of parts) {
      const i = before(h, at), path = h.name.slice(name.length);
      const row = cells.get(h.name);
      if (i < 0 || h.at[i] <= since) {
        const old = long && row ? part(tree.parts[0], path) : undefined;
        if (row) set(row, old === undefined ? "as at the start" : old, false);
        continue;
      }
      const fresh = h.at[i] === at - 1;
      changed ||= fresh;
      if (row) set(row, h.value[i], fresh);
      if (!long) fits = put(tree.parts[0], path, fresh ? { fresh: h.value[i] } : parse(h.value[i])) && fits;
    }
    const row = cells.get(name);
    set(row, long || !fits ? "its parts that change:" : "", !long && changed);
    if (!long) { row.lastChild.textContent = ""; write(row.lastChild, tree.parts[0]); }
    if (!long && changed) row.lastChild.append(make("span", { class: "hidden" }, " (changed)"));
  }
  function variables() {
    const start = starts[startOf(Math.max(0, at - 1))];
    if (!start) return;
    const initial = new Map(start.globals);
    const own = new Set(composites.flatMap((c) => [c.name, ...c.parts.map((h) => h.name)]));
    for (const [key, row] of cells) {
      if (own.has(key)) continue;
      const h = history.get(key);
      const i = h ? before(h, at) : -1;
      const changedAt = i >= 0 && h.at[i] >= start.step ? h.at[i] : -1;
      if (changedAt >= 0) set(row, h.value[i], changedAt === at - 1);
      else set(row, initial.has(key) ? initial.get(key) : "as at the start", false);
    }
    composites.forEach((c) => composite(c, initial.get(c.name), start));
    const locals = byId("locals"), rows = [];
    const lane = at > 0 ? steps[at - 1].lane : -1;
    for (const h of history.values()) {
      const i = h.lane === lane && lane >= 0 ? before(h, at) : -1;
      if (i < 0 || h.at[i] < start.step) continue;
      const row = make("tr", {});
      row.append(make("th", { scope: "row" }, h.name), make("td", {}));
      set(row, h.value[i], h.at[i] === at - 1);
      rows.push(row);
    }
    locals.replaceChildren(...rows);
    const news = byId("values-box").querySelector(".changed");
    if (news) {
      const inner = news.getBoundingClientRect(), outer = byId("values-box").getBoundingClientRect();
      if (inner.top < outer.top || inner.bottom > outer.bottom) byId("values-box").scrollTop += inner.top - outer.top - 8;
    }
  }

  // ---- stepping ----
  function words() {
    if (at === 0) return "Before the first step of " + last + ".";
    const s = steps[at - 1];
    let text = "Step " + at + " of " + last + ": " + laneWords(s.lane);
    if (data.rounds) text += ", round " + s.round;
    if (s.line) text += ", line " + s.line;
    text += ": " + s.action;
    if (s.changed.length) text += "; now " + s.changed.map(([n, v]) => n + " = " + v).join(", ");
    if (s.values) text += "; where " + s.values.map(([n, v]) => n + " = " + v).join(", ");
    return text.length > 600 ? text.slice(0, 600) + "…" : text;
  }
  let current = null, now = [];
  function go(step) {
    at = Math.max(0, Math.min(last, step));
    byId("slider").value = at;
    byId("slider").setAttribute("aria-valuetext", "step " + at + " of " + last);
    byId("count").textContent = at + " / " + last;
    byId("status").textContent = words();
    const top = (at - 1) * ROW;
    if (top < box.scrollTop + 30 || top > box.scrollTop + box.clientHeight - 90) box.scrollTop = Math.max(0, top - box.clientHeight / 2);
    if (at > 0) {
      const x = laneX(steps[at - 1].lane);
      if (x < box.scrollLeft + 20 || x > box.scrollLeft + box.clientWidth - 180) box.scrollLeft = Math.max(0, x - box.clientWidth / 3);
    }
    current?.classList.remove("here");
    current?.removeAttribute("aria-current");
    current = null;
    if (at > 0 && steps[at - 1].line) {
      const s = steps[at - 1];
      current = line(s.file, s.line) || null;
      if (current) {
        current.classList.add("here");
        current.setAttribute("aria-current", "step");
        reveal(byId("source-box"), current);
        if (seq && s.file === 0) mark(s.line, false, true);
      }
    }
    now.forEach((b) => b.classList.remove("now"));
    const segment = at > 0 ? segmentOf[at - 1] : -1;
    now = segment < 0 ? [] : [...byId("forest").querySelectorAll(`[data-segment="${segment}"]`)];
    now.forEach((b) => b.classList.add("now"));
    variables();
    draw();
  }
  function nextSwitch(way) {
    let i = at + way;
    while (i > 0 && i < last && steps[i - 1].lane === steps[Math.max(0, i - 2)].lane) i += way;
    go(i);
  }
  function play() {
    if (playing !== null) { clearInterval(playing); playing = null; }
    else {
      if (at >= last) go(0);
      playing = setInterval(() => { go(at + 1); if (at >= last) play(); }, 700);
    }
    byId("play").textContent = playing === null ? "Play" : "Pause";
    byId("play").setAttribute("aria-pressed", playing !== null);
  }
  const keys = {
    ArrowRight: () => go(at + 1), ArrowDown: () => go(at + 1), ArrowLeft: () => go(at - 1), ArrowUp: () => go(at - 1),
    PageDown: () => nextSwitch(1), PageUp: () => nextSwitch(-1), n: () => nextSwitch(1), p: () => nextSwitch(-1),
    Home: () => go(0), End: () => go(last), " ": play,
  };
  addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " " && event.target.closest?.("button, a, summary")) return;
    // Who reads the code by keyboard wants to scroll it.
    if (/Up|Down|Home|End/.test(event.key) && event.target.matches?.("#source-box, #seq-box, #values-box")) return;
    event.preventDefault();
    act();
  });

  // ---- all steps, for print and for reading line by line ----
  function table() {
    const body = byId("all-steps");
    if (body.childElementCount) return;
    const rows = document.createDocumentFragment();
    steps.forEach((s, i) => {
      const row = make("tr", {});
      const changes = s.changed.map(([n, v]) => n + " = " + v).join(", ");
      for (const text of [i + 1, s.round, laneName(s.lane), s.line || "", s.action + (s.note ? " (" + s.note + ")" : ""), changes]) row.append(make("td", {}, text));
      rows.append(row);
    });
    body.append(rows);
  }
  byId("all").addEventListener("toggle", table);
  addEventListener("beforeprint", () => { table(); byId("all").open = true; });

  showCode();
  if (last > 0) {
    byId("slider").max = last;
    byId("slider").addEventListener("input", (e) => go(Number(e.target.value)));
    for (const [id, act] of [["first", () => go(0)], ["back", () => go(at - 1)], ["play", play], ["forth", () => go(at + 1)], ["switch", () => nextSwitch(1)], ["last", () => go(last)]]) byId(id).addEventListener("click", act);
    showForest();
    showVariables();
    layLanes();
    go(0);
  }
})();
