//! Questions as SMT-LIB that every solver reads.
//!
//! Z3 prints a name of the program as it stands, though `mod`, `store` or `str.len` is a function for another solver. It prints
//! sums and disjunctions of one part or of none, which SMT-LIB does not have. Here a name stands between bars and ends with a
//! blank, so that it is no function for any solver; a sum of one part is that part.

use rustc_hash::FxHashSet;
use solver::z3::Solver;

/// What is asserted, as a text.
#[must_use]
pub fn script(solver: &Solver) -> String {
    let text = solver.to_string();
    let declared = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("(declare-fun "));
    let plain = declared.filter_map(|line| line.split(' ').next());
    let mut writer = Writer {
        names: plain.filter(|name| !name.starts_with('|')).collect(),
        made: String::with_capacity(text.len()),
        open: Vec::new(),
    };
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '|' => rest[1..].find('|').map_or(rest.len(), |end| end + 2),
            '(' | ')' => 1,
            _ if first.is_whitespace() => first.len_utf8(),
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "()|".contains(c));
                end.unwrap_or(rest.len())
            }
        };
        let (token, after) = rest.split_at(len);
        writer.token(token);
        rest = after;
    }
    format!("{}\n(check-sat)\n", writer.made.trim_end())
}

struct Writer<'t> {
    /// The names that are declared without bars.
    names: FxHashSet<&'t str>,
    made: String,
    /// The lists that are not closed yet.
    open: Vec<List<'t>>,
}

/// A list: where it begins, its function and where that ends, and how many parts it has behind that.
struct List<'t> {
    begin: usize,
    function: Option<(&'t str, usize)>,
    parts: usize,
}

impl<'t> Writer<'t> {
    fn token(&mut self, token: &'t str) {
        match token {
            "(" => {
                self.part("");
                let begin = self.made.len();
                self.open.push(List {
                    begin,
                    function: None,
                    parts: 0,
                });
                self.made.push('(');
            }
            ")" => {
                self.made.push(')');
                if let Some(list) = self.open.pop() {
                    self.close(&list);
                }
            }
            _ if token.trim().is_empty() => self.made.push_str(token),
            _ => {
                let is_function = self.part(token);
                match token {
                    _ if is_function => self.made.push_str(token),
                    "or" => self.made.push_str("false"),
                    "and" => self.made.push_str("true"),
                    _ if self.names.contains(token) => self.made.extend(["|", token, " |"]),
                    _ => self.made.push_str(token),
                }
                if let (true, Some(list)) = (is_function, self.open.last_mut()) {
                    list.function = Some((token, self.made.len()));
                }
            }
        }
    }

    /// Notes a part of the innermost list; returns whether it is the first one, which is the function.
    fn part(&mut self, token: &'t str) -> bool {
        let Some(list) = self.open.last_mut() else {
            return false;
        };
        let is_first = list.function.is_none();
        match is_first {
            true => list.function = Some((token, 0)),
            false => list.parts += 1,
        }
        is_first
    }

    /// Replaces a list that joins one part by that part.
    fn close(&mut self, list: &List<'t>) {
        if let (Some(("and" | "or" | "+" | "*", end)), 1) = (list.function, list.parts) {
            let part = self.made[end..self.made.len() - 1].trim().to_owned();
            self.made.truncate(list.begin);
            self.made.push_str(&part);
        }
    }
}
