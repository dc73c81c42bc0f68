//! Random programs: every form of the grammar, as tokens, so that anything can be put between them.
//!
//! They parse; whether they mean anything is left to chance.

use fastrand::Rng;

/// Tokens of a program under construction.
struct Writer<'r> {
    rng: &'r mut Rng,
    tokens: Vec<&'static str>,
    /// How much more may be written; then only the shortest forms are.
    fuel: usize,
}

/// The tokens of a random program of about that many forms.
pub fn program(rng: &mut Rng, fuel: usize) -> Vec<&'static str> {
    let mut writer = Writer {
        rng,
        tokens: Vec::new(),
        fuel,
    };
    for _ in 0..writer.rng.usize(0..6) {
        writer.item();
    }
    writer.tokens
}

/// A text of these tokens, with random space and comments between them.
pub fn scatter(rng: &mut Rng, tokens: &[&str]) -> String {
    let often = rng.usize(2..30);
    let mut text = String::new();
    for token in tokens {
        text.push_str(token);
        // Two words, or two signs that would make another sign, do not touch; nor does `/` a comment.
        text.push(' ');
        loop {
            text.push_str(gap(rng, often));
            if rng.usize(0..3) > 0 {
                break;
            }
        }
    }
    text
}

/// What may stand between two tokens.
fn gap(rng: &mut Rng, often: usize) -> &'static str {
    const GAPS: &[&str] = &[
        "\n",
        "\n\n",
        "\n\n\n",
        "  ",
        "\t",
        " // line\n",
        "\n// own line\n",
        "\n\n// own line, after a blank\n",
        "/* block */",
        " /* block */ ",
        "\n/* block, own line */\n",
        "\n/* leading */ ",
        "/* two\n   lines */",
        "//\n",
        "/**/",
        "\n\n/* block */\n\n",
        "// a long comment that reaches far beyond what is left of the line after its code\n",
    ];
    if rng.usize(0..often) == 0 {
        GAPS[rng.usize(0..GAPS.len())]
    } else {
        ""
    }
}

const NAMES: &[&str] = &[
    "x",
    "y",
    "count",
    "a_rather_long_name_for_a_variable",
    "op",
    "when",
    "enqueue",
    "spurious",
    "access",
    "statement",
    "exclusive",
    "independent",
    "self",
    "Req",
    "T",
];

const BINARY: &[&str] = &[
    "+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "==>", "<==>", "&", "|",
    "^", "<<", ">>",
];

impl Writer<'_> {
    fn put(&mut self, tokens: &[&'static str]) {
        self.tokens.extend_from_slice(tokens);
    }

    fn one_of(&mut self, tokens: &[&'static str]) {
        let token = tokens[self.rng.usize(0..tokens.len())];
        self.tokens.push(token);
    }

    fn name(&mut self) {
        self.one_of(NAMES);
    }

    fn maybe(&mut self) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0 && self.rng.bool()
    }

    /// A choice among `n`; among the first `short` when little is to be written.
    fn pick(&mut self, n: usize, short: usize) -> usize {
        self.fuel = self.fuel.saturating_sub(1);
        self.rng.usize(0..if self.fuel > 0 { n } else { short })
    }

    /// At least `least` elements with commas, sometimes one more.
    fn list(&mut self, least: usize, last_comma: bool, element: fn(&mut Self)) {
        let n = least
            + if self.maybe() {
                self.rng.usize(0..4)
            } else {
                0
            };
        for i in 0..n {
            element(self);
            if i + 1 < n || last_comma && self.rng.usize(0..4) == 0 {
                self.put(&[","]);
            }
        }
    }

    // ---- Items ----

    fn item(&mut self) {
        match self.pick(9, 9) {
            0 => {
                self.put(&["use"]);
                self.name();
                self.put(&[";"]);
            }
            1 => {
                self.put(&["const"]);
                self.name();
                self.note();
                self.put(&[":="]);
                self.expr();
                self.put(&[";"]);
            }
            2 => {
                self.put(&["type"]);
                self.name();
                self.put(&["="]);
                self.ty();
                self.put(&[";"]);
            }
            3 => {
                self.put(&["preempt"]);
                self.one_of(&["yield", "statement", "access"]);
                self.put(&[";"]);
            }
            4 | 5 => self.var(),
            6 => self.procedure(),
            7 => self.object(),
            _ => {
                self.put(&["finally"]);
                self.block();
            }
        }
    }

    fn note(&mut self) {
        if self.maybe() {
            self.put(&[":"]);
            self.ty();
        }
    }

    fn var(&mut self) {
        self.put(&["var"]);
        self.list(1, false, Self::name);
        self.put(&[":"]);
        self.ty();
        if self.maybe() {
            self.put(&[":="]);
            self.expr();
        }
        self.put(&[";"]);
    }

    fn procedure(&mut self) {
        self.put(&["proc"]);
        self.name();
        self.params();
        self.note();
        self.block();
    }

    fn params(&mut self) {
        self.put(&["("]);
        if self.maybe() {
            self.list(1, true, Self::field);
        }
        self.put(&[")"]);
    }

    fn field(&mut self) {
        self.name();
        self.put(&[":"]);
        self.ty();
    }

    fn object(&mut self) {
        self.put(&["object"]);
        self.name();
        if self.maybe() {
            self.params();
        }
        self.put(&["{"]);
        for _ in 0..self.rng.usize(0..4) {
            self.member();
        }
        self.put(&["}"]);
    }

    fn member(&mut self) {
        match self.pick(5, 5) {
            0 => self.var(),
            1 => self.procedure(),
            2 => self.operation(),
            3 => {
                self.put(&["independent"]);
                self.pattern();
                self.put(&[","]);
                self.pattern();
                if self.maybe() {
                    self.put(&["when"]);
                    self.expr();
                }
                self.put(&[";"]);
            }
            _ => {
                self.put(&["exclusive"]);
                self.pattern();
                self.put(&[","]);
                self.pattern();
                self.put(&[";"]);
            }
        }
    }

    fn operation(&mut self) {
        self.put(&["op"]);
        self.name();
        self.params();
        self.note();
        let mut clauses = [0, 1, 2];
        self.rng.shuffle(&mut clauses);
        for clause in clauses {
            match clause {
                _ if self.maybe() => {}
                0 => {
                    self.put(&["enqueue"]);
                    self.block();
                }
                1 => {
                    self.put(&["when"]);
                    self.expr();
                }
                _ => {
                    self.put(&["spurious"]);
                    self.expr();
                }
            }
        }
        self.block();
    }

    fn pattern(&mut self) {
        self.name();
        if self.maybe() {
            self.put(&["("]);
            self.list(1, true, Self::name);
            self.put(&[")"]);
        }
    }

    // ---- Types ----

    fn ty(&mut self) {
        match self.pick(9, 2) {
            0 | 1 => self.one_of(&["int", "bool", "u8", "i64", "task"]),
            2 => self.name(),
            3 => {
                self.name();
                self.put(&["("]);
                self.list(1, true, Self::expr);
                self.put(&[")"]);
            }
            4 => {
                self.put(&["enum", "{"]);
                self.list(1, true, Self::name);
                self.put(&["}"]);
            }
            5 => {
                self.put(&["record", "{"]);
                self.list(1, true, Self::field);
                self.put(&["}"]);
            }
            6 => {
                self.bound();
                self.put(&[".."]);
                self.expr();
            }
            7 => {
                self.put(&["[", "int", "]"]);
                self.ty();
            }
            _ => {
                self.put(&["["]);
                self.expr();
                if self.maybe() {
                    self.put(&[".."]);
                    self.expr();
                }
                self.put(&["]"]);
                self.ty();
            }
        }
    }

    /// The lower bound of a range: anything that does not begin with `[` or `if`.
    fn bound(&mut self) {
        match self.pick(5, 2) {
            0 => self.one_of(&["0", "1_000", "0xff"]),
            1 => self.name(),
            2 => {
                self.one_of(&["-", "~", "!"]);
                self.bound();
            }
            3 => {
                self.put(&["("]);
                self.expr();
                self.put(&[")"]);
            }
            _ => {
                self.bound();
                self.one_of(&["+", "-", "*", "<<"]);
                self.bound();
            }
        }
    }

    // ---- Expressions ----

    fn expr(&mut self) {
        match self.pick(8, 4) {
            0..4 => self.operand(),
            4..7 => {
                // Comparisons do not chain: parentheses round each operand.
                self.operand();
                self.one_of(BINARY);
                self.put(&["("]);
                self.expr();
                self.put(&[")"]);
                while self.maybe() {
                    self.one_of(&["+", "-", "*", "&", "<<"]);
                    self.operand();
                }
            }
            _ => {
                self.put(&["if"]);
                self.expr();
                self.put(&["then"]);
                self.expr();
                self.put(&["else"]);
                self.expr();
            }
        }
    }

    fn operand(&mut self) {
        match self.pick(12, 4) {
            0 => self.name(),
            1 => self.one_of(&["0", "42", "0b1010_1010", "123_456_789_000"]),
            2 => self.one_of(&["true", "false", "*"]),
            3 => self.place(),
            4 => {
                self.one_of(&["!", "-", "~"]);
                self.operand();
            }
            5 => {
                self.put(&["("]);
                self.expr();
                self.put(&[")"]);
            }
            6 => {
                self.one_of(&["int", "u8", "i32"]);
                self.put(&["("]);
                self.expr();
                self.put(&[")"]);
            }
            7 => {
                self.put(&["["]);
                self.list(1, true, Self::expr);
                self.put(&["]"]);
            }
            8 => {
                self.put(&["["]);
                self.expr();
                self.put(&[";"]);
                if self.maybe() {
                    self.put(&["_"]);
                } else {
                    self.expr();
                }
                self.put(&["]"]);
            }
            9 => {
                self.one_of(&["Req", "T"]);
                self.put(&["{"]);
                self.list(1, true, |w| {
                    w.name();
                    w.put(&[":"]);
                    w.expr();
                });
                self.put(&["}"]);
            }
            10 => {
                self.place();
                self.put(&["."]);
                self.name();
                self.args();
            }
            _ => {
                self.name();
                self.args();
            }
        }
    }

    fn args(&mut self) {
        self.put(&["("]);
        if self.maybe() {
            self.list(1, true, Self::expr);
        }
        self.put(&[")"]);
    }

    fn place(&mut self) {
        self.name();
        while self.maybe() {
            if self.rng.bool() {
                self.put(&["["]);
                self.expr();
                self.put(&["]"]);
            } else {
                self.put(&["."]);
                self.name();
            }
        }
    }

    // ---- Statements ----

    fn block(&mut self) {
        self.put(&["{"]);
        let n = if self.maybe() {
            self.rng.usize(0..4)
        } else {
            0
        };
        for _ in 0..n {
            self.statement();
        }
        self.put(&["}"]);
    }

    fn rhs(&mut self) {
        match self.pick(4, 1) {
            0 | 1 => self.expr(),
            n => {
                self.put(&[if n == 2 { "call" } else { "post" }]);
                self.name();
                self.args();
            }
        }
    }

    #[allow(clippy::too_many_lines, reason = "a few lines for each form")]
    fn statement(&mut self) {
        match self.pick(18, 6) {
            0 => self.one_of(&["skip", "yield", "sleep", "break", "continue", "return"]),
            1 => {
                self.list(1, false, Self::place);
                self.put(&[":="]);
                self.list(1, false, Self::expr);
            }
            2 => {
                self.place();
                self.put(&[":="]);
                self.rhs();
            }
            3 => {
                self.one_of(&["assume", "join", "return", "await"]);
                self.expr();
            }
            4 => {
                self.put(&["assert"]);
                self.expr();
                if self.maybe() {
                    self.put(&[",", "\"a message with \\\"quotes\\\" // and no comment\""]);
                }
            }
            5 => {
                self.put(&["havoc"]);
                self.list(1, false, Self::place);
            }
            6 => {
                self.one_of(&["call", "post"]);
                self.name();
                self.args();
            }
            7 => {
                self.put(&["call"]);
                self.place();
                self.put(&[":="]);
                self.name();
                self.args();
            }
            8 => {
                self.place();
                self.put(&["."]);
                self.name();
                self.args();
            }
            9 => {
                self.put(&["let"]);
                self.name();
                self.note();
                self.put(&["="]);
                self.rhs();
            }
            10 => {
                self.put(&["var"]);
                self.list(1, false, Self::name);
                self.note();
                self.put(&[":="]);
                self.rhs();
            }
            n => return self.compound(n),
        }
        self.put(&[";"]);
    }

    fn compound(&mut self, n: usize) {
        match n {
            11..13 => self.conditional(),
            13 => {
                self.one_of(&["while", "await"]);
                self.expr();
                self.block();
            }
            14 => {
                self.put(&["for"]);
                self.name();
                self.put(&["in"]);
                self.expr();
                self.put(&[".."]);
                self.expr();
                self.block();
            }
            15 => self.block(),
            _ => {
                self.put(&["atomic"]);
                self.block();
            }
        }
    }

    fn conditional(&mut self) {
        self.put(&["if"]);
        self.expr();
        self.block();
        if self.maybe() {
            self.put(&["else"]);
            if self.maybe() {
                self.conditional();
            } else {
                self.block();
            }
        }
    }
}
