//! Forms that people write by habit from other languages, or in haste. The builder reads them and reports the right form.
//!
//! The grammar has productions for these forms, so the tree is what the author meant wherever that is clear.

use super::Builder;
use crate::symbol::Symbol;
use crate::tree::*;
use base::diagnostic::Diagnostic;
use base::source::Span;
use base::suggest::closest;

impl Builder<'_> {
    fn complain(&mut self, span: Span, message: impl Into<String>, label: &str, hint: &str) {
        let mut diagnostic = Diagnostic::error("syntax", span, message).label(label);
        if !hint.is_empty() {
            diagnostic = diagnostic.note(hint);
        }
        self.report(diagnostic);
    }

    /// The text of an expression, if it is short enough for a message.
    fn written(&self, expr: ExprId) -> String {
        let Span { start, end } = self.ast.expr(expr).span;
        let text = self.slice(start, end);
        if text.len() > 40 || text.contains('\n') {
            "…".to_owned()
        } else {
            text.to_owned()
        }
    }

    /// A name, if it is short enough for a message.
    fn named(&self, symbol: Symbol) -> String {
        let text = self.ast.text(symbol);
        if text.len() > 40 {
            "…".to_owned()
        } else {
            text.to_owned()
        }
    }

    // ---- Calls ----

    /// A call's procedure and arguments, from the expression after `call` or `post`.
    fn callee(&mut self, place: ExprId, word: &str) -> Result<(Name, ExprList), ()> {
        let Expr { kind, span } = self.ast.expr(place);
        let text = self.written(place);
        match kind {
            ExprKind::Apply(name, args) => return Ok((name, args)),
            ExprKind::Name(symbol) => {
                let message = format!("`{word}` needs parentheses, even without arguments");
                self.complain(span, message, "", &format!("write `{word} {text}()`"));
                return Ok((Name { symbol, span }, ExprList::default()));
            }
            ExprKind::Method(..) if word == "call" => {
                let message = "operations of objects are called without `call`";
                self.complain(
                    span,
                    message,
                    "this is an operation",
                    &format!("write `{text}`"),
                );
            }
            ExprKind::Method(..) => {
                let hint = "post a procedure that does it";
                self.complain(span, "an operation of an object cannot be posted", "", hint);
            }
            _ => self.complain(
                span,
                format!("`{word}` needs the name of a procedure"),
                "",
                "",
            ),
        }
        Err(())
    }

    /// An error node, for a right side of `:=` that could not be understood.
    fn no_value(&mut self, place: ExprId) -> Rhs {
        let Span { start, end } = self.ast.expr(place).span;
        let error = self.expr(ExprKind::Error, start, end);
        let mark = self.first_expr(error);
        Rhs::Exprs(self.exprs(mark))
    }

    /// `call p(e)`
    pub fn call(&mut self, place: ExprId) -> Rhs {
        match self.callee(place, "call") {
            Ok((name, args)) => Rhs::Call(name, args),
            Err(()) => self.no_value(place),
        }
    }

    /// `post p(e)`
    pub fn post(&mut self, place: ExprId) -> Rhs {
        match self.callee(place, "post") {
            Ok((name, args)) => Rhs::Post(name, args),
            Err(()) => self.no_value(place),
        }
    }

    /// `call p(e);`
    pub fn call_statement(&mut self, place: ExprId) -> StmtKind {
        self.callee(place, "call")
            .map_or(StmtKind::Error, |(name, args)| {
                StmtKind::Call(None, name, args)
            })
    }

    /// `post p(e);`
    pub fn post_statement(&mut self, place: ExprId) -> StmtKind {
        self.callee(place, "post")
            .map_or(StmtKind::Error, |(name, args)| StmtKind::Post(name, args))
    }

    /// `o.op(e);`, or something that is no statement.
    pub fn expression_statement(&mut self, place: ExprId) -> StmtKind {
        let Expr { kind, span } = self.ast.expr(place);
        match kind {
            ExprKind::Method(..) => StmtKind::Op(place),
            ExprKind::Apply(name, args) => {
                self.bare_call(name, span);
                StmtKind::Call(None, name, args)
            }
            ExprKind::Name(symbol) => {
                let word = self.ast.text(symbol);
                let alone = ["break", "continue", "return", "skip", "sleep", "yield"];
                let near = || closest(word, alone.into_iter());
                let near = || near().map(|near| format!("did you mean `{near};`?"));
                let hint = word_hint(word).map(str::to_owned).or_else(near);
                self.complain(
                    span,
                    "a name alone is not a statement",
                    "this does nothing",
                    &hint.unwrap_or_default(),
                );
                StmtKind::Error
            }
            ExprKind::Field(..) => {
                let hint = format!(
                    "an operation is called with parentheses: `{}()`",
                    self.written(place)
                );
                self.complain(
                    span,
                    "a field is not a statement",
                    "this does nothing",
                    &hint,
                );
                StmtKind::Error
            }
            _ => {
                self.complain(
                    span,
                    "an expression is not a statement",
                    "this does nothing",
                    "",
                );
                StmtKind::Error
            }
        }
    }

    fn bare_call(&mut self, name: Name, span: Span) {
        let word = self.named(name.symbol);
        let both =
            format!("`call {word}(…);` waits for its end, `post {word}(…);` makes it a task");
        let message = "a procedure is called with `call` or posted with `post`";
        let mut diagnostic = Diagnostic::error("syntax", span, message).note(both);
        if let Some(hint) = word_hint(&word) {
            diagnostic = diagnostic.note(hint);
        }
        self.report(diagnostic);
    }

    // ---- Declarations ----

    /// `var x: T := e;`
    pub fn local(&mut self, names: NameList, ty: Option<TypeId>, init: Option<Rhs>) -> StmtKind {
        if ty.is_none() && init.is_none() {
            let name = self.ast.names(names)[0];
            let x = self.named(name.symbol);
            let hint = format!("write `var {x}: int;` for any value, or `var {x} := 0;`");
            self.complain(
                name.span,
                format!("`{x}` needs a type or a value"),
                "of which type?",
                &hint,
            );
            let ty = self.ty(TypeKind::Error, name.span.start, name.span.end);
            return StmtKind::Var(names, Some(ty), None);
        }
        StmtKind::Var(names, ty, init)
    }

    /// `int x = e;`
    pub fn c_declaration(&mut self, ty: TypeId, name: Name, init: Option<Rhs>) -> StmtKind {
        let Span { start, end } = self.ast.ty(ty).span;
        let hint = format!(
            "write `var {}: {}`",
            self.named(name.symbol),
            self.slice(start, end)
        );
        let span = self.ast.ty(ty).span.to(name.span);
        // Drops a complaint about `=` for `:=`: it belongs to the same habit.
        self.diagnostics
            .pop_if(|d| d.span.is_some_and(|s| s.start >= name.span.end));
        self.complain(
            span,
            "a declaration begins with `var`",
            "the type comes after the name",
            &hint,
        );
        let mark = self.first_name(name);
        StmtKind::Var(self.names(mark), Some(ty), init)
    }

    // ---- Signs ----

    /// Reports a `;` where there is nothing to end.
    pub fn stray_semicolon(&mut self, start: u32, end: u32) {
        let message = "there is no empty statement";
        self.complain(
            Span::new(start, end),
            message,
            "nothing ends here",
            "remove the `;`, or write `skip;`",
        );
    }

    /// Reports `->` before the type of a result.
    pub fn arrow_for_colon(&mut self, start: u32, end: u32) {
        let message = "the type of a result stands after `:`";
        self.complain(
            Span::new(start, end),
            message,
            "expected `:`",
            "write `proc p(): int { … }`",
        );
    }

    /// Reports a sign where another one is meant.
    pub fn use_instead(&mut self, right: &str, start: u32, end: u32) {
        let wrong = self.slice(start, end);
        let hint = match (right, wrong) {
            (":=", "==") => "`==` compares; `:=` assigns",
            (":=", _) => {
                "`:=` assigns and gives initial values; `=` stands only after `let x` and `type T`"
            }
            _ => "`let x = e;` and `type T = …;` are written with `=`",
        };
        let message = format!("expected `{right}`, found `{wrong}`");
        self.complain(
            Span::new(start, end),
            message,
            &format!("write `{right}`"),
            hint,
        );
    }

    /// `x++;`
    pub fn increment(&mut self, place: ExprId, start: u32, end: u32) -> StmtKind {
        let x = self.written(place);
        let hint = format!("write `{x} := {x} + 1;`");
        self.complain(Span::new(start, end), "there is no `++`", "", &hint);
        StmtKind::Error
    }

    /// `x += e;`
    pub fn compound_assignment(
        &mut self,
        place: ExprId,
        value: ExprId,
        start: u32,
        end: u32,
    ) -> StmtKind {
        let (x, sign) = (self.written(place), self.slice(start, end));
        let hint = format!("write `{x} := {x} {} {};`", &sign[..1], self.written(value));
        self.complain(
            Span::new(start, end),
            format!("there is no `{sign}`"),
            "",
            &hint,
        );
        StmtKind::Error
    }

    /// `a < b < c`
    pub fn chained_comparison(&mut self, first: BinaryOp, second: BinaryOp, operand: ExprId) {
        let (a, b) = (first.text(), second.text());
        let hint = format!("write `x {a} y && y {b} z`, or use parentheses");
        let span = self.ast.expr(operand).span;
        self.complain(
            span,
            "comparisons cannot be chained",
            "compared with a comparison",
            &hint,
        );
    }
}

/// What to write instead of a word that other languages have.
#[must_use]
pub fn word_hint(word: &str) -> Option<&'static str> {
    Some(match word {
        "abort" | "error" | "fail" | "raise" | "throw" => "write `assert false, \"…\";`",
        "acquire" | "lock" | "synchronized" | "release" | "unlock" => {
            "a lock is an object: `use sync;`, `var m: Mutex;`, `m.lock();`"
        }
        "async" | "fork" | "go" | "run" | "spawn" | "start" | "thread" => {
            "a task is started with `post p(…);`"
        }
        "begin" | "do" | "end" | "forever" | "loop" | "repeat" | "until" => {
            "a loop is written `while true { … }`"
        }
        "case" | "match" | "switch" => "write `if … { … } else if … { … }`",
        "echo" | "print" | "printf" | "println" => {
            "programs print nothing; the trace shows every value"
        }
        "ensures" | "invariant" | "modifies" | "requires" => {
            "write `assert` and `assume` where they are to hold"
        }
        "exit" | "goto" | "stop" => "use `return`, `break` or `continue`",
        "local" | "mut" | "static" => "a variable is declared with `var x: int;`",
        "nop" | "pass" => "write `skip;`",
        "wait" => "write `await e;`",
        _ => return None,
    })
}
