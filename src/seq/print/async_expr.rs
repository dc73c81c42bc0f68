//! Expressions and types in the language's own syntax.

use ir::walk::operands;
use ir::{BinaryOp, ExprId, ExprKind, Place, Proc, Program, Root, Step, Type, TypeId, UnaryOp};

use super::initial::Value;
use super::names::Names;

/// Where an expression stands: the weakest operator that needs no parentheses there.
mod level {
    pub const ANY: u8 = 0;
    /// Operators whose precedence few people know: they get parentheses everywhere.
    pub const WEAK: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const COMPARISON: u8 = 4;
    pub const SUM: u8 = 9;
    pub const PRODUCT: u8 = 10;
    pub const UNARY: u8 = 11;
    pub const PART: u8 = 12;
}

/// Prints expressions of one procedure.
pub struct Exprs<'a> {
    pub program: &'a Program,
    pub names: &'a Names,
    pub proc: &'a Proc,
    /// The names of its locals.
    pub locals: &'a [String],
}

impl Exprs<'_> {
    pub fn ty(&self, ty: TypeId) -> String {
        if let Some(name) = self.names.types.get(&ty) {
            return name.clone();
        }
        match self.program.types.get(ty) {
            Type::Array(len, element) => format!("[{len}]{}", self.ty(*element)),
            Type::Map(key, element) => format!("[{}]{}", self.ty(*key), self.ty(*element)),
            _ => self.program.types.name(ty),
        }
    }

    /// The declaration of a record or an enum.
    pub fn declaration(&self, ty: TypeId) -> Option<String> {
        let parts = self.names.parts.get(&ty)?;
        Some(match self.program.types.get(ty) {
            Type::Record(r) => {
                let fields = parts
                    .iter()
                    .zip(&r.fields)
                    .map(|(n, (_, t))| format!("{n}: {}", self.ty(*t)));
                format!("record {{ {} }}", fields.collect::<Vec<_>>().join(", "))
            }
            _ => format!("enum {{ {} }}", parts.join(", ")),
        })
    }

    /// An expression on its own.
    pub fn expr(&self, e: ExprId) -> String {
        self.at(e, level::ANY)
    }

    /// Expressions with commas between them.
    pub fn list(&self, all: &[ExprId]) -> String {
        all.iter()
            .map(|&e| self.expr(e))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// A variable or a part of one.
    pub fn place(&self, place: &Place) -> String {
        let (mut text, mut ty) = match place.root {
            Root::Global(g) => (
                self.names.globals[g.index()].clone(),
                self.program.globals[g.index()].ty,
            ),
            Root::Local(l) => (
                self.locals[l.index()].clone(),
                self.proc.locals[l.index()].ty,
            ),
        };
        for step in &place.path {
            let (part, inner) = match (step, self.program.types.get(ty)) {
                (Step::Field(f), Type::Record(r)) => (
                    format!(".{}", self.names.parts[&ty][*f as usize]),
                    r.fields[*f as usize].1,
                ),
                (Step::Index(e), Type::Array(_, element) | Type::Map(_, element)) => {
                    (format!("[{}]", self.expr(*e)), *element)
                }
                _ => unreachable!("a step into a value without parts"),
            };
            text.push_str(&part);
            ty = inner;
        }
        text
    }

    fn at(&self, e: ExprId, min: u8) -> String {
        let (text, level) = self.leveled(e);
        if level < min {
            format!("({text})")
        } else {
            text
        }
    }

    fn leveled(&self, e: ExprId) -> (String, u8) {
        let expr = self.program.expr(e);
        let part = |text: String| (text, level::PART);
        match &expr.kind {
            ExprKind::Bool(b) => part(b.to_string()),
            ExprKind::Int(i) => self.number(i.0, expr.ty),
            ExprKind::NoTask => part("no_task".to_owned()),
            ExprKind::SelfTask => part("self".to_owned()),
            ExprKind::Local(l) => part(self.locals[l.index()].clone()),
            ExprKind::Global(g) => part(self.names.globals[g.index()].clone()),
            ExprKind::Unary(op, a) => self.unary(*op, *a),
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b),
            ExprKind::Ite(c, a, b) => {
                let text = format!(
                    "if {} then {} else {}",
                    self.expr(*c),
                    self.expr(*a),
                    self.expr(*b)
                );
                (text, level::ANY)
            }
            ExprKind::Index(a, i) => {
                part(format!("{}[{}]", self.at(*a, level::PART), self.expr(*i)))
            }
            ExprKind::Field(a, f) => {
                let field = &self.names.parts[&self.program.ty(*a)][*f as usize];
                part(format!("{}.{field}", self.at(*a, level::PART)))
            }
            ExprKind::Record(values) => {
                let values = values.iter().map(|&v| self.expr(v)).collect();
                (self.record(expr.ty, values), level::UNARY)
            }
            ExprKind::Array(values) => part(format!("[{}]", self.list(values))),
            ExprKind::Fill(value) => part(self.fill(expr.ty, &self.expr(*value))),
            ExprKind::Convert(a) => part(format!("{}({})", self.converted(expr.ty), self.expr(*a))),
            ExprKind::Finished(a) => part(format!("finished({})", self.expr(*a))),
        }
    }

    /// The name of an integer type; a range is read as `int`.
    fn converted(&self, ty: TypeId) -> String {
        if self.program.types.is_int(ty) {
            "int".to_owned()
        } else {
            self.program.types.name(ty)
        }
    }

    fn number(&self, i: i128, ty: TypeId) -> (String, u8) {
        if let (Type::Enum(_), Ok(index)) = (self.program.types.get(ty), usize::try_from(i)) {
            return (self.names.parts[&ty][index].clone(), level::PART);
        }
        (
            i.to_string(),
            if i < 0 { level::UNARY } else { level::PART },
        )
    }

    pub fn record(&self, ty: TypeId, values: Vec<String>) -> String {
        let fields = self.names.parts[&ty]
            .iter()
            .zip(values)
            .map(|(n, v)| format!("{n}: {v}"));
        format!(
            "{} {{ {} }}",
            self.names.types[&ty],
            fields.collect::<Vec<_>>().join(", ")
        )
    }

    pub fn fill(&self, ty: TypeId, value: &str) -> String {
        match self.program.types.get(ty) {
            Type::Array(len, _) => format!("[{value}; {len}]"),
            _ => format!("[{value}; _]"),
        }
    }

    fn unary(&self, op: UnaryOp, a: ExprId) -> (String, u8) {
        let symbol = match op {
            UnaryOp::Not => return self.negated(a),
            UnaryOp::Neg => "-",
            UnaryOp::BitNot => "~",
        };
        (
            format!("{symbol}{}", self.typed(a, level::PART)),
            level::UNARY,
        )
    }

    /// `!a`, where possible without the `!`.
    fn negated(&self, a: ExprId) -> (String, u8) {
        if let ExprKind::Binary(op, l, r) = self.program.expr(a).kind {
            let opposite = match op {
                BinaryOp::Lt => Some(">="),
                BinaryOp::Le => Some(">"),
                BinaryOp::Eq => Some("!="),
                _ => None,
            };
            if let Some(symbol) = opposite {
                return self.infix(symbol, l, r, level::SUM, level::SUM, level::COMPARISON);
            }
        }
        if let ExprKind::Unary(UnaryOp::Not, inner) = self.program.expr(a).kind {
            return self.leveled(inner);
        }
        (format!("!{}", self.at(a, level::UNARY)), level::UNARY)
    }

    fn binary(&self, op: BinaryOp, a: ExprId, b: ExprId) -> (String, u8) {
        use level::{AND, COMPARISON, OR, PRODUCT, SUM, UNARY, WEAK};
        let (symbol, left, right, own) = match op {
            BinaryOp::Add => ("+", SUM, PRODUCT, SUM),
            BinaryOp::Sub => ("-", SUM, PRODUCT, SUM),
            BinaryOp::Mul => ("*", PRODUCT, UNARY, PRODUCT),
            BinaryOp::Div => ("/", PRODUCT, UNARY, PRODUCT),
            BinaryOp::Rem => ("%", PRODUCT, UNARY, PRODUCT),
            BinaryOp::Lt => ("<", SUM, SUM, COMPARISON),
            BinaryOp::Le => ("<=", SUM, SUM, COMPARISON),
            BinaryOp::Eq => ("==", SUM, SUM, COMPARISON),
            BinaryOp::And => ("&&", AND, AND, AND),
            // Inside a disjunction, a conjunction gets parentheses for the reader.
            BinaryOp::Or => ("||", OR, OR, OR),
            BinaryOp::Implies => ("==>", UNARY, UNARY, WEAK),
            BinaryOp::BitAnd => ("&", UNARY, UNARY, WEAK),
            BinaryOp::BitOr => ("|", UNARY, UNARY, WEAK),
            BinaryOp::BitXor => ("^", UNARY, UNARY, WEAK),
            BinaryOp::Shl => ("<<", UNARY, UNARY, WEAK),
            BinaryOp::Shr => (">>", UNARY, UNARY, WEAK),
        };
        self.infix(symbol, a, b, left, right, own)
    }

    fn infix(
        &self,
        symbol: &str,
        a: ExprId,
        b: ExprId,
        left: u8,
        right: u8,
        own: u8,
    ) -> (String, u8) {
        let side = |e: ExprId, min: u8| {
            let and = matches!(
                self.program.expr(e).kind,
                ExprKind::Binary(BinaryOp::And, ..)
            );
            let min = if own == level::OR && and {
                level::PART
            } else {
                min
            };
            self.at(e, min)
        };
        let l = if self.takes_its_type(b) {
            side(a, left)
        } else {
            self.typed(a, left)
        };
        (format!("{l} {symbol} {}", side(b, right)), own)
    }

    /// An operand that must say its type itself: a machine number, where the other operand has no type either.
    fn typed(&self, e: ExprId, min: u8) -> String {
        let expr = self.program.expr(e);
        match (&expr.kind, self.program.types.get(expr.ty)) {
            (ExprKind::Int(number), Type::Bits(_)) => {
                let number = number.0;
                format!("{}({number})", self.program.types.name(expr.ty))
            }
            (ExprKind::Ite(..), Type::Bits(_)) if !self.takes_its_type(e) => {
                format!("{}({})", self.program.types.name(expr.ty), self.expr(e))
            }
            _ => self.at(e, min),
        }
    }

    /// Whether the text of an expression has a type of its own, so that the other operand can take it.
    fn takes_its_type(&self, e: ExprId) -> bool {
        let expr = self.program.expr(e);
        match expr.kind {
            ExprKind::Int(_) => !matches!(self.program.types.get(expr.ty), Type::Bits(_)),
            ExprKind::Unary(..) | ExprKind::Binary(..) => {
                operands(expr).iter().any(|&o| self.takes_its_type(o))
            }
            ExprKind::Ite(_, a, b) => self.takes_its_type(a) || self.takes_its_type(b),
            _ => true,
        }
    }

    /// An initial value; `None` for any value.
    pub fn initial(&self, value: &Value, ty: TypeId) -> Option<String> {
        let inner = |v: &Value, ty: TypeId| self.initial(v, ty).unwrap_or_else(|| "*".to_owned());
        match (value, self.program.types.get(ty)) {
            (Value::Unset | Value::Star, _) => None,
            (Value::Constant(e), _) => Some(self.expr(*e)),
            (Value::Parts(parts), Type::Record(r)) => {
                let values = parts
                    .iter()
                    .zip(&r.fields)
                    .map(|(v, (_, t))| inner(v, *t))
                    .collect();
                Some(self.record(ty, values))
            }
            (Value::Parts(parts), Type::Array(_, element)) => {
                let values: Vec<_> = parts.iter().map(|v| inner(v, *element)).collect();
                Some(format!("[{}]", values.join(", ")))
            }
            (Value::Fill(value), Type::Array(_, element) | Type::Map(_, element)) => {
                Some(self.fill(ty, &inner(value, *element)))
            }
            (Value::Parts(_) | Value::Fill(_), _) => None,
        }
    }
}
