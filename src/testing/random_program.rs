//! Random programs over small domains, and making a failing one smaller.
//!
//! A program is a tree of lines: enough structure to take pieces away, no more. Programs are well-typed, have no unbounded loops
//! and post few tasks. So the explicit engine quickly enumerates a program and its sequential program.

use std::fmt::Write as _;

use fastrand::Rng;

use super::wild_globals::{Object, wild_globals};

/// A line, or a line with a block behind it.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// `x := 1;`
    Line(String),
    /// `if x == 1 { … } else { … }`; the second block is missing where it is empty.
    Block(String, Vec<Node>, Vec<Node>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct RandomProgram {
    /// `preempt …;` and declarations.
    pub head: Vec<String>,
    /// Procedures and `finally`: each a line with a block.
    pub procs: Vec<Node>,
}

impl RandomProgram {
    /// The program as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.head {
            writeln!(text, "{line}").expect("strings take everything");
        }
        print(&self.procs, 0, &mut text);
        text
    }
}

fn print(nodes: &[Node], depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    for node in nodes {
        match node {
            Node::Line(line) => writeln!(text, "{indent}{line}").expect("strings take everything"),
            Node::Block(head, first, second) => {
                writeln!(text, "{indent}{head} {{").expect("strings take everything");
                print(first, depth + 1, text);
                if !second.is_empty() {
                    writeln!(text, "{indent}}} else {{").expect("strings take everything");
                    print(second, depth + 1, text);
                }
                writeln!(text, "{indent}}}").expect("strings take everything");
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ty {
    Bool,
    /// `0..n`
    Range(u32),
    Task,
    /// `u8`
    Byte,
    Int,
    /// A range that reaches beyond 2^63.
    Big,
    /// A range up to 2^127.
    Huge,
}

impl Ty {
    fn text(self) -> String {
        match self {
            Self::Bool => "bool".into(),
            Self::Range(n) => format!("0..{n}"),
            Self::Task => "task".into(),
            Self::Byte => "u8".into(),
            Self::Int => "int".into(),
            Self::Big => "9223372036854775806..9223372036854775809".into(),
            Self::Huge => "0..170141183460469231731687303715884105727".into(),
        }
    }
}

/// A procedure that others may use.
#[derive(Clone, Debug)]
struct Signature {
    name: String,
    params: Vec<Ty>,
    result: Option<Ty>,
    /// Whether it has no preemption point, so that it may be called where none is allowed.
    calm: bool,
}

/// Makes a random program over truth values and small ranges from a seed.
pub fn random_program(seed: u64) -> RandomProgram {
    let mut rng = Rng::with_seed(seed);
    let (head, globals) = plain_globals(&mut rng);
    whole_program(rng, head, globals, None)
}

/// Makes a random program in which everything may occur: see `wild_globals`, and tasks that wait anywhere.
pub fn wild_program(seed: u64) -> RandomProgram {
    let mut rng = Rng::with_seed(seed);
    let (mut head, mut globals) = plain_globals(&mut rng);
    if !globals.iter().any(|g| g.1 == Ty::Task) && rng.bool() {
        head.push("var h: task;".into());
        globals.push(("h".into(), Ty::Task));
    }
    let objects = wild_globals(&mut rng, &mut head, &mut globals);
    whole_program(rng, head, globals, Some(objects))
}

/// Makes a random program with machine integers, exact integers, arrays, records and maps.
pub fn rich_program(seed: u64) -> RandomProgram {
    let mut rng = Rng::with_seed(seed);
    let (mut head, mut globals) = plain_globals(&mut rng);
    for (i, line, parts) in [
        (0, "var u0: u8 := 250;", vec![("u0", Ty::Byte)]),
        (1, "var n0: int := 1;", vec![("n0", Ty::Int)]),
        (
            2,
            "var b0: [2]0..1 := [0; 2];",
            vec![("b0[0]", Ty::Range(1)), ("b0[?]", Ty::Range(1))],
        ),
        (
            3,
            "type R = record { f: bool, k: 0..2, u: u8 }; var r0: R := R { f: false, k: 1, u: 3 };",
            vec![
                ("r0.f", Ty::Bool),
                ("r0.k", Ty::Range(2)),
                ("r0.u", Ty::Byte),
            ],
        ),
        (
            4,
            "var m0: [bool]0..2 := [1; _];",
            vec![("m0[true]", Ty::Range(2)), ("m0[!]", Ty::Range(2))],
        ),
        (
            5,
            "type Q = record { on: bool, left: int }; var q0: [2]Q := [Q { on: true, left: 2 }; 2];",
            vec![("q0[?].on", Ty::Bool), ("q0[1].left", Ty::Int)],
        ),
    ] {
        if rng.usize(..3) == 0 || i == (seed % 6) as usize {
            head.push(line.into());
            globals.extend(parts.into_iter().map(|(name, ty)| (name.to_owned(), ty)));
        }
    }
    whole_program(rng, head, globals, None)
}

/// The names of variables or parts of them, with their types.
pub type Variables = Vec<(String, Ty)>;

fn plain_globals(rng: &mut Rng) -> (Vec<String>, Variables) {
    let mode = ["yield", "yield", "yield", "statement", "access"][rng.usize(..5)];
    let mut head = vec![format!("preempt {mode};")];
    let mut globals = Vec::new();
    for i in 0..rng.usize(1..=2) {
        let ty = [Ty::Bool, Ty::Range(1), Ty::Range(2)][rng.usize(..3)];
        let value = match (rng.usize(..4), ty) {
            (0, _) => String::new(),
            (_, Ty::Bool) => format!(" := {}", rng.bool()),
            (_, _) => " := 0".into(),
        };
        head.push(format!("var g{i}: {}{value};", ty.text()));
        globals.push((format!("g{i}"), ty));
    }
    if rng.usize(..6) == 0 {
        head.push("var h: task;".into());
        globals.push(("h".into(), Ty::Task));
    }
    (head, globals)
}

fn whole_program(
    mut rng: Rng,
    head: Vec<String>,
    globals: Variables,
    objects: Option<Vec<Object>>,
) -> RandomProgram {
    let count = rng.usize(1..=3);
    let wild = objects.is_some();
    let tasks = wild && globals.iter().any(|g| g.1 == Ty::Task);
    let mut signatures: Vec<_> = (0..count).map(|i| signature(&mut rng, i)).collect();
    for signature in &mut signatures {
        if tasks && rng.usize(..3) == 0 {
            signature.params.push(Ty::Task);
        }
    }
    let mut maker = Maker {
        wild,
        objects: objects.unwrap_or_default(),
        rng,
        globals,
        signatures,
        locals: Vec::new(),
        posts: 4,
        me: 0,
        size: 0,
        next: 0,
    };
    let mut procs = vec![maker.main()];
    for index in 0..count {
        procs.push(maker.proc(index));
    }
    if maker.rng.usize(..4) == 0 {
        maker.locals.clear();
        let condition = maker.expr(Ty::Bool, 2);
        procs.push(Node::Block(
            "finally".into(),
            vec![Node::Line(format!("assert {condition};"))],
            Vec::new(),
        ));
    }
    RandomProgram { head, procs }
}

fn signature(rng: &mut Rng, index: usize) -> Signature {
    let params = (0..rng.usize(..=1)).map(|_| Ty::Range(2)).collect();
    let result = if rng.usize(..5) == 0 {
        Some([Ty::Bool, Ty::Range(2)][rng.usize(..2)])
    } else {
        None
    };
    Signature {
        name: format!("p{index}"),
        params,
        result,
        calm: rng.usize(..3) == 0,
    }
}

struct Maker {
    rng: Rng,
    wild: bool,
    objects: Vec<Object>,
    globals: Vec<(String, Ty)>,
    signatures: Vec<Signature>,
    /// The locals in scope: name, type, and whether the local may be assigned.
    locals: Vec<(String, Ty, bool)>,
    /// Posts that may still be written.
    posts: usize,
    /// The first procedure that the current one may call or post.
    me: usize,
    /// Statements of the current procedure.
    size: usize,
    next: usize,
}

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Place {
    yields: bool,
    looped: bool,
    depth: usize,
    result: Option<Ty>,
}

impl Maker {
    fn main(&mut self) -> Node {
        self.me = 0;
        self.size = 0;
        let place = Place {
            yields: true,
            looped: false,
            depth: 0,
            result: None,
        };
        let mut body = self.first(place);
        body.extend(self.block(place, 5));
        if !mentions(&body, "post ") {
            body.push(self.post());
            body.extend(self.block(place, 2));
        }
        self.late_assertion(&mut body);
        Node::Block("proc main()".into(), body, Vec::new())
    }

    fn proc(&mut self, index: usize) -> Node {
        let Signature {
            name,
            params,
            result,
            calm,
        } = self.signatures[index].clone();
        self.me = index + 1;
        self.size = 0;
        // A chain of tasks, or recursion, that ends.
        let chain = params == [Ty::Range(2)] && self.rng.usize(..5) == 0;
        self.locals = params
            .iter()
            .enumerate()
            .map(|(i, &t)| (format!("a{i}"), t, !chain))
            .collect();
        let texts: Vec<_> = self
            .locals
            .iter()
            .map(|(n, t, _)| format!("{n}: {}", t.text()))
            .collect();
        let place = Place {
            yields: !calm,
            looped: false,
            depth: 0,
            result,
        };
        let mut body = self.first(place);
        body.extend(self.block(place, 5));
        if chain {
            let verb = if self.posts > 0 && result.is_none() {
                "post"
            } else {
                "call"
            };
            self.posts = self.posts.saturating_sub(2);
            let again = Node::Line(format!("{verb} {name}(a0 - 1);"));
            body.push(Node::Block("if a0 > 0".into(), vec![again], Vec::new()));
        }
        self.late_assertion(&mut body);
        if let Some(ty) = result {
            let value = self.expr(ty, 1);
            body.push(Node::Line(format!("return {value};")));
        }
        let result = result.map_or_else(String::new, |t| format!(": {}", t.text()));
        self.locals.clear();
        Node::Block(
            format!("proc {name}({}){result}", texts.join(", ")),
            body,
            Vec::new(),
        )
    }

    /// An assertion behind the posts of a segment: what was posted before it is dispatched after it.
    fn late_assertion(&mut self, body: &mut Vec<Node>) {
        if self.rng.usize(..4) == 0 {
            let scope = std::mem::take(&mut self.locals);
            let condition = self.expr(Ty::Bool, 2);
            self.locals = scope;
            body.push(Node::Line(format!("assert {condition};")));
        }
    }

    /// Perhaps a first statement of a procedure that makes a task wait before it has done anything.
    fn first(&mut self, place: Place) -> Vec<Node> {
        if !self.wild || !place.yields || self.rng.usize(..3) > 0 {
            return Vec::new();
        }
        self.waits(place).into_iter().collect()
    }

    /// A statement at which a task may have to wait.
    fn waits(&mut self, place: Place) -> Option<Node> {
        match self.rng.usize(..3) {
            0 => self.wait(place),
            1 => self.join().or_else(|| self.wait(place)),
            _ => self.operation(place).or_else(|| self.wait(place)),
        }
    }

    /// Something that can be done with an object.
    fn operation(&mut self, place: Place) -> Option<Node> {
        if self.objects.is_empty() {
            return None;
        }
        let uses = self.objects[self.rng.usize(..self.objects.len())].uses;
        let words = uses[self.rng.usize(..uses.len())];
        let mut nodes = Vec::new();
        for statement in words.replace("X ", "X; ").split_inclusive("; ") {
            let statement = statement.trim();
            if statement == "X;" {
                let depth = place.depth + 1;
                let looped = false;
                let inner = Place {
                    depth,
                    looped,
                    ..place
                };
                nodes.extend(without_jumps(self.block(inner, 2)));
                continue;
            }
            let number = self.number(2, 0);
            let mut text = statement.replace('N', &number);
            for (letter, ty) in [('V', Ty::Range(2)), ('B', Ty::Bool)] {
                let target = format!("{letter} := ");
                if let Some(rest) = text.strip_prefix(&target) {
                    let (name, _) = self.variable(|t| t == ty, true)?;
                    text = format!("{name} := {rest}");
                }
            }
            nodes.push(Node::Line(text));
        }
        match nodes.len() {
            1 => nodes.pop(),
            _ => Some(Node::Block("if true".into(), nodes, Vec::new())),
        }
    }

    fn block(&mut self, place: Place, most: usize) -> Vec<Node> {
        let scope = self.locals.len();
        let count = self.rng.usize(1..=most);
        let nodes = (0..count).filter_map(|_| self.stmt(place)).collect();
        self.locals.truncate(scope);
        nodes
    }

    fn stmt(&mut self, place: Place) -> Option<Node> {
        self.size += 1;
        if self.size > 9 {
            return None;
        }
        let line = |text: String| Some(Node::Line(text));
        let kinds = if self.wild { 28 } else { 24 };
        match self.rng.usize(..kinds) {
            0..=4 => self.assign(),
            5 => self.havoc(),
            6 | 7 => self.branch(place),
            8 => self.repeat(place),
            9 | 10 => self.call(place),
            11 | 12 if self.posts > 0 && self.me < self.signatures.len() => Some(self.post()),
            13 | 14 if place.yields => {
                line(["yield;", "yield;", "sleep;"][self.rng.usize(..3)].into())
            }
            15 if place.yields => self.wait(place),
            16 if place.yields => self.join(),
            17 => self.atomic(place),
            18 => {
                let condition = self.expr(Ty::Bool, 2);
                line(format!("assume {condition};"))
            }
            19 | 20 if self.me > 0 || self.rng.usize(..4) == 0 => {
                let condition = self.expr(Ty::Bool, 2);
                // Mostly true, so that it takes an order of tasks to break it.
                let unless = self.expr(Ty::Bool, 1);
                line(format!("assert {condition} || {unless};"))
            }
            21 => self.local(),
            22 if place.depth > 0 && place.result.is_none() => line("return;".into()),
            23 if place.looped => line(["break;", "continue;"][self.rng.usize(..2)].into()),
            24 | 25 if place.yields => self.waits(place),
            26 | 27 if place.yields => self.operation(place),
            _ => None,
        }
    }

    fn variable(&mut self, wanted: impl Fn(Ty) -> bool, assigned: bool) -> Option<(String, Ty)> {
        let locals = self
            .locals
            .iter()
            .filter(|l| l.2 || !assigned)
            .map(|l| (l.0.clone(), l.1));
        let mut all: Vec<_> = locals
            .chain(self.globals.iter().cloned())
            .filter(|v| wanted(v.1))
            .collect();
        // Globals matter more than locals, so they stand here twice.
        all.extend(self.globals.iter().filter(|v| wanted(v.1)).cloned());
        if all.is_empty() {
            return None;
        }
        let (name, ty) = all.swap_remove(self.rng.usize(..all.len()));
        Some((self.fill(&name), ty))
    }

    /// Replaces `?` in `b0[?]` by an index, out of bounds now and then, and `!` in `m0[!]` by a truth value.
    fn fill(&mut self, name: &str) -> String {
        let plain = |v: &&(String, Ty), wanted: Ty| v.1 == wanted && !v.0.contains(['?', '!']);
        let wanted = if name.contains('?') {
            Ty::Range(1)
        } else {
            Ty::Bool
        };
        if !name.contains(['?', '!']) {
            return name.to_owned();
        }
        let all: Vec<_> = self.globals.iter().filter(|v| plain(v, wanted)).collect();
        let index = match (all.is_empty(), wanted) {
            (false, _) => all[self.rng.usize(..all.len())].0.clone(),
            (true, Ty::Bool) => self.rng.bool().to_string(),
            (true, _) => self.rng.usize(..2).to_string(),
        };
        let index = match wanted {
            Ty::Range(_) if self.rng.usize(..10) == 0 => format!("{index} + 1"),
            _ => index,
        };
        name.replace(['?', '!'], &index)
    }

    fn assign(&mut self) -> Option<Node> {
        let (name, ty) = self.variable(|t| t != Ty::Task, true)?;
        let value = match ty {
            // Out of range now and then.
            Ty::Range(_) if self.rng.usize(..12) == 0 => format!("{name} + 1"),
            _ => self.expr(ty, 2),
        };
        Some(Node::Line(format!("{name} := {value};")))
    }

    fn havoc(&mut self) -> Option<Node> {
        let all = self.wild;
        let wanted =
            |t| matches!(t, Ty::Bool | Ty::Range(_)) || all && !matches!(t, Ty::Task | Ty::Byte);
        let (name, _) = self.variable(wanted, true)?;
        Some(Node::Line(format!("havoc {name};")))
    }

    fn local(&mut self) -> Option<Node> {
        let kinds = if self.wild { 3 } else { 2 };
        let ty = [Ty::Bool, Ty::Range(2), Ty::Int][self.rng.usize(..kinds)];
        let value = self.expr(ty, 1);
        let name = self.fresh("l");
        let value = if self.wild && self.rng.usize(..3) == 0 {
            String::new()
        } else {
            format!(" := {value}")
        };
        let node = Node::Line(format!("var {name}: {}{value};", ty.text()));
        self.locals.push((name, ty, true));
        Some(node)
    }

    fn fresh(&mut self, base: &str) -> String {
        self.next += 1;
        format!("{base}{}", self.next)
    }

    fn branch(&mut self, place: Place) -> Option<Node> {
        if place.depth > 2 {
            return None;
        }
        let inner = Place {
            depth: place.depth + 1,
            ..place
        };
        let condition = if self.rng.usize(..4) == 0 {
            "*".into()
        } else {
            self.expr(Ty::Bool, 2)
        };
        let then = self.block(inner, 2);
        let otherwise = if self.rng.bool() {
            self.block(inner, 2)
        } else {
            Vec::new()
        };
        Some(Node::Block(format!("if {condition}"), then, otherwise))
    }

    fn repeat(&mut self, place: Place) -> Option<Node> {
        if place.depth > 1 {
            return None;
        }
        let inner = Place {
            depth: place.depth + 1,
            looped: true,
            ..place
        };
        if self.rng.usize(..3) == 0 {
            // A loop with a counter of its own, which `continue` must not skip.
            let name = self.fresh("w");
            let condition = self.expr(Ty::Bool, 1);
            self.locals.push((name.clone(), Ty::Range(2), false));
            let mut body = vec![Node::Line(format!("{name} := {name} + 1;"))];
            body.extend(self.block(inner, 2));
            self.locals.pop();
            let head = format!("while {name} < 2 && {condition}");
            let first = Node::Line(format!("var {name}: 0..2 := 0;"));
            return Some(Node::Block(
                "if true".into(),
                vec![first, Node::Block(head, body, Vec::new())],
                Vec::new(),
            ));
        }
        let name = self.fresh("n");
        self.locals.push((name.clone(), Ty::Range(2), false));
        let body = self.block(inner, 3);
        self.locals.pop();
        Some(Node::Block(format!("for {name} in 0..1"), body, Vec::new()))
    }

    fn arguments(&mut self, params: &[Ty]) -> String {
        let values: Vec<_> = params.iter().map(|&t| self.expr(t, 1)).collect();
        values.join(", ")
    }

    fn call(&mut self, place: Place) -> Option<Node> {
        let callees: Vec<_> = self.signatures[self.me..]
            .iter()
            .filter(|s| s.calm || place.yields)
            .cloned()
            .collect();
        if callees.is_empty() {
            return None;
        }
        let callee = callees[self.rng.usize(..callees.len())].clone();
        let args = self.arguments(&callee.params);
        let target = callee
            .result
            .filter(|_| self.rng.bool())
            .and_then(|ty| self.variable(|t| t == ty, true));
        let target = target.map_or_else(String::new, |(name, _)| format!("{name} := "));
        Some(Node::Line(format!("call {target}{}({args});", callee.name)))
    }

    fn post(&mut self) -> Node {
        self.posts = self.posts.saturating_sub(1);
        let index = self
            .rng
            .usize(self.me.min(self.signatures.len() - 1)..self.signatures.len());
        let callee = self.signatures[index].clone();
        let args = self.arguments(&callee.params);
        let call = format!("post {}({args});", callee.name);
        if self.rng.usize(..3) > 0 {
            return Node::Line(call);
        }
        if let Some((name, _)) = self
            .variable(|t| t == Ty::Task, true)
            .filter(|_| self.rng.bool())
        {
            return Node::Line(format!("{name} := {call}"));
        }
        let name = self.fresh("t");
        self.locals.push((name.clone(), Ty::Task, false));
        Node::Line(format!("var {name}: task := {call}"))
    }

    fn join(&mut self) -> Option<Node> {
        let (name, _) = self.variable(|t| t == Ty::Task, false)?;
        Some(Node::Line(format!("join {name};")))
    }

    fn wait(&mut self, place: Place) -> Option<Node> {
        let condition = self.expr(Ty::Bool, 1);
        if self.rng.bool() {
            return Some(Node::Line(format!("await {condition};")));
        }
        let body = self.block(
            Place {
                yields: false,
                depth: place.depth + 1,
                looped: false,
                result: None,
            },
            2,
        );
        let body = without_jumps(body);
        Some(Node::Block(format!("await {condition}"), body, Vec::new()))
    }

    fn atomic(&mut self, place: Place) -> Option<Node> {
        let body = self.block(
            Place {
                yields: false,
                depth: place.depth + 1,
                looped: false,
                ..place
            },
            3,
        );
        Some(Node::Block(
            "atomic".into(),
            without_jumps(body),
            Vec::new(),
        ))
    }

    fn expr(&mut self, ty: Ty, depth: usize) -> String {
        match ty {
            Ty::Bool => self.truth(depth),
            Ty::Range(n) => self.number(n, depth),
            Ty::Task => (self.variable(|t| t == Ty::Task, false)).map_or("h".into(), |v| v.0),
            Ty::Byte | Ty::Int => self.arithmetic(ty, depth),
            Ty::Big | Ty::Huge => self.large(ty),
        }
    }

    /// A number of a range that reaches beyond 64 bits or as far as 128, now and then outside of it.
    fn large(&mut self, ty: Ty) -> String {
        let literals = match ty {
            Ty::Big => [
                "9223372036854775806",
                "9223372036854775807",
                "9223372036854775808",
            ],
            _ => ["0", "7", "170141183460469231731687303715884105727"],
        };
        let literal = literals[self.rng.usize(..3)].to_owned();
        match self.variable(|t| t == ty, false) {
            Some((name, _)) if self.rng.bool() => {
                let change = ["", " + 1", " - 1"][self.rng.usize(..3)];
                format!("{name}{change}")
            }
            _ => literal,
        }
    }

    /// An expression of `u8` or `int`; divisors may be zero.
    fn arithmetic(&mut self, ty: Ty, depth: usize) -> String {
        let literals: &[&str] = match ty {
            Ty::Byte => &["0", "1", "3", "200", "255"],
            _ if self.wild && self.rng.usize(..6) == 0 => &[
                "9223372036854775807",
                "9223372036854775808",
                "-9223372036854775808",
                "-9223372036854775809",
                "4611686018427387904",
                "170141183460469231731687303715884105727",
            ],
            _ => &["0", "1", "-1", "5", "-7"],
        };
        let same = self.variable(|t| t == ty, false);
        if depth == 0 || self.rng.usize(..4) == 0 {
            let literal = literals[self.rng.usize(..literals.len())].to_owned();
            return same
                .filter(|_| self.rng.usize(..3) > 0)
                .map_or(literal, |v| v.0);
        }
        if self.rng.usize(..5) == 0 {
            let other = self.variable(|t| matches!(t, Ty::Range(_) | Ty::Byte | Ty::Int), false);
            if let Some((name, _)) = other {
                return format!("{}({name})", ty.text());
            }
        }
        let operators: &[&str] = match ty {
            Ty::Byte => &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"],
            _ => &["+", "-", "*", "/", "%", "+", "-"],
        };
        let operator = operators[self.rng.usize(..operators.len())];
        let left = self.arithmetic(ty, depth - 1);
        let right = match operator {
            // Divisors are mostly not zero.
            "/" | "%" if self.rng.usize(..4) > 0 => "3".to_owned(),
            _ => self.arithmetic(ty, depth - 1),
        };
        format!("({left} {operator} {right})")
    }

    fn truth(&mut self, depth: usize) -> String {
        if depth == 0 {
            let variable = self.variable(|t| t == Ty::Bool, false);
            return variable.map_or_else(|| self.rng.bool().to_string(), |v| v.0);
        }
        match self.rng.usize(..6) {
            0 if self.wild || self.rng.bool() => match self.variable(is_number, false) {
                Some((name, ty)) => {
                    let op = ["==", "!=", "<", ">="][self.rng.usize(..4)];
                    format!("({name} {op} {})", self.expr(ty, depth - 1))
                }
                None => format!("!{}", self.truth(0)),
            },
            0 => format!("!{}", self.truth(0)),
            1 => format!("({} && {})", self.truth(depth - 1), self.truth(depth - 1)),
            2 => format!("({} || {})", self.truth(depth - 1), self.truth(depth - 1)),
            3 | 4 => match self.variable(|t| matches!(t, Ty::Range(_)), false) {
                Some((name, _)) => {
                    let op = ["==", "!=", "<", "<="][self.rng.usize(..4)];
                    format!("({name} {op} {})", self.number(2, depth - 1))
                }
                None => self.truth(0),
            },
            _ => self.truth(0),
        }
    }

    fn number(&mut self, most: u32, depth: usize) -> String {
        let fits = |t: Ty| matches!(t, Ty::Range(n) if n <= most);
        match self.rng.usize(..6) {
            0 | 1 => self.rng.u32(..=most).to_string(),
            2 if depth > 0 => match self.variable(|t| matches!(t, Ty::Range(_)), false) {
                Some((name, _)) => format!("({name} + 1) % {}", most + 1),
                None => "0".into(),
            },
            3 if depth > 0 => {
                format!(
                    "(if {} then {} else {})",
                    self.truth(depth - 1),
                    self.number(most, 0),
                    self.number(most, 0)
                )
            }
            _ => self
                .variable(fits, false)
                .map_or_else(|| self.rng.u32(..=most).to_string(), |v| v.0),
        }
    }
}

fn is_number(ty: Ty) -> bool {
    matches!(ty, Ty::Byte | Ty::Int | Ty::Big | Ty::Huge)
}

fn mentions(nodes: &[Node], text: &str) -> bool {
    nodes.iter().any(|node| match node {
        Node::Line(line) => line.contains(text),
        Node::Block(head, a, b) => head.contains(text) || mentions(a, text) || mentions(b, text),
    })
}

/// Removes `return`, which may not leave the body of an await.
fn without_jumps(nodes: Vec<Node>) -> Vec<Node> {
    let keep = |node: &Node| !matches!(node, Node::Line(l) if l.starts_with("return"));
    let inner = |node| match node {
        Node::Block(head, a, b) => Node::Block(head, without_jumps(a), without_jumps(b)),
        line @ Node::Line(_) => line,
    };
    nodes.into_iter().filter(keep).map(inner).collect()
}

/// The smallest program found of which `fails` still holds.
pub fn shrink(program: &RandomProgram, fails: impl Fn(&RandomProgram) -> bool) -> RandomProgram {
    let mut best = program.clone();
    while let Some(smaller) = candidates(&best).into_iter().find(|c| fails(c)) {
        best = smaller;
    }
    best
}

/// Programs with one piece less.
fn candidates(program: &RandomProgram) -> Vec<RandomProgram> {
    let mut all: Vec<_> = smaller(&program.procs)
        .into_iter()
        .map(|procs| RandomProgram {
            procs,
            ..program.clone()
        })
        .collect();
    for i in 0..program.head.len() {
        let mut head = program.head.clone();
        head.remove(i);
        all.push(RandomProgram {
            head,
            ..program.clone()
        });
        if let Some((declaration, _)) = program.head[i].split_once(": ") {
            for ty in ["bool := false", "0..1 := 0", "0..2 := 0"] {
                let mut head = program.head.clone();
                head[i] = format!("{declaration}: {ty};");
                if head[i] < program.head[i] || head[i].len() < program.head[i].len() {
                    all.push(RandomProgram {
                        head,
                        ..program.clone()
                    });
                }
            }
        }
    }
    all
}

/// Lists with one node less, or one node made simpler.
fn smaller(nodes: &[Node]) -> Vec<Vec<Node>> {
    let mut all = Vec::new();
    for (i, node) in nodes.iter().enumerate() {
        let with = |replacement: &[Node]| {
            let mut list = nodes[..i].to_vec();
            list.extend_from_slice(replacement);
            list.extend_from_slice(&nodes[i + 1..]);
            list
        };
        all.push(with(&[]));
        match node {
            Node::Line(line) => {
                all.extend(simpler(line).into_iter().map(|l| with(&[Node::Line(l)])));
            }
            Node::Block(head, a, b) => {
                all.push(with(a));
                if !b.is_empty() {
                    all.push(with(b));
                    all.push(with(&[Node::Block(head.clone(), a.clone(), Vec::new())]));
                }
                all.extend(
                    smaller(a)
                        .into_iter()
                        .map(|a| with(&[Node::Block(head.clone(), a, b.clone())])),
                );
                all.extend(
                    smaller(b)
                        .into_iter()
                        .map(|b| with(&[Node::Block(head.clone(), a.clone(), b)])),
                );
                all.extend(
                    simpler(head)
                        .into_iter()
                        .map(|h| with(&[Node::Block(h, a.clone(), b.clone())])),
                );
            }
        }
    }
    all
}

/// Simpler forms of a line: with a constant for its condition or value, or with a post whose handle is not kept.
fn simpler(line: &str) -> Vec<String> {
    let mut all = Vec::new();
    for word in ["assert ", "assume ", "await ", "if "] {
        if let Some(rest) = line.strip_prefix(word) {
            let end = if rest.ends_with(';') { ";" } else { "" };
            for value in ["false", "true", "*"] {
                if rest.len() > value.len() + end.len() && rest != format!("{value}{end}") {
                    all.push(format!("{word}{value}{end}"));
                }
            }
        }
    }
    if let Some((target, value)) = line.split_once(" := ") {
        if !value.starts_with("post") && value.len() > 2 {
            all.extend(["0", "1", "true"].map(|v| format!("{target} := {v};")));
        }
        if value.starts_with("post") {
            all.push(value.to_owned());
        }
    }
    all
}
