// Values: a row for each variable, a column for each of the last switches, the present at the right.

const table = byId("values");
let watched = [], marked = null;

// The steps with which another task goes on.
const switches = [];
steps.forEach((s, i) => { if (i > 0 && s.lane !== steps[i - 1].lane && s.kind !== "title") switches.push(i); });

function mark(name) {
  marked = marked?.name === name ? null : {
    name,
    steps: () => steps.flatMap((s, i) => {
      if (writes(s, name)) return [[i, true]];
      return (s.values || []).some(([n]) => n === name || globalOf(n) === name) ? [[i, false]] : [];
    }),
  };
  const own = new Set(marked ? marked.steps().map(([i]) => i) : []);
  field.querySelectorAll(".row").forEach((node) => {
    const row = rows[Number(node.dataset.r)];
    node.classList.toggle("hit", row.list ? row.list.some((i) => own.has(i)) : own.has(row.step));
  });
  drawStrip();
  showValues();
}
function columnsOf() {
  const wide = byId("values-box").clientWidth / parseFloat(getComputedStyle(root).fontSize);
  const most = Math.max(0, Math.min(5, Math.floor((wide - 14) / 7)));
  const past = switches.filter((i) => i < at);
  return [...new Set([0, ...past])].slice(-most - 0 || past.length + 1).slice(-most).concat([at]).filter((c, i, all) => all.indexOf(c) === i);
}
function showValues() {
  const columns = columnsOf();
  const head = make("tr", {}, make("th", { scope: "col" }, "variable"));
  columns.forEach((c, n) => {
    const now = n === columns.length - 1;
    const words = now ? ["now", at > 0 ? laneName(steps[at - 1].lane) : "start"] : c === 0 ? ["", "start"] : ["after " + c, laneName(steps[c - 1].lane)];
    head.append(make("th", { scope: "col", "data-to": c, title: now ? "" : "go there" }, make("b", {}, cut(words[0], 12)), make("br", {}), cut(words[1], 12)));
  });
  const body = make("tbody", {});
  const short = columns.length > 1 ? 18 : 160;
  for (const name of globals) {
    const values = columns.map((c) => valueAt(name, c));
    if (values.some((v) => v.length > LONG)) { longRow(body, name, columns); continue; }
    // A value with many parts is shown as it is now, and with what it was before.
    const wide = values.some((v) => v.length > short);
    body.append(valueRow(name, wide ? values.map((v, i) => i === values.length - 1 ? v : "") : values, wide ? valueAt(name, at > 0 ? at - 1 : 0) : null, true));
  }
  watched.forEach((text, n) => {
    const row = valueRow(text, columns.map((c) => evaluate(text, c)), null, false);
    const remove = make("button", { type: "button", "data-unwatch": n, "aria-label": "watch " + text + " no more" }, "×");
    row.firstChild.append(" ", remove);
    body.append(row);
  });
  frames(body, columns.length);
  table.replaceChildren(make("caption", { class: "sr" }, "Values after the last switches, and now"), make("thead", {}, head), body);
}
function valueRow(name, values, before, pick) {
  const title = pick ? make("button", { type: "button", "data-mark": name, "aria-pressed": marked?.name === name, title: "mark its steps" }, name) : name;
  const row = make("tr", {}, make("th", { scope: "row" }, title));
  values.forEach((value, n) => {
    const old = before !== null ? before : n > 0 ? values[n - 1] : value;
    const changed = value !== "" && value !== old && (before === null || n === values.length - 1);
    const cell = make("td", changed ? { class: "ch" } : {}, value);
    if (changed) cell.append(make("span", { class: "sr" }, " (changed)"));
    row.append(cell);
  });
  return row;
}
// Shows only the parts that change of a value that is too long to be read.
function longRow(body, name, columns) {
  body.append(make("tr", { class: "sub" }, make("th", { scope: "row", colspan: columns.length + 1 }, name + ": the parts that change")));
  for (const h of partsOf.get(name).slice(0, 100)) {
    const values = columns.map((c) => {
      const i = before(h, c);
      if (i >= 0) return h.value[i];
      const start = part(parse(initials[startOf(Math.max(0, c - 1))].get(name) ?? "*"), h.name.slice(name.length));
      return start === undefined ? "as at the start" : written(start);
    });
    body.append(valueRow(h.name, values, null, true));
  }
}
// The locals of the task that acts, with its parameters, the innermost procedure first.
function frames(body, columns) {
  const s = at > 0 ? steps[at - 1] : null;
  if (!s || !s.frames || !s.frames.length) return;
  const before = stepsOf[s.lane].filter((i) => i < at - 1).pop();
  const old = new Map();
  if (before !== undefined) for (const [proc, locals] of steps[before].frames || []) for (const [n, v] of locals) old.set(proc + "." + n, v);
  for (const [proc, locals] of s.frames) {
    body.append(make("tr", { class: "sub" }, make("th", { scope: "row", colspan: columns + 1 }, (lanes[s.lane].n ? laneWords(s.lane) + ": " : "") + "locals of " + proc + (locals.length ? "" : ": none"))));
    for (const [name, value] of locals) {
      const was = old.get(proc + "." + name);
      const changed = was !== undefined && was !== value;
      const cell = make("td", { colspan: columns, class: changed ? "ch" : "" }, value);
      if (changed) cell.append(make("span", { class: "sr" }, " (changed)"));
      body.append(make("tr", { class: "local" }, make("th", { scope: "row" }, name), cell));
    }
  }
}

// ---- watched expressions: names, parts, numbers, and the operators of the language ----
function evaluate(text, c) {
  try { return String(expression(text, c)); } catch (wrong) { return typeof wrong === "string" ? wrong : "?"; }
}
function expression(text, c) {
  const tokens = text.match(/[A-Za-z_]\w*(?:\s*(?:\[[^\]]*\]|\.[A-Za-z_]\w*))*|\d+|[=!<>]=|&&|\|\||[-+*()<>!%]/g) || [];
  let i = 0;
  const levels = [["||"], ["&&"], ["==", "!=", "<", "<=", ">", ">="], ["+", "-"], ["*", "%"]];
  const apply = {
    "||": (a, b) => a || b, "&&": (a, b) => a && b, "==": (a, b) => a === b, "!=": (a, b) => a !== b,
    "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
    "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "%": (a, b) => a % b,
  };
  const value = (v) => v === "true" ? true : v === "false" ? false : /^-?\d+$/.test(v) ? BigInt(v) : v;
  function one() {
    const token = tokens[i++];
    if (token === undefined) throw "?";
    if (token === "!") return !one();
    if (token === "-") return -one();
    if (token === "(") { const inner = level(0); i++; return inner; }
    if (/^\d|^true$|^false$/.test(token)) return value(token);
    const name = token.replace(/\s/g, ""), owner = globalOf(name);
    if (owner === undefined) return local(name, c);
    const found = name === owner ? valueAt(owner, c) : part(parse(valueAt(owner, c)), name.slice(owner.length));
    if (found === undefined) throw "no such part";
    return value(written(found));
  }
  function local(name, c) {
    const frame = c > 0 ? steps[c - 1].frames?.[0] : undefined;
    const found = frame?.[1].find(([n]) => n === name);
    // A word that is no variable may be a member of an enum.
    return found ? value(found[1]) : name;
  }
  function level(n) {
    if (n === levels.length) return one();
    let left = level(n + 1);
    while (levels[n].includes(tokens[i])) { const op = tokens[i++]; left = apply[op](left, level(n + 1)); }
    return left;
  }
  const result = level(0);
  if (i < tokens.length) throw "?";
  return result;
}
function listenToValues() {
  table.addEventListener("click", (event) => {
    const pick = event.target.closest("[data-mark]"), drop = event.target.closest("[data-unwatch]"), head = event.target.closest("[data-to]");
    if (pick) mark(pick.dataset.mark);
    else if (drop) { watched.splice(Number(drop.dataset.unwatch), 1); showValues(); }
    else if (head) go(Number(head.dataset.to));
  });
  byId("watch").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = byId("expression").value.trim();
    if (text) watched.push(text);
    byId("expression").value = "";
    showValues();
  });
}
