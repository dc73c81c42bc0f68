//! Random programs over small domains, as text.

use std::fmt::Write as _;

use fastrand::Rng;

#[derive(Clone, Copy, Debug, Default)]
pub struct Features {
    /// `t := post`, `join`, `self`.
    pub handles: bool,
    /// `*`, `havoc`, variables without a value.
    pub choices: bool,
    /// The mode that gives the program preemption points.
    pub mode: Option<&'static str>,
    /// Arrays, records and maps.
    pub parts: bool,
    /// Many statements that wait.
    pub waits: bool,
}

pub fn program(seed: u64, features: Features) -> String {
    let mut g = Generator {
        rng: Rng::with_seed(seed),
        features,
        out: String::new(),
        procs: 0,
        depth: 0,
        fresh: 0,
        locals: Vec::new(),
        handles: Vec::new(),
        in_loop: false,
        budget: 0,
        atomic: false,
    };
    g.program();
    g.out
}

struct Generator {
    rng: Rng,
    features: Features,
    out: String,
    procs: usize,
    depth: usize,
    fresh: usize,
    /// Names of the locals of type `0..2`.
    locals: Vec<String>,
    /// Names of the locals of type `task`.
    handles: Vec<String>,
    in_loop: bool,
    budget: usize,
    atomic: bool,
}

impl Generator {
    fn pick(&mut self, n: usize) -> usize {
        self.rng.usize(..n)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.pick(100) < percent
    }

    fn program(&mut self) {
        if let Some(mode) = self.features.mode {
            let _ = writeln!(self.out, "preempt {mode};");
        }
        self.out += "type Pair = record { a: 0..2, b: bool };\n";
        for (name, ty, init) in [
            ("x", "0..2", "0"),
            ("y", "0..2", "1"),
            ("b", "bool", "false"),
        ] {
            let init = if self.features.choices && self.chance(25) {
                String::new()
            } else {
                format!(" := {init}")
            };
            let _ = writeln!(self.out, "var {name}: {ty}{init};");
        }
        if self.features.parts {
            self.out += "var a: [3]0..2 := [0, 1, 2];\nvar r: Pair := Pair { a: 1, b: false };\n";
            self.out += "var m: [int]0..2 := [0; _];\nvar f: [bool]0..2 := [1; _];\n";
        }
        if self.features.handles {
            self.out += "var t: task;\n";
        }
        self.procs = 1 + self.pick(3);
        for i in 0..self.procs {
            let _ = writeln!(self.out, "proc p{i}(n: 0..2) {{");
            self.body(i + 1, "n", 4);
            self.out += "}\n";
        }
        self.out += "proc main() {\n";
        self.body(0, "", 5);
        self.out += "}\n";
        if self.chance(30) {
            self.out += "finally {\n";
            self.locals.clear();
            let e = self.truth(2);
            let _ = writeln!(self.out, "assert {e};");
            self.out += "}\n";
        }
    }

    /// A body; it posts and calls procedures from `first` on, so that programs end.
    fn body(&mut self, first: usize, param: &str, size: usize) {
        self.locals.clear();
        self.handles.clear();
        if !param.is_empty() {
            self.locals.push(param.to_owned());
        }
        self.in_loop = false;
        self.budget = size;
        let n = 1 + self.pick(size);
        self.block(first, n);
    }

    fn block(&mut self, first: usize, n: usize) {
        let (locals, handles) = (self.locals.len(), self.handles.len());
        for _ in 0..n {
            self.stmt(first);
        }
        self.locals.truncate(locals);
        self.handles.truncate(handles);
    }

    fn name(&mut self) -> String {
        self.fresh += 1;
        format!("v{}", self.fresh)
    }

    fn stmt(&mut self, first: usize) {
        if self.features.waits && !self.atomic && self.chance(30) {
            let e = self.truth(1);
            let _ = writeln!(self.out, "await {e};");
        }
        match self.pick(20) {
            0..=3 => self.assign(),
            4 | 5 if first < self.procs && self.budget > 0 => self.post(first),
            6 if first < self.procs && self.budget > 0 && !self.atomic => {
                let p = first + self.pick(self.procs - first);
                let e = self.number(1);
                let _ = writeln!(self.out, "call p{p}({e});");
            }
            7 | 8 if !self.atomic => self.out += "yield;\n",
            9 if !self.atomic => {
                let e = self.truth(1);
                let _ = writeln!(self.out, "await {e};");
            }
            10 if !self.atomic => {
                let e = self.truth(1);
                let _ = writeln!(self.out, "await {e} {{ b := !b; }}");
            }
            11 | 12 => self.branch(first),
            13 if self.depth < 2 => self.repeat(first),
            14 => {
                let e = self.truth(2);
                let _ = writeln!(self.out, "assert {e};");
            }
            15 if self.chance(50) => {
                let e = self.truth(2);
                let _ = writeln!(self.out, "assume {e};");
            }
            16 => self.local(),
            17 if self.features.choices => {
                let (x, _) = self.place();
                let _ = writeln!(self.out, "havoc {x};");
            }
            18 if !self.atomic && !self.in_loop => {
                self.out += "atomic {\n";
                self.atomic = true;
                self.block(first, 2);
                self.atomic = false;
                self.out += "}\n";
            }
            19 if self.features.handles && !self.handles.is_empty() && !self.atomic => {
                let i = self.pick(self.handles.len());
                let _ = writeln!(self.out, "join {};", self.handles[i]);
            }
            _ => self.assign(),
        }
    }

    fn post(&mut self, first: usize) {
        self.budget -= 1;
        let p = first + self.pick(self.procs - first);
        let e = self.number(1);
        if self.features.handles && self.chance(50) {
            let name = self.name();
            let _ = writeln!(self.out, "var {name}: task := post p{p}({e});");
            self.handles.push(name.clone());
            if self.chance(30) {
                let _ = writeln!(self.out, "t := {name};");
            }
        } else {
            let _ = writeln!(self.out, "post p{p}({e});");
        }
    }

    fn local(&mut self) {
        let name = self.name();
        if self.features.choices && self.chance(40) {
            let _ = writeln!(self.out, "var {name}: 0..2;");
        } else {
            let e = self.number(1);
            let _ = writeln!(self.out, "var {name}: 0..2 := {e};");
        }
        self.locals.push(name);
    }

    fn branch(&mut self, first: usize) {
        let cond = if self.features.choices && self.chance(20) {
            "*".to_owned()
        } else {
            self.truth(1)
        };
        let _ = writeln!(self.out, "if {cond} {{");
        self.depth += 1;
        self.block(first, 1);
        if self.chance(50) {
            self.out += "} else {\n";
            self.block(first, 1);
        }
        self.depth -= 1;
        self.out += "}\n";
    }

    fn repeat(&mut self, first: usize) {
        let name = self.name();
        let _ = writeln!(self.out, "for {name} in 1..2 {{");
        self.depth += 1;
        let (was, budget) = (self.in_loop, std::mem::take(&mut self.budget));
        self.in_loop = true;
        self.block(first, 2);
        if self.chance(15) {
            let e = self.truth(1);
            let word = ["break", "continue"][self.pick(2)];
            let _ = writeln!(self.out, "if {e} {{ {word}; }}\nx := 0;");
        }
        self.in_loop = was;
        self.budget = budget;
        self.depth -= 1;
        self.out += "}\n";
    }

    fn assign(&mut self) {
        let (place, truth) = self.place();
        let e = if truth { self.truth(2) } else { self.number(2) };
        let _ = writeln!(self.out, "{place} := {e};");
    }

    /// A place, and whether it holds a truth value.
    fn place(&mut self) -> (String, bool) {
        let parts = self.features.parts;
        match self.pick(if parts { 9 } else { 4 }) {
            0 => ("x".into(), false),
            1 => ("y".into(), false),
            2 => ("b".into(), true),
            3 if !self.locals.is_empty() => {
                let i = self.pick(self.locals.len());
                (self.locals[i].clone(), false)
            }
            4 => (format!("a[{}]", self.number(1)), false),
            5 => ("r.a".into(), false),
            6 => ("r.b".into(), true),
            7 => (format!("m[{}]", self.number(1)), false),
            8 => (format!("f[{}]", self.truth(1)), false),
            _ => ("x".into(), false),
        }
    }

    /// An expression of type `0..2`.
    fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.chance(40) {
            return match self.pick(4) {
                0 => self.pick(3).to_string(),
                1 if self.features.choices && self.chance(30) => "x".into(),
                _ => {
                    let (place, truth) = self.place();
                    if truth { "y".into() } else { place }
                }
            };
        }
        let (a, b) = (self.number(depth - 1), self.number(depth - 1));
        match self.pick(4) {
            0 => format!("({a} + {b}) % 3"),
            1 => format!("({a} * {b}) % 3"),
            2 => format!("(if {} then {a} else {b})", self.truth(depth - 1)),
            _ => format!("(2 - {a})"),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        if depth == 0 || self.chance(15) {
            return ["b", "!b", "true", "x == 0"][self.pick(4)].into();
        }
        match self.pick(6) {
            0 => format!("({} && {})", self.truth(depth - 1), self.truth(depth - 1)),
            1 => format!("({} || {})", self.truth(depth - 1), self.truth(depth - 1)),
            2 => format!("!({})", self.truth(depth - 1)),
            3 => format!("({} ==> {})", self.truth(depth - 1), self.truth(depth - 1)),
            _ => {
                let op = ["==", "!=", "<", "<="][self.pick(4)];
                format!(
                    "({} {op} {})",
                    self.number(depth - 1),
                    self.number(depth - 1)
                )
            }
        }
    }
}
