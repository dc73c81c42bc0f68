//! `--graph`: the states of a small program as a picture, in the language of Graphviz, as SVG or as a page.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use base::source::Span;
use trace::graph::{Edge, Graph, Kind, Node};

use super::Subject;
use super::html::escape;
use super::lines::place;
use super::style::{clean, cut, width};

/// How a graph is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Dot,
    Svg,
    Html,
}

impl Format {
    /// Returns the format that the end of a file's name asks for.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "dot" | "gv" => Some(Self::Dot),
            "svg" => Some(Self::Svg),
            "html" => Some(Self::Html),
            _ => None,
        }
    }
}

/// The graph as text in a format.
#[must_use]
pub fn text(graph: &Graph, about: &Subject<'_>, format: Format) -> String {
    let shown = Shown::of(graph, about);
    match format {
        Format::Dot => shown.dot(),
        Format::Svg => shown.svg(),
        Format::Html => shown.page(),
    }
}

/// Longer lines of a label are cut.
const LINE: usize = 34;
/// How many lines a label has at most.
const LINES: usize = 9;
/// The widths and heights of a picture, in pixels.
const CHAR: usize = 7;
const ROW: usize = 15;
const BETWEEN: usize = 26;
const LAYER: usize = 58;
const MARGIN: usize = 20;

struct Shown<'a> {
    graph: &'a Graph,
    about: &'a Subject<'a>,
    labels: Vec<Vec<String>>,
    edges: Vec<String>,
}

impl<'a> Shown<'a> {
    fn of(graph: &'a Graph, about: &'a Subject<'a>) -> Self {
        let labels = graph.nodes.iter().map(|node| label(node, about)).collect();
        let edges = graph.edges.iter().map(|edge| step(edge, about)).collect();
        Self {
            graph,
            about,
            labels,
            edges,
        }
    }

    fn title(&self) -> String {
        format!(
            "{}: {}; {} states, {} steps",
            self.about.file,
            self.about.answer.word(),
            self.graph.nodes.len(),
            self.graph.edges.len()
        )
    }

    fn dot(&self) -> String {
        let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        let mut out = format!(
            "digraph states {{\n  label=\"{}\";\n  node [shape=box, style=rounded, fontname=monospace, fontsize=10];\n  edge [fontname=monospace, fontsize=9];\n",
            quoted(&self.title())
        );
        for (number, (node, lines)) in self.graph.nodes.iter().zip(&self.labels).enumerate() {
            let lines: Vec<String> = lines.iter().map(|l| quoted(l)).collect();
            let more = match (node.kind, node.on_path) {
                (Kind::Error(_), _) => ", color=red, fontcolor=red, penwidth=2",
                (_, true) => ", color=red, penwidth=2",
                (Kind::Final, _) => ", peripheries=2",
                _ => "",
            };
            let _ = writeln!(out, "  s{number} [label=\"{}\"{more}];", lines.join("\\n"));
        }
        for (edge, text) in self.graph.edges.iter().zip(&self.edges) {
            let path = if edge.on_path {
                ", color=red, fontcolor=red, penwidth=2"
            } else {
                ""
            };
            let delay = if edge.delay { ", style=dashed" } else { "" };
            let (from, to, text) = (edge.from, edge.to, quoted(text));
            let _ = writeln!(out, "  s{from} -> s{to} [label=\"{text}\"{path}{delay}];");
        }
        out.push_str("}\n");
        out
    }

    fn svg(&self) -> String {
        let places = self.layout();
        let right = |b: &Place| b.x + b.width;
        let wide = places.iter().map(right).max().unwrap_or(0) + 4 * MARGIN + 60;
        let high = places.iter().map(|b| b.y + b.height).max().unwrap_or(0) + MARGIN;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" role=\"img\" aria-label=\"{}\">\n<style>{STYLE}</style>\n",
            escape(&self.title())
        );
        out.push_str("<defs><marker id=\"end\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" class=\"tip\"/></marker></defs>\n");
        // The path is drawn last, so that it lies above the rest.
        for on_path in [false, true] {
            for (number, edge) in self.graph.edges.iter().enumerate() {
                if edge.on_path == on_path {
                    self.draw_edge(&mut out, number, edge, &places);
                }
            }
        }
        for ((node, lines), place) in self.graph.nodes.iter().zip(&self.labels).zip(&places) {
            draw_node(&mut out, node, lines, place);
        }
        out.push_str("</svg>\n");
        out
    }

    fn draw_edge(&self, out: &mut String, number: usize, edge: &Edge, places: &[Place]) {
        let (from, to) = (&places[edge.from], &places[edge.to]);
        let (x, y) = (from.x + from.width / 2, from.y + from.height);
        let class = match (edge.on_path, edge.delay) {
            (true, _) => "edge path",
            (false, true) => "edge delay",
            _ => "edge",
        };
        let (path, at) = if to.layer > from.layer {
            let (u, v) = (to.x + to.width / 2, to.y);
            let middle = y.midpoint(v);
            let curve = format!("M{x} {y}C{x} {middle} {u} {middle} {u} {v}");
            (curve, (x.midpoint(u), middle))
        } else {
            // An edge back, or within a layer, goes around the right side.
            let (x, y) = (from.x + from.width, from.y + from.height / 2);
            let (u, v) = (to.x + to.width, to.y + to.height / 2);
            let out = x.max(u) + 40;
            let v = if edge.from == edge.to { v + 12 } else { v };
            let curve = format!("M{x} {y}C{out} {y} {out} {v} {u} {v}");
            (curve, (out, y.midpoint(v)))
        };
        let text = escape(&self.edges[number]);
        let _ = writeln!(
            out,
            "<path class=\"{class}\" d=\"{path}\" marker-end=\"url(#end)\"><title>{text}</title></path>"
        );
        let _ = writeln!(
            out,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
            at.0 + 4,
            at.1,
            escape(&cut(&self.edges[number], LINE))
        );
    }

    /// Returns where each node stands. There is a layer for each number of steps from the start. In a layer, a node stands
    /// near its neighbours.
    fn layout(&self) -> Vec<Place> {
        let count = self.graph.nodes.len();
        let mut layer = vec![usize::MAX; count];
        let mut layers: Vec<Vec<usize>> = vec![vec![0]];
        layer[0] = 0;
        let (mut before, mut after) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for edge in &self.graph.edges {
            before[edge.to].push(edge.from);
            after[edge.from].push(edge.to);
        }
        while let Some(last) = layers.last() {
            let mut next = Vec::new();
            for &node in last {
                for &to in &after[node] {
                    if layer[to] == usize::MAX {
                        layer[to] = layers.len();
                        next.push(to);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            layers.push(next);
        }
        let mut rank = vec![0.0_f64; count];
        for round in 0..6 {
            let near = if round % 2 == 0 { &before } else { &after };
            for nodes in &mut layers {
                sort_by_neighbours(nodes, near, &mut rank);
            }
        }
        self.places(&layers)
    }

    fn places(&self, layers: &[Vec<usize>]) -> Vec<Place> {
        let size = |node: usize| {
            let lines = &self.labels[node];
            let longest = lines.iter().map(|l| width(l)).max().unwrap_or(0);
            (longest * CHAR + 16, lines.len() * ROW + 10)
        };
        let wide = |nodes: &[usize]| nodes.iter().map(|&n| size(n).0 + BETWEEN).sum::<usize>();
        let widest = layers.iter().map(|nodes| wide(nodes)).max().unwrap_or(0);
        let mut places = vec![Place::default(); self.graph.nodes.len()];
        let mut y = MARGIN;
        for (layer, nodes) in layers.iter().enumerate() {
            let mut x = MARGIN + (widest - wide(nodes)) / 2;
            let mut highest = 0;
            for &node in nodes {
                let (width, height) = size(node);
                places[node] = Place {
                    layer,
                    x,
                    y,
                    width,
                    height,
                };
                x += width + BETWEEN;
                highest = highest.max(height);
            }
            y += highest + LAYER;
        }
        places
    }

    fn page(&self) -> String {
        let title = escape(&self.title());
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>body {{ font: 16px/1.4 sans-serif; margin: 1rem; background: #fcfcfa; color: #1b1c1e; }} @media (prefers-color-scheme: dark) {{ body {{ background: #15171b; color: #e6e6e3; }} }} main {{ overflow: auto; }}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>A box is a state: the variables, and where each task goes on. An arrow is a step of a task. Equal states are one box. Red is the path of the bug; dashed arrows are delays.</p>\n<main>\n{}</main>\n</body>\n</html>\n",
            self.svg()
        )
    }
}

/// Where a node stands.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    layer: usize,
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

const STYLE: &str = "text { font: 12px monospace; fill: #1b1c1e; } rect { fill: #fff; stroke: #5b5d62; } .edge { fill: none; stroke: #5b5d62; } text.edge { stroke: none; fill: #5b5d62; font-size: 11px; } .tip { fill: #5b5d62; } .delay { stroke-dasharray: 4 3; } .path { stroke: #b3201a; stroke-width: 2; } text.path { fill: #b3201a; stroke: none; } rect.bad { fill: #fdecea; stroke: #b3201a; stroke-width: 2; } rect.end { stroke-width: 2; } @media (prefers-color-scheme: dark) { text { fill: #e6e6e3; } rect { fill: #1d2026; stroke: #a4a7ae; } .edge { stroke: #a4a7ae; } text.edge, .tip { fill: #a4a7ae; } .path { stroke: #ff8d84; } text.path { fill: #ff8d84; } rect.bad { fill: #3a1b1b; stroke: #ff8d84; } }";

fn draw_node(out: &mut String, node: &Node, lines: &[String], at: &Place) {
    let class = match (node.kind, node.on_path) {
        (Kind::Error(_), _) => "bad",
        (_, true) => "path",
        (Kind::Final, _) => "end",
        _ => "",
    };
    let Place {
        x,
        y,
        width,
        height,
        ..
    } = at;
    let _ = writeln!(
        out,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>"
    );
    for (row, line) in lines.iter().enumerate() {
        let (x, y) = (x + 8, y + 16 + row * ROW);
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>", escape(line));
    }
}

/// Sorts a layer by the mean place of the neighbours of its nodes.
fn sort_by_neighbours(nodes: &mut [usize], near: &[Vec<usize>], rank: &mut [f64]) {
    let mut keys: BTreeMap<usize, f64> = BTreeMap::new();
    for &node in nodes.iter() {
        let others = &near[node];
        let sum: f64 = others.iter().map(|&o| rank[o]).sum();
        let mean = match others.len() {
            0 => rank[node],
            n => sum / n as f64,
        };
        keys.insert(node, mean);
    }
    nodes.sort_by(|a, b| keys[a].total_cmp(&keys[b]).then(a.cmp(b)));
    let half = nodes.len() as f64 / 2.0;
    for (place, &node) in nodes.iter().enumerate() {
        rank[node] = place as f64 - half;
    }
}

/// The lines in a box.
fn label(node: &Node, about: &Subject<'_>) -> Vec<String> {
    let types = &about.program.types;
    let mut lines: Vec<String> = Vec::new();
    if let Kind::Error(kind) = node.kind {
        lines.push(format!("bug: {}", kind.name()));
    }
    if node.kind == Kind::Start {
        lines.push("start".to_owned());
        return lines;
    }
    let shown = node.state.globals.iter();
    lines.extend(shown.map(|v| format!("{} = {}", v.name, v.value.show(types, v.ty))));
    for task in &node.state.tasks {
        let own = task.activations.iter().rev().filter_map(|a| a.next);
        let at = own.clone().find(|&span| about.sources.is_users(span));
        let name = task.activations.first().map_or("", |a| a.proc.as_str());
        let line = at.map_or_else(String::new, |span| line_of(span, about));
        let locals = task.activations.last().into_iter().flat_map(|a| &a.locals);
        let locals = locals.filter(|l| l.value != ir::Value::Any);
        let locals = locals.map(|l| format!(", {} = {}", l.name, l.value.show(types, l.ty)));
        lines.push(format!(
            "{} {name}{line}{}",
            task.number,
            locals.collect::<String>()
        ));
    }
    if node.kind == Kind::Final {
        lines.push("the end".to_owned());
    }
    let more = lines.len() > LINES;
    lines.truncate(LINES);
    if more {
        lines.push("…".to_owned());
    }
    lines.iter().map(|line| cut(&clean(line), LINE)).collect()
}

fn line_of(span: Span, about: &Subject<'_>) -> String {
    format!(": line {}", place(about.sources, span))
}

/// The words at an arrow: the task, and the statement with which it goes on.
fn step(edge: &Edge, about: &Subject<'_>) -> String {
    let who = match edge.task {
        0 => "finally".to_owned(),
        task => task.to_string(),
    };
    if edge.delay {
        return format!("{who} delayed");
    }
    let span = edge.span.filter(|&span| about.sources.is_users(span));
    let Some((at, file)) = span.and_then(|span| {
        let file = about.sources.file_of(span.start)?;
        Some((about.sources.locate(span)?, file))
    }) else {
        return who;
    };
    format!("{who}: {}", clean(file.line_text(at.line).trim()))
}
