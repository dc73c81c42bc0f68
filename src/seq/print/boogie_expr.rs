//! Expressions in Boogie: a scalar is one expression, another value one for each of its [leaves].

use std::cell::RefCell;
use std::collections::BTreeSet;

use ir::{
    BinaryOp, Bits, ExprId, ExprKind, Place, Proc, Program, Root, Step, Type, TypeId, UnaryOp,
};

use super::leaves::{Dimension, Leaf, boogie_type, is_short, leaves};
use super::names::Names;

/// Arrays up to this length are written out; longer ones need quantifiers.
const WRITTEN_OUT: u32 = 64;

/// How tightly an expression's operator binds; parts bind tightest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// `==>`, and everything else that gets parentheses everywhere.
    Weak,
    And,
    Or,
    Comparison,
    Sum,
    Product,
    Unary,
    Part,
}

#[derive(Clone, Debug)]
pub struct Text {
    text: String,
    level: Level,
}

impl Text {
    fn part(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            level: Level::Part,
        }
    }

    fn at(&self, min: Level) -> String {
        if self.level < min {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }

    pub fn alone(self) -> String {
        self.text
    }
}

/// A variable that an assignment changes, or an element of one.
pub struct Target {
    pub name: String,
    /// The number of the value's leaf that it gets.
    pub leaf: usize,
    /// The condition under which the place is this variable; empty if it always is.
    condition: String,
}

impl Target {
    /// The variable's value after the place was given a value.
    pub fn after(&self, value: &[String]) -> String {
        let new = &value[self.leaf];
        match self.condition.as_str() {
            "" => new.clone(),
            when => format!("(if {when} then {new} else {})", self.name),
        }
    }

    /// Whether it is a variable that gets a value in any case.
    pub fn is_variable(&self) -> bool {
        self.condition.is_empty() && !self.name.contains('[')
    }
}

/// The declarations that expressions need.
#[derive(Default)]
pub struct Needed {
    pub functions: BTreeSet<String>,
}

/// Prints expressions of one procedure.
pub struct Exprs<'a> {
    pub program: &'a Program,
    pub names: &'a Names,
    pub proc: &'a Proc,
    pub locals: &'a [String],
    pub needed: &'a RefCell<Needed>,
}

impl Exprs<'_> {
    pub fn leaves(&self, ty: TypeId) -> Vec<Leaf> {
        leaves(self.program, self.names, ty)
    }

    pub fn scalar(&self, e: ExprId) -> String {
        self.one(e).alone()
    }

    fn one(&self, e: ExprId) -> Text {
        self.value(e).pop().expect("a scalar has one leaf")
    }

    /// A value, leaf by leaf.
    pub fn value(&self, e: ExprId) -> Vec<Text> {
        let expr = self.program.expr(e);
        match &expr.kind {
            ExprKind::Local(l) => self.variable(&self.locals[l.index()], expr.ty),
            ExprKind::Global(g) => self.variable(&self.names.globals[g.index()], expr.ty),
            ExprKind::Field(a, field) => {
                let range = self.field(self.program.ty(*a), *field);
                self.value(*a)[range].to_vec()
            }
            ExprKind::Index(a, i) => {
                if let Some(len) = self.short(self.program.ty(*a)) {
                    return self.element(self.value(*a), len, *i);
                }
                let index = self.index(*i);
                let of = |t: Text| Text::part(format!("{}[{index}]", t.at(Level::Part)));
                self.value(*a).into_iter().map(of).collect()
            }
            ExprKind::Record(values) => values.iter().flat_map(|&v| self.value(v)).collect(),
            ExprKind::Array(values) => self.array(expr.ty, values),
            ExprKind::Fill(value) => self.fill(expr.ty, *value),
            ExprKind::Ite(c, a, b) => {
                let c = self.scalar(*c);
                let of = |(a, b): (Text, Text)| {
                    Text::part(format!("(if {c} then {} else {})", a.alone(), b.alone()))
                };
                self.value(*a)
                    .into_iter()
                    .zip(self.value(*b))
                    .map(of)
                    .collect()
            }
            _ => vec![self.simple(&expr.kind, expr.ty)],
        }
    }

    fn variable(&self, name: &str, ty: TypeId) -> Vec<Text> {
        self.leaves(ty)
            .iter()
            .map(|leaf| Text::part(format!("{name}{}", leaf.suffix)))
            .collect()
    }

    /// Which leaves of a record belong to a field.
    fn field(&self, record: TypeId, field: u32) -> std::ops::Range<usize> {
        let Type::Record(r) = self.program.types.get(record) else {
            unreachable!("fields are of records")
        };
        let count = |i: usize| self.leaves(r.fields[i].1).len();
        let start = (0..field as usize).map(count).sum();
        start..start + count(field as usize)
    }

    /// An index: the keys of arrays are integers.
    fn index(&self, e: ExprId) -> String {
        match self.program.types.get(self.program.ty(e)) {
            Type::Bits(_) => self.to_int(e).alone(),
            _ => self.scalar(e),
        }
    }

    /// A key of a map, or an index of an array.
    fn key(&self, of: TypeId, e: ExprId) -> String {
        match self.program.types.get(of) {
            Type::Map(..) => self.scalar(e),
            _ => self.index(e),
        }
    }

    /// The length of an array that is taken apart.
    fn short(&self, ty: TypeId) -> Option<u32> {
        match self.program.types.get(ty) {
            Type::Array(len, _) => Some(*len).filter(|&len| is_short(len)),
            _ => None,
        }
    }

    /// The number of an element, if it is known.
    fn known(&self, index: ExprId, len: u32) -> Option<usize> {
        match self.program.expr(index).kind {
            ExprKind::Int(i) => usize::try_from(i.0).ok().filter(|&i| i < len as usize),
            _ => None,
        }
    }

    /// An element of an array that is taken apart: the last one, unless the index is that of another one.
    fn element(&self, all: Vec<Text>, len: u32, index: ExprId) -> Vec<Text> {
        let size = all.len() / len as usize;
        if let Some(k) = self.known(index, len) {
            return all[k * size..][..size].to_vec();
        }
        let index = self.equated(index);
        let of = |leaf: usize| {
            let choices: String = (0..len as usize - 1)
                .map(|k| format!("if {index} == {k} then {} else ", all[k * size + leaf].text))
                .collect();
            Text::part(format!("({choices}{})", all[all.len() - size + leaf].text))
        };
        (0..size).map(of).collect()
    }

    /// An index on a side of an equation.
    fn equated(&self, index: ExprId) -> String {
        Text {
            text: self.index(index),
            level: Level::Weak,
        }
        .at(match self.program.expr(index).kind {
            ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Field(..) => Level::Weak,
            _ => Level::Part,
        })
    }

    /// A place, leaf by leaf.
    pub fn place(&self, place: &Place) -> Vec<Target> {
        let (name, mut ty) = match place.root {
            Root::Global(g) => (
                &self.names.globals[g.index()],
                self.program.globals[g.index()].ty,
            ),
            Root::Local(l) => (&self.locals[l.index()], self.proc.locals[l.index()].ty),
        };
        let leaves = self.leaves(ty);
        let of = |leaf: &Leaf| format!("{name}{}", leaf.suffix);
        // The variables that the place may be, with the condition of each.
        let mut all: Vec<(String, Vec<String>)> =
            vec![(String::new(), leaves.iter().map(of).collect())];
        for step in &place.path {
            match (step, self.program.types.get(ty)) {
                (Step::Field(f), Type::Record(r)) => {
                    let range = self.field(ty, *f);
                    for (_, names) in &mut all {
                        *names = names[range.clone()].to_vec();
                    }
                    ty = r.fields[*f as usize].1;
                }
                (Step::Index(e), Type::Array(_, element) | Type::Map(_, element)) => {
                    if let Some(len) = self.short(ty) {
                        all = self.elements(&all, len, *e);
                    } else {
                        let key = self.key(ty, *e);
                        let names = all.iter_mut().flat_map(|(_, names)| names);
                        names.for_each(|name| *name = format!("{name}[{key}]"));
                    }
                    ty = *element;
                }
                _ => unreachable!("a step into a value without parts"),
            }
        }
        let targets = all.into_iter().flat_map(|(condition, names)| {
            let names = names.into_iter().enumerate();
            names.map(move |(leaf, name)| Target {
                name,
                leaf,
                condition: condition.clone(),
            })
        });
        targets.collect()
    }

    /// The element that an index means, or all elements, each under the condition that the index means it.
    fn elements(
        &self,
        all: &[(String, Vec<String>)],
        len: u32,
        index: ExprId,
    ) -> Vec<(String, Vec<String>)> {
        let known = self.known(index, len);
        let mut inside = Vec::new();
        for (condition, names) in all {
            let size = names.len() / len as usize;
            for (k, element) in names.chunks(size).enumerate() {
                let here = match known {
                    Some(known) if known == k => condition.clone(),
                    Some(_) => continue,
                    None if condition.is_empty() => format!("{} == {k}", self.equated(index)),
                    None => format!("{condition} && {} == {k}", self.equated(index)),
                };
                inside.push((here, element.to_vec()));
            }
        }
        inside
    }

    /// `base[0 := a][1 := b]`, where nothing looks at the rest of `base`.
    fn array(&self, ty: TypeId, values: &[ExprId]) -> Vec<Text> {
        if self.short(ty).is_some() {
            return values.iter().flat_map(|&v| self.value(v)).collect();
        }
        let values: Vec<_> = values.iter().map(|&v| self.value(v)).collect();
        let of = |(i, leaf): (usize, Leaf)| {
            let elements = values
                .iter()
                .enumerate()
                .map(|(k, v)| format!("[{k} := {}]", v[i].text));
            Text::part(self.base(&leaf) + &elements.collect::<String>())
        };
        self.leaves(ty).into_iter().enumerate().map(of).collect()
    }

    fn fill(&self, ty: TypeId, value: ExprId) -> Vec<Text> {
        let value = self.value(value);
        if let Some(len) = self.short(ty) {
            return (0..len).flat_map(|_| value.clone()).collect();
        }
        let of = |(leaf, v): (Leaf, Text)| match leaf.around[0].len {
            Some(len) if len <= WRITTEN_OUT => {
                let elements = (0..len).map(|k| format!("[{k} := {}]", v.text));
                Text::part(self.base(&leaf) + &elements.collect::<String>())
            }
            _ => Text::part(format!("{}({})", self.everywhere(&leaf), v.text)),
        };
        self.leaves(ty).into_iter().zip(value).map(of).collect()
    }

    /// A map about which nothing is known.
    fn base(&self, leaf: &Leaf) -> String {
        let ty = boogie_type(self.program, leaf);
        let name = format!("any.{}", word(&ty));
        self.needed
            .borrow_mut()
            .functions
            .insert(format!("const {name}: {ty};"));
        name
    }

    /// A function that gives the map with one value everywhere.
    fn everywhere(&self, leaf: &Leaf) -> String {
        let ty = boogie_type(self.program, leaf);
        let inner = boogie_type(
            self.program,
            &Leaf {
                around: leaf.around[1..].to_vec(),
                ..leaf.clone()
            },
        );
        let name = format!("fill.{}", word(&ty));
        let key = &leaf.around[0].key;
        self.needed.borrow_mut().functions.insert(format!(
            "function {name}(v: {inner}): {ty};\n\
             axiom (forall v: {inner}, k: {key} :: {{ {name}(v)[k] }} {name}(v)[k] == v);"
        ));
        name
    }

    fn simple(&self, kind: &ExprKind, ty: TypeId) -> Text {
        match kind {
            ExprKind::Bool(b) => Text::part(b.to_string()),
            ExprKind::Int(i) => self.number(i.0, ty),
            ExprKind::Unary(op, a) => self.unary(*op, *a),
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b),
            ExprKind::Convert(a) => self.convert(*a, ty),
            // A sequential program has none of these.
            ExprKind::NoTask | ExprKind::SelfTask => Text::part("0"),
            ExprKind::Finished(_) => Text::part("false"),
            _ => unreachable!("not a scalar's own form"),
        }
    }

    fn number(&self, i: i128, ty: TypeId) -> Text {
        match self.program.types.get(ty) {
            Type::Bits(Bits { width, .. }) => {
                Text::part(format!("{}bv{width}", i.rem_euclid(1 << width)))
            }
            Type::Enum(_) => match usize::try_from(i)
                .ok()
                .and_then(|i| self.names.parts[&ty].get(i))
            {
                Some(member) => Text::part(member.clone()),
                None => Text::part(i.to_string()),
            },
            _ => Text {
                text: i.to_string(),
                level: if i < 0 { Level::Unary } else { Level::Part },
            },
        }
    }

    fn bits(&self, e: ExprId) -> Option<Bits> {
        match self.program.types.get(self.program.ty(e)) {
            Type::Bits(bits) => Some(*bits),
            _ => None,
        }
    }

    /// A function of the solver's on machine integers.
    fn builtin(&self, name: &str, builtin: &str, params: &[&str], result: &str) -> String {
        let params = params
            .iter()
            .zip(["a", "b"])
            .map(|(ty, name)| format!("{name}: {ty}"))
            .collect::<Vec<_>>();
        let function = format!(
            "function {{:bvbuiltin \"{builtin}\"}} {name}({}): {result};",
            params.join(", ")
        );
        self.needed.borrow_mut().functions.insert(function);
        name.to_owned()
    }

    fn unary(&self, op: UnaryOp, a: ExprId) -> Text {
        if let (UnaryOp::Not, ExprKind::Unary(UnaryOp::Not, same)) =
            (op, &self.program.expr(a).kind)
            && self.bits(*same).is_none()
        {
            return self.one(*same);
        }
        let inner = self.one(a);
        if let Some(bits) = self.bits(a) {
            let builtin = if op == UnaryOp::Neg { "bvneg" } else { "bvnot" };
            let ty = format!("bv{}", bits.width);
            let name = self.builtin(&format!("{builtin}.{}", bits.width), builtin, &[&ty], &ty);
            return Text::part(format!("{name}({})", inner.text));
        }
        let symbol = if op == UnaryOp::Neg { "-" } else { "!" };
        Text {
            text: format!("{symbol}{}", inner.at(Level::Part)),
            level: Level::Unary,
        }
    }

    fn binary(&self, op: BinaryOp, a: ExprId, b: ExprId) -> Text {
        if op == BinaryOp::Eq {
            return self.equal(a, b);
        }
        if let Some(bits) = self.bits(a) {
            return self.machine(op, bits, a, b);
        }
        let (symbol, left, right, level) = match op {
            BinaryOp::Add => ("+", Level::Sum, Level::Product, Level::Sum),
            BinaryOp::Sub => ("-", Level::Sum, Level::Product, Level::Sum),
            BinaryOp::Mul => ("*", Level::Product, Level::Unary, Level::Product),
            BinaryOp::Div => ("div", Level::Unary, Level::Unary, Level::Product),
            BinaryOp::Rem => ("mod", Level::Unary, Level::Unary, Level::Product),
            BinaryOp::Lt => ("<", Level::Sum, Level::Sum, Level::Comparison),
            BinaryOp::Le => ("<=", Level::Sum, Level::Sum, Level::Comparison),
            BinaryOp::And => return self.chain("&&", Level::And, a, b),
            BinaryOp::Or => return self.chain("||", Level::Or, a, b),
            BinaryOp::Implies => ("==>", Level::Unary, Level::Unary, Level::Weak),
            _ => unreachable!("an operator of machine integers"),
        };
        let text = format!(
            "{} {symbol} {}",
            self.one(a).at(left),
            self.one(b).at(right)
        );
        Text { text, level }
    }

    /// A chain of `&&` or of `||`: the two do not mix without parentheses.
    fn chain(&self, symbol: &str, level: Level, a: ExprId, b: ExprId) -> Text {
        let side = |e: ExprId| {
            let text = self.one(e);
            if text.level == level {
                text.text
            } else {
                text.at(Level::Comparison)
            }
        };
        Text {
            text: format!("{} {symbol} {}", side(a), side(b)),
            level,
        }
    }

    fn machine(&self, op: BinaryOp, bits: Bits, a: ExprId, b: ExprId) -> Text {
        let signed = |s: &'static str, u: &'static str| if bits.signed { s } else { u };
        let builtin = match op {
            BinaryOp::Add => "bvadd",
            BinaryOp::Sub => "bvsub",
            BinaryOp::Mul => "bvmul",
            BinaryOp::Div => signed("bvsdiv", "bvudiv"),
            BinaryOp::Rem => signed("bvsrem", "bvurem"),
            BinaryOp::Lt => signed("bvslt", "bvult"),
            BinaryOp::Le => signed("bvsle", "bvule"),
            BinaryOp::BitAnd => "bvand",
            BinaryOp::BitOr => "bvor",
            BinaryOp::BitXor => "bvxor",
            BinaryOp::Shl => "bvshl",
            BinaryOp::Shr => signed("bvashr", "bvlshr"),
            _ => unreachable!("not an operator of machine integers"),
        };
        let ty = format!("bv{}", bits.width);
        let result = if matches!(op, BinaryOp::Lt | BinaryOp::Le) {
            "bool"
        } else {
            &ty
        };
        let name = self.builtin(
            &format!("{builtin}.{}", bits.width),
            builtin,
            &[&ty, &ty],
            result,
        );
        Text::part(format!(
            "{name}({}, {})",
            self.one(a).text,
            self.one(b).text
        ))
    }

    /// Arrays are equal when their elements are.
    fn equal(&self, a: ExprId, b: ExprId) -> Text {
        let leaves = self.leaves(self.program.ty(a));
        let sides = self.value(a).into_iter().zip(self.value(b));
        let mut all: Vec<Text> = Vec::new();
        for (leaf, (a, b)) in leaves.iter().zip(sides) {
            self.each_equal(&leaf.around, a.at(Level::Sum), b.at(Level::Sum), &mut all);
        }
        match all.len() {
            1 => all.remove(0),
            _ => {
                let parts: Vec<_> = all.iter().map(|t| t.at(Level::Comparison)).collect();
                Text {
                    text: parts.join(" && "),
                    level: Level::And,
                }
            }
        }
    }

    fn each_equal(&self, around: &[Dimension], a: String, b: String, all: &mut Vec<Text>) {
        match around.first().map(|d| d.len) {
            Some(Some(len)) if len <= WRITTEN_OUT => {
                for k in 0..len {
                    self.each_equal(&around[1..], format!("{a}[{k}]"), format!("{b}[{k}]"), all);
                }
            }
            Some(Some(len)) => {
                let mut inner = Vec::new();
                self.each_equal(
                    &around[1..],
                    format!("{a}[k]"),
                    format!("{b}[k]"),
                    &mut inner,
                );
                let parts: Vec<_> = inner.iter().map(|t| t.at(Level::Comparison)).collect();
                let body = format!("0 <= k && k < {len} ==> {}", parts.join(" && "));
                all.push(Text::part(format!("(forall k: int :: {body})")));
            }
            _ => all.push(Text {
                text: format!("{a} == {b}"),
                level: Level::Comparison,
            }),
        }
    }

    /// A number in another type.
    fn convert(&self, a: ExprId, ty: TypeId) -> Text {
        let to = match self.program.types.get(ty) {
            Type::Bits(bits) => *bits,
            _ => return self.to_int(a),
        };
        let inner = self.one(a);
        let Some(from) = self.bits(a) else {
            let builtin = format!("(_ int2bv {})", to.width);
            let name = self.builtin(
                &format!("int2bv.{}", to.width),
                &builtin,
                &["int"],
                &format!("bv{}", to.width),
            );
            return Text::part(format!("{name}({})", inner.text));
        };
        if to.width <= from.width {
            let whole = to.width == from.width;
            return if whole {
                inner
            } else {
                Text::part(format!("{}[{}:0]", inner.at(Level::Part), to.width))
            };
        }
        let by = to.width - from.width;
        let builtin = if from.signed {
            "sign_extend"
        } else {
            "zero_extend"
        };
        let name = format!("{builtin}.{}.{}", from.width, to.width);
        let (source, target) = (format!("bv{}", from.width), format!("bv{}", to.width));
        let name = self.builtin(&name, &format!("{builtin} {by}"), &[&source], &target);
        Text::part(format!("{name}({})", inner.text))
    }

    /// The number that a machine integer stands for.
    fn to_int(&self, a: ExprId) -> Text {
        let inner = self.one(a);
        let Some(bits) = self.bits(a) else {
            return inner;
        };
        let ty = format!("bv{}", bits.width);
        let unsigned = self.builtin(&format!("bv2int.{}", bits.width), "bv2int", &[&ty], "int");
        let text = inner.text;
        if !bits.signed {
            return Text::part(format!("{unsigned}({text})"));
        }
        let less = self.builtin(
            &format!("bvslt.{}", bits.width),
            "bvslt",
            &[&ty, &ty],
            "bool",
        );
        let (zero, all) = (format!("0bv{}", bits.width), 1i128 << bits.width);
        let negative = format!("{unsigned}({text}) - {all}");
        Text::part(format!(
            "(if {less}({text}, {zero}) then {negative} else {unsigned}({text}))"
        ))
    }

    /// The bounds of a leaf's type, as a condition on a variable; `None` if it has none.
    pub fn in_bounds(&self, leaf: &Leaf, variable: &str) -> Option<String> {
        let (lo, hi) = match self.program.types.get(leaf.scalar) {
            Type::Range(..) | Type::Enum(_) => self.program.types.bounds(leaf.scalar)?,
            _ => return None,
        };
        let mut all = Vec::new();
        bounds(
            &leaf.around,
            variable.to_owned(),
            0,
            &|v| format!("{lo} <= {v} && {v} <= {hi}"),
            &mut all,
        );
        Some(all.join(" && "))
    }
}

fn bounds(
    around: &[Dimension],
    v: String,
    depth: u32,
    of: &dyn Fn(&str) -> String,
    all: &mut Vec<String>,
) {
    let Some((outer, inner)) = around.split_first() else {
        return all.push(of(&v));
    };
    match outer.len {
        Some(len) if len <= WRITTEN_OUT => {
            for k in 0..len {
                bounds(inner, format!("{v}[{k}]"), depth, of, all);
            }
        }
        _ => {
            let mut parts = Vec::new();
            bounds(inner, format!("{v}[k{depth}]"), depth + 1, of, &mut parts);
            all.push(format!(
                "(forall k{depth}: {} :: {})",
                outer.key,
                parts.join(" && ")
            ));
        }
    }
}

/// A type as part of a name.
fn word(ty: &str) -> String {
    ty.replace(']', ".").replace('[', "")
}
