//! A trace for a terminal: a column for each task if they fit, else one column that names the task where it changes.
//!
//! A line belongs to one task, so its text may run on over the columns to the right; bars show which of
//! the other tasks are under way.

use std::collections::{BTreeMap, BTreeSet};

use base::source::SourceMap;
use trace::{StepKind, Trace};

use super::fold::fold;
use super::lines::{Line, lines, tasks};
use super::style::{Look, Style, clean, cut, width, wrap};

/// The least number of characters in the last column.
const LAST: usize = 26;
/// A column is no wider than needed, and no wider than this.
const WIDEST: usize = 44;
/// After how many lines the heads of the columns are shown again.
const PAGE: usize = 48;
/// The text of one step is cut after this many characters.
const LONGEST: usize = 600;

/// The lines of a trace.
pub(super) fn show(trace: &Trace, sources: &SourceMap, look: Look) -> String {
    let mut lines = lines(trace, sources);
    if look.shortens(lines.len()) {
        lines = fold(lines, trace);
    }
    if lines.is_empty() {
        return String::new();
    }
    let names = tasks(trace);
    let acting: BTreeSet<u32> = lines.iter().map(|l| l.task).collect();
    let order: Vec<u32> = acting
        .iter()
        .copied()
        .filter(|t| *t > 0)
        .chain([0])
        .collect();
    let order: Vec<u32> = order.into_iter().filter(|t| acting.contains(t)).collect();
    let gutter = lines.iter().map(|l| l.place.chars().count()).max();
    let mut table = Table {
        look,
        gutter: gutter.unwrap_or(0).max(4) + 1,
        heads: heads(&order, &names),
        starts: Vec::new(),
        columns: (0..).zip(&order).map(|(i, t)| (*t, i)).collect(),
        open: BTreeSet::new(),
        rounds: lines.iter().any(|l| l.round > 0),
        out: String::new(),
    };
    table.starts = table.layout(&lines).unwrap_or_default();
    table.show(&lines);
    table.out
}

fn heads(order: &[u32], names: &BTreeMap<u32, String>) -> Vec<String> {
    let head = |task: &u32| match (task, names.get(task)) {
        (0, _) => "finally".to_owned(),
        (task, Some(name)) => format!("{task} {}", cut(name, 30)),
        (task, None) => task.to_string(),
    };
    order.iter().map(head).collect()
}

struct Table {
    look: Look,
    /// Width of the line numbers.
    gutter: usize,
    heads: Vec<String>,
    /// Where each column begins; empty if they do not fit.
    starts: Vec<usize>,
    columns: BTreeMap<u32, usize>,
    /// The columns of the tasks that are under way.
    open: BTreeSet<usize>,
    rounds: bool,
    out: String,
}

impl Table {
    /// Returns where the columns begin, if there is room for all. Each is as wide as its texts; where room is short, the widest
    /// becomes narrower first.
    fn layout(&self, lines: &[Line]) -> Option<Vec<usize>> {
        let left = self.gutter + 2;
        let room = self.look.width.checked_sub(left + LAST)?;
        let least: Vec<usize> = (self.heads.iter().map(|h| width(h) + 2)).collect();
        let (_, others) = least.split_last()?;
        if others.iter().sum::<usize>() > room {
            return None;
        }
        let mut wanted = least.clone();
        for line in lines {
            let column = self.columns[&line.task];
            let length = (width(&line.text) + 2).min(WIDEST);
            wanted[column] = wanted[column].max(length);
        }
        // The last column wants its room too.
        let last = wanted.pop()?.saturating_sub(LAST);
        let room = room.saturating_sub(last).max(others.iter().sum());
        while wanted.iter().sum::<usize>() > room {
            let slack = wanted.iter().zip(others).map(|(w, l)| w - l);
            let (widest, _) = slack.enumerate().max_by_key(|&(i, s)| (s, i))?;
            wanted[widest] -= 1;
        }
        let mut starts = vec![left];
        for width in wanted {
            starts.push(starts.last()? + width);
        }
        Some(starts)
    }

    fn show(&mut self, lines: &[Line]) {
        self.head();
        let (mut round, mut task, mut since) = (None, None, 0);
        for line in lines {
            if self.rounds && round != Some(line.round) {
                round = Some(line.round);
                self.rule(&format!("round {}", line.round));
                task = None;
            }
            if line.kind == StepKind::Title {
                self.rule(&line.text);
                (task, round) = (None, None);
                self.open.clear();
                continue;
            }
            if self.starts.is_empty() && task != Some(line.task) {
                self.name(line.task);
            } else if since >= PAGE && task != Some(line.task) && !self.starts.is_empty() {
                self.head();
                since = 0;
            }
            task = Some(line.task);
            since += 1;
            self.row(line);
        }
    }

    /// Writes the names above the columns.
    fn head(&mut self) {
        let mut row = format!("{:>width$}", "line", width = self.gutter);
        for (start, head) in self.starts.iter().zip(&self.heads) {
            pad(&mut row, *start);
            row.push_str(head);
        }
        if !self.starts.is_empty() {
            self.push(&[(Style::Strong, row)]);
        }
    }

    fn rule(&mut self, text: &str) {
        let text = format!("{:gutter$}-- {text} ", "", gutter = self.gutter + 2);
        let dashes = self.look.width.saturating_sub(width(&text));
        let row = format!("{text}{}", "-".repeat(dashes.min(60)));
        self.push(&[(Style::Mark, row)]);
    }

    /// Writes the name of the task that goes on, where all tasks share one column.
    fn name(&mut self, task: u32) {
        let column = self.columns[&task];
        let head = &self.heads[column];
        let word = if task == 0 { "" } else { "task " };
        let row = format!("{:gutter$}{word}{head}", "", gutter = self.gutter + 2);
        self.push(&[(Style::Strong, row)]);
    }

    fn row(&mut self, line: &Line) {
        let column = self.columns[&line.task];
        self.open.insert(column);
        let start = match self.starts.get(column) {
            Some(start) => *start,
            None => self.gutter + 4,
        };
        let style = match line.kind {
            StepKind::Fails => Style::Bad,
            StepKind::Delayed => Style::Mark,
            _ => Style::Task(column),
        };
        let text = match line.kind {
            StepKind::Delayed => "(delayed)".to_owned(),
            _ => cut(&clean(&line.text), LONGEST),
        };
        let room = self.look.width.saturating_sub(start);
        let parts = wrap(&text, room).into_iter().map(|part| (style, part));
        // A remark has a row of its own, so that it makes no column wider.
        let remarks = Some(clean(&line.stale)).filter(|remark| !remark.is_empty());
        let remarks = remarks.map_or_else(Vec::new, |remark| wrap(&remark, room));
        let remarks = remarks.into_iter().map(|part| (Style::Bad, part));
        for (index, (style, part)) in parts.chain(remarks).enumerate() {
            let place = if index == 0 { line.place.as_str() } else { "" };
            let number = format!("{place:>gutter$}", gutter = self.gutter);
            let bars = self.bars(column, start);
            let after = self.bars_after(start + width(&part));
            self.push(&[
                (Style::Faint, number),
                (Style::Faint, bars),
                (style, part),
                (Style::Faint, after),
            ]);
        }
        if line.last {
            self.open.remove(&column);
        }
    }

    /// Returns the bars between the line number and the text.
    fn bars(&self, column: usize, start: usize) -> String {
        let mut row = String::new();
        for (other, at) in self.starts.iter().enumerate().take(column) {
            if self.open.contains(&other) {
                pad(&mut row, at - self.gutter);
                row.push('|');
            }
        }
        pad(&mut row, start - self.gutter);
        row
    }

    /// Returns the bars behind the text.
    fn bars_after(&self, end: usize) -> String {
        let mut row = String::new();
        for (other, at) in self.starts.iter().enumerate() {
            if *at > end && self.open.contains(&other) {
                pad(&mut row, at - end);
                row.push('|');
            }
        }
        row
    }

    fn push(&mut self, parts: &[(Style, String)]) {
        let plain: usize = parts.iter().map(|(_, t)| t.len()).sum();
        let trailing: usize = {
            let all: String = parts.iter().map(|(_, t)| t.as_str()).collect();
            plain - all.trim_end().len()
        };
        let mut keep = plain - trailing;
        for (style, text) in parts {
            let text = &text[..text.len().min(keep)];
            keep -= text.len();
            self.out.push_str(&self.look.paint(*style, text));
        }
        self.out.push('\n');
    }
}

/// Spaces up to a column.
fn pad(row: &mut String, to: usize) {
    let length = width(row);
    row.extend(std::iter::repeat_n(' ', to.saturating_sub(length)));
}
