//! Finds the statement after which `main` is alone again, because it has joined every thread.
//!
//! Only simple forms count. `main` makes all threads. One `pthread_create` and one `pthread_join` name each handle: it is a
//! variable, or an array whose elements two loops of the same form go through.

use c::sema::SPAWN;
use c::typed::{
    Callee, Conversion, ExprId, ExprKind as C, FunctionId, Init, StmtId, StmtKind as S, Unit,
    Update, UpdateOp, VarId,
};
use thin_vec::thin_vec;

/// Functions that make threads.
const MAKERS: [&str; 5] = [
    "pthread_create",
    "thrd_create",
    "__VERIFIER_spawn",
    "__VERIFIER_spawn_symmetric",
    SPAWN,
];

/// The statement of `main`'s block after which all threads are joined, if there is one.
pub fn all_joined(unit: &Unit) -> Option<StmtId> {
    let main = unit.main?;
    let S::Block(statements) = &unit[unit[main].body?].kind else {
        return None;
    };
    if unit.labels.iter().any(|l| l.function == main) {
        return None;
    }
    let seen = Seen { unit };
    let made: Vec<Handle> = (statements.iter())
        .flat_map(|&s| seen.handles(s, &["pthread_create", "thrd_create"]))
        .collect::<Option<_>>()?;
    // No other call makes threads.
    if made.is_empty() || made.len() != seen.calls(&MAKERS) {
        return None;
    }
    if !made
        .iter()
        .all(|handle| seen.mentions(handle.variable) == 2)
    {
        return None;
    }
    let mut left = made;
    for &stmt in statements {
        // A join whose handle has no simple form joins nothing.
        let joined = seen.handles(stmt, &["pthread_join", "thrd_join"]);
        for joined in joined.into_iter().flatten() {
            left.retain(|handle| !handle.is_joined_by(unit, &joined));
        }
        if left.is_empty() {
            return Some(stmt);
        }
    }
    None
}

/// A handle of a thread, as it is named in a call.
struct Handle {
    variable: VarId,
    /// The loop that goes through the array, for an element of one.
    turns: Option<Turns>,
}

/// `for (i = from; i OP to; i++)`
#[derive(Clone, Copy)]
struct Turns {
    counter: VarId,
    from: i128,
    cond: ExprId,
}

impl Handle {
    fn is_joined_by(&self, unit: &Unit, join: &Self) -> bool {
        let same = match (self.turns, join.turns) {
            (None, None) => true,
            (Some(a), Some(b)) => a.from == b.from && same_end(unit, a, b),
            _ => false,
        };
        self.variable == join.variable && same
    }
}

/// Whether two loops end at the same count: their conditions compare the counter in the same way with the same number.
fn same_end(unit: &Unit, a: Turns, b: Turns) -> bool {
    let end = |turns: Turns| match unit[turns.cond].kind {
        C::Compare(op, l, r) if is_value_of(unit, l, turns.counter) => {
            Some((op, unit.constant(r)?))
        }
        _ => None,
    };
    end(a).is_some() && end(a) == end(b)
}

/// An expression without its conversions.
fn plain(unit: &Unit, e: ExprId) -> ExprId {
    match unit[e].kind {
        C::Convert(Conversion::Same | Conversion::Integer | Conversion::Pointer, of) => {
            plain(unit, of)
        }
        _ => e,
    }
}

fn is_value_of(unit: &Unit, e: ExprId, variable: VarId) -> bool {
    matches!(unit[plain(unit, e)].kind, C::Load(place) if is_variable(unit, place, variable))
}

fn is_variable(unit: &Unit, place: ExprId, variable: VarId) -> bool {
    matches!(unit[place].kind, C::Var(v) if v == variable)
}

struct Seen<'a> {
    unit: &'a Unit,
}

impl Seen<'_> {
    fn named(&self, function: FunctionId, names: &[&str]) -> bool {
        names.contains(&self.unit.name(self.unit[function].name))
    }

    /// How many calls of functions with these names there are.
    fn calls(&self, names: &[&str]) -> usize {
        let mut count = 0;
        for expr in &self.unit.exprs {
            match expr.kind {
                C::Call(Callee::Direct(f), _) if self.named(f, names) => count += 1,
                // A function that is used as a value may be called from anywhere.
                C::Function(f) if self.named(f, names) => count = usize::MAX / 2,
                _ => {}
            }
        }
        count
    }

    /// How often a variable is named.
    fn mentions(&self, variable: VarId) -> usize {
        let named = |e: &&c::typed::Expr| matches!(e.kind, C::Var(v) if v == variable);
        self.unit.exprs.iter().filter(named).count()
    }

    /// The handles of the calls in a statement of `main`; `None` for a handle that has no simple form.
    fn handles(&self, stmt: StmtId, names: &[&str]) -> Vec<Option<Handle>> {
        let mut found = Vec::new();
        match &self.unit[stmt].kind {
            S::Expr(e) => self.in_expr(*e, names, None, &mut found),
            S::Declare(v) => {
                if let Some(init) = self.unit[*v].init
                    && let Init::Value(e) = &self.unit[init]
                {
                    self.in_expr(*e, names, None, &mut found);
                }
            }
            // The condition is computed in any case, the branches are not.
            S::If(cond, ..) => self.in_expr(*cond, names, None, &mut found),
            S::Block(all) => {
                for &inner in all {
                    found.extend(self.handles(inner, names));
                }
            }
            S::For(first, Some(cond), Some(step), body) => {
                let turns = self.turns(first, *cond, *step, *body);
                let all = match &self.unit[*body].kind {
                    S::Block(all) => all.clone(),
                    _ => thin_vec![*body],
                };
                for inner in all {
                    match (&self.unit[inner].kind, turns) {
                        (S::Expr(e), Some(turns)) => {
                            self.in_expr(*e, names, Some(turns), &mut found);
                        }
                        (S::If(cond, ..), Some(turns)) => {
                            self.in_expr(*cond, names, Some(turns), &mut found);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        found
    }

    /// The calls that an expression makes whenever it is computed.
    fn in_expr(
        &self,
        e: ExprId,
        names: &[&str],
        at: Option<Turns>,
        found: &mut Vec<Option<Handle>>,
    ) {
        let unit = self.unit;
        match &unit[e].kind {
            C::Call(Callee::Direct(f), args) if self.named(*f, names) => {
                found.push(unit[*args].first().and_then(|&arg| self.handle(arg, at)));
            }
            C::Convert(_, of) | C::Not(of) => self.in_expr(*of, names, at, found),
            C::Compare(_, l, r) | C::Comma(l, r) => {
                self.in_expr(*l, names, at, found);
                self.in_expr(*r, names, at, found);
            }
            C::Assign(_, value) => self.in_expr(*value, names, at, found),
            // `assert(pthread_join(t, 0) == 0)`
            C::Conditional(c, ..) | C::And(c, _) | C::Or(c, _) => {
                self.in_expr(*c, names, at, found);
            }
            _ => {}
        }
    }

    /// `&t`, `t`, `&t[i]`, `t[i]`, `t + i`
    fn handle(&self, arg: ExprId, turns: Option<Turns>) -> Option<Handle> {
        let unit = self.unit;
        let named = |variable, turns| Some(Handle { variable, turns });
        let element = |array: ExprId, index: ExprId| {
            let turns = turns?;
            let C::Var(variable) = unit[array].kind else {
                return None;
            };
            is_value_of(unit, index, turns.counter).then_some(())?;
            named(variable, Some(turns))
        };
        match unit[plain(unit, arg)].kind {
            C::AddressOf(place) | C::Load(place) => match unit[place].kind {
                C::Var(variable) if turns.is_none() => named(variable, None),
                C::Index(array, index) => match unit[array].kind {
                    C::Decay(array) => element(array, index),
                    _ => None,
                },
                _ => None,
            },
            C::Offset {
                pointer,
                by,
                back: false,
            } => match unit[pointer].kind {
                C::Decay(array) => element(array, by),
                _ => None,
            },
            _ => None,
        }
    }

    /// The turns of a loop that counts by one, if nothing in its body leaves it or changes the counter.
    fn turns(&self, first: &[StmtId], cond: ExprId, step: ExprId, body: StmtId) -> Option<Turns> {
        let unit = self.unit;
        let &[first] = first else { return None };
        let (counter, from) = match unit[first].kind {
            S::Declare(v) => match &unit[unit[v].init?] {
                Init::Value(e) => (v, unit.constant(*e)?),
                _ => return None,
            },
            S::Expr(e) => match unit[plain(unit, e)].kind {
                C::Assign(place, value) => match unit[place].kind {
                    C::Var(v) => (v, unit.constant(value)?),
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        let C::Update(update) = &unit[plain(unit, step)].kind else {
            return None;
        };
        let counts = is_variable(unit, update.place, counter) && adds_one(unit, update);
        // No pointer leads to the counter, and the body does not set it.
        let calm = self.only_counts(counter) && !self.leaves(body);
        (counts && calm).then_some(Turns {
            counter,
            from,
            cond,
        })
    }

    /// Whether a variable is a local of `main` whose address the program never takes.
    fn only_counts(&self, counter: VarId) -> bool {
        let unit = self.unit;
        let own = |e: ExprId| is_variable(unit, e, counter);
        let in_main = unit[counter].function.is_some() && unit[counter].function == unit.main;
        in_main
            && !unit
                .exprs
                .iter()
                .any(|e| matches!(e.kind, C::AddressOf(place) if own(place)))
    }

    /// Whether a loop's body may leave the loop or set a counter. Anything but expressions and branches counts as such.
    fn leaves(&self, body: StmtId) -> bool {
        let unit = self.unit;
        let all = match &unit[body].kind {
            S::Block(all) => all.as_slice(),
            _ => std::slice::from_ref(&body),
        };
        !all.iter().all(|&stmt| match &unit[stmt].kind {
            S::Empty => true,
            S::Expr(e) => !self.sets_variables(*e),
            S::If(cond, yes, no) => {
                !self.sets_variables(*cond)
                    && !self.leaves_by_jump(*yes)
                    && no.is_none_or(|no| !self.leaves_by_jump(no))
            }
            _ => false,
        })
    }

    /// Whether an expression may set a counter: it does more than call functions, read, and assign to other places.
    fn sets_variables(&self, e: ExprId) -> bool {
        let unit = self.unit;
        match &unit[e].kind {
            C::Call(_, args) => unit[*args].iter().any(|&a| self.sets_variables(a)),
            C::Convert(_, of)
            | C::Not(of)
            | C::Load(of)
            | C::AddressOf(of)
            | C::Decay(of)
            | C::Deref(of)
            | C::Member(of, _) => self.sets_variables(*of),
            C::Compare(_, l, r) | C::Comma(l, r) | C::Index(l, r) | C::Binary(_, l, r) => {
                self.sets_variables(*l) || self.sets_variables(*r)
            }
            C::Offset { pointer, by, .. } => {
                self.sets_variables(*pointer) || self.sets_variables(*by)
            }
            // An assignment to anything but a counter is harmless.
            C::Assign(place, value) => {
                matches!(unit[*place].kind, C::Var(v) if self.is_counter(v))
                    || self.sets_variables(*place)
                    || self.sets_variables(*value)
            }
            C::Conditional(c, a, b) => [c, a, b].into_iter().any(|&e| self.sets_variables(e)),
            C::And(l, r) | C::Or(l, r) => self.sets_variables(*l) || self.sets_variables(*r),
            C::Var(_) | C::Int(_) | C::Float(_) | C::Text(_) | C::Function(_) => false,
            _ => true,
        }
    }

    /// Whether some loop counts with a variable.
    fn is_counter(&self, variable: VarId) -> bool {
        self.unit.stmts.iter().any(|s| match &s.kind {
            S::For(_, _, Some(step), _) => match &self.unit[plain(self.unit, *step)].kind {
                C::Update(update) => is_variable(self.unit, update.place, variable),
                _ => false,
            },
            _ => false,
        })
    }

    /// Whether a branch may go on outside of the loop, or set a counter.
    fn leaves_by_jump(&self, stmt: StmtId) -> bool {
        let unit = self.unit;
        match &unit[stmt].kind {
            S::Empty => false,
            S::Block(all) => all.iter().any(|&s| self.leaves_by_jump(s)),
            S::Expr(e) => self.sets_variables(*e),
            // It leaves `main`, so nothing comes after the loop.
            S::Return(_) => false,
            _ => true,
        }
    }
}

fn adds_one(unit: &Unit, update: &Update) -> bool {
    matches!(update.op, UpdateOp::Arithmetic(c::typed::BinaryOp::Add))
        && unit.constant(update.value) == Some(1)
}
