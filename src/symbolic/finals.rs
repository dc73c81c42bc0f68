//! Final states: one by one where few values are open, otherwise as expressions with what holds.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use answer::OpenFinal;
use ir::{GlobalId, Type, TypeId, Value};
use smt::layout::Elements;
use smt::term::{Assignment, Datum, Node, Sort, Term, Var, evaluate_few};
use smt::value::value;

use super::canon::{Canonical, Form, Key};
use super::machine::Machine;
use super::state::State;
use super::words::{Names, Words};

/// The most combinations of values that are tried one by one.
const FEW: u64 = 1 << 12;

/// The final states at the ends that a search has found.
#[derive(Default)]
pub(super) struct Finals {
    /// Final states without open values.
    pub closed: BTreeSet<Vec<Value>>,
    pub open: BTreeSet<OpenFinal>,
    known: FxHashSet<Key>,
}

/// The visible globals at an end: their leaves, and the conditions and variables that belong to them.
struct EndValues {
    globals: Vec<(String, TypeId, Vec<Term>)>,
    conditions: Vec<Term>,
    vars: Vec<Var>,
}

impl Finals {
    /// Adds the final states that the state at an end stands for.
    pub fn take<'p>(&mut self, machine: &mut Machine<'p>, end: &State<'p>) {
        let Canonical { state, key, .. } = shown(machine, end);
        if !self.known.insert(key) {
            return;
        }
        let rest = EndValues::of(machine, &state);
        match rest.few(machine) {
            Some(count) if rest.each(machine, count, &mut self.closed) => {}
            _ => {
                self.open.insert(rest.described(machine));
            }
        }
    }
}

/// The form of a state at an end, without the parts that are not shown.
fn shown<'p>(machine: &mut Machine<'p>, end: &State<'p>) -> Canonical<'p> {
    let mut state = end.clone();
    let mut globals = machine.start().state.globals.to_vec();
    for (global, id) in machine.program.globals.iter().zip(0..) {
        if global.is_final() {
            let leaves = machine.rows.global(GlobalId(id));
            globals[leaves.clone()].copy_from_slice(&state.globals[leaves]);
        }
    }
    state.globals = globals.into();
    machine.canonical(state, Form::Renamed)
}

impl EndValues {
    fn of(machine: &mut Machine<'_>, state: &State<'_>) -> Self {
        let program = machine.program;
        let visible = program.globals.iter().zip(0..);
        let visible = visible.filter(|(global, _)| global.is_final());
        let globals = visible.map(|(global, id)| {
            let leaves = machine.rows.global(GlobalId(id));
            (
                global.name.clone(),
                global.ty,
                state.globals[leaves].to_vec(),
            )
        });
        let globals = Vec::from_iter(globals);
        let mut vars = Vec::new();
        let mut known = FxHashSet::default();
        let leaves = globals.iter().flat_map(|g| &g.2);
        for &term in leaves.chain(&*state.path.literals) {
            let own = machine.oracle.vars(&machine.terms, term);
            vars.extend(own.iter().copied().filter(|&v| known.insert(v)));
        }
        Self {
            globals,
            conditions: state.path.literals.to_vec(),
            vars,
        }
    }

    /// Returns how many combinations of values the variables have, if there are at most [`FEW`].
    fn few(&self, machine: &Machine<'_>) -> Option<u64> {
        let mut count = 1u64;
        for &var in &self.vars {
            let info = machine.terms.var(var);
            let own = match info.sort {
                Sort::Bool => 2,
                Sort::Int => {
                    let (lo, hi) = info.interval.bounds()?;
                    u64::try_from(hi.checked_sub(lo)?.checked_add(1)?).ok()?
                }
                Sort::Map { .. } => return None,
            };
            count = count.checked_mul(own).filter(|&n| n <= FEW)?;
        }
        Some(count)
    }

    /// Takes every final state, or none where a number takes more than 128 bits.
    fn each(&self, machine: &Machine<'_>, count: u64, all: &mut BTreeSet<Vec<Value>>) -> bool {
        let states = (0..count).map(|number| self.state(machine, number));
        let states: Option<Vec<Option<Vec<Value>>>> = states.collect();
        let complete = states.is_some();
        all.extend(states.into_iter().flatten().flatten());
        complete
    }

    /// Returns the final state under values given as a number. Inner `None`: a condition fails. Outer `None`: over 128 bits.
    fn state(&self, machine: &Machine<'_>, number: u64) -> Option<Option<Vec<Value>>> {
        let values = self.numbered(machine, number);
        let holds = evaluate_few(&machine.terms, &values, &self.conditions)?;
        if !holds.iter().all(Datum::holds) {
            return Some(None);
        }
        let globals = self.globals.iter().map(|(_, ty, leaves)| {
            let data = evaluate_few(&machine.terms, &values, leaves)?;
            value(&machine.layouts, *ty, &mut data.into_iter()).ok()
        });
        globals.collect::<Option<_>>().map(Some)
    }

    /// Returns the values of the variables: a digit of the number for each.
    fn numbered(&self, machine: &Machine<'_>, mut number: u64) -> Assignment {
        let mut values = Assignment::default();
        for &var in &self.vars {
            let info = machine.terms.var(var);
            let bounds = info.interval.bounds().filter(|_| info.sort == Sort::Int);
            let (lo, hi) = bounds.unwrap_or((0, 1));
            let size = u64::try_from(hi - lo).unwrap_or(0) + 1;
            let digit = i128::from(number % size);
            number /= size;
            let value = match info.sort {
                Sort::Bool => Datum::Bool(digit == 1),
                _ => Datum::Int(lo + digit),
            };
            values.set(var, value);
        }
        values
    }

    /// The final state as expressions.
    fn described(&self, machine: &mut Machine<'_>) -> OpenFinal {
        let mut parts = Vec::new();
        for (name, ty, leaves) in &self.globals {
            spread(machine, name.clone(), *ty, leaves, &mut parts);
        }
        let names = self.names(machine, &parts);
        let words = Words {
            terms: &machine.terms,
            names: &names,
        };
        let types = machine.layouts.types();
        let mut own = FxHashSet::default();
        let values = parts.iter().map(|part| {
            let data = evaluate_few(&machine.terms, &Assignment::default(), &part.leaves);
            let closed = data.filter(|_| part.is_closed);
            let known =
                closed.and_then(|d| value(&machine.layouts, part.ty, &mut d.into_iter()).ok());
            let text = match known {
                Some(known) => known.show(types, part.ty),
                None if names_itself(machine, &names, part) && own.insert(&part.name) => {
                    "*".to_owned()
                }
                None => Vec::from_iter(part.leaves.iter().map(|&leaf| words.of(leaf))).join("; "),
            };
            (part.name.clone(), text)
        });
        let values = values.collect();
        let bounds = self.bounds(machine, &names, &parts);
        let conditions = self.conditions.iter().map(|&c| words.of(c));
        OpenFinal {
            values,
            conditions: bounds.into_iter().chain(conditions).collect(),
        }
    }

    /// Names each variable after the global that holds it; numbers the others.
    fn names(&self, machine: &Machine<'_>, parts: &[Part]) -> Names {
        let mut names = Names::default();
        for part in parts {
            if let Some(var) = part.var(machine) {
                names.entry(var).or_insert_with(|| part.name.clone());
            }
        }
        let mut number = 0;
        for &var in &self.vars {
            names.entry(var).or_insert_with(|| {
                number += 1;
                format!("?{number}")
            });
        }
        names
    }

    /// Returns the bounds of the variables that no global holds: no type of a global shows them.
    fn bounds(&self, machine: &Machine<'_>, names: &Names, parts: &[Part]) -> Vec<String> {
        let held: FxHashSet<Var> = parts.iter().filter_map(|p| p.var(machine)).collect();
        let others = self.vars.iter().filter(|v| !held.contains(v));
        let bounds = others.filter_map(|var| {
            let interval = machine.terms.var(*var).interval;
            let (lo, hi) = interval.bounds()?;
            Some(format!("{lo} <= {} <= {hi}", names[var]))
        });
        bounds.collect()
    }
}

/// A part of a global that is shown by itself.
struct Part {
    name: String,
    ty: TypeId,
    leaves: Vec<Term>,
    is_closed: bool,
}

impl Part {
    /// Returns the variable, if the part is just that.
    fn var(&self, machine: &Machine<'_>) -> Option<Var> {
        let &[leaf] = &self.leaves[..] else {
            return None;
        };
        match machine.terms.get(leaf) {
            Node::Var(var) if !leaf.negated() => Some(var),
            _ => None,
        }
    }
}

fn names_itself(machine: &Machine<'_>, names: &Names, part: &Part) -> bool {
    let name = part.var(machine).and_then(|var| names.get(&var));
    name == Some(&part.name)
}

/// Adds a global as a whole if its values are known, otherwise its parts.
fn spread(
    machine: &mut Machine<'_>,
    name: String,
    ty: TypeId,
    leaves: &[Term],
    parts: &mut Vec<Part>,
) {
    let open = |machine: &mut Machine<'_>, leaf: &Term| {
        !machine.oracle.vars(&machine.terms, *leaf).is_empty()
    };
    let is_closed = !leaves.iter().any(|leaf| open(machine, leaf));
    let inner: Vec<(String, TypeId, usize)> = match machine.layouts.ty(ty) {
        Type::Record(record) if !is_closed => {
            let fields = record.fields.iter();
            Vec::from_iter(
                fields
                    .map(|(field, ty)| (format!("{name}.{field}"), *ty, machine.layouts.len(*ty))),
            )
        }
        Type::Array(..) | Type::Map(..) if !is_closed => match machine.layouts.elements(ty) {
            (Elements::Spread { first, len }, element) => {
                let width = machine.layouts.len(element);
                let indices = (first..).take(len);
                Vec::from_iter(indices.map(|i| (format!("{name}[{i}]"), element, width)))
            }
            (Elements::Folded, _) => Vec::new(),
        },
        _ => Vec::new(),
    };
    if inner.is_empty() {
        parts.push(Part {
            name,
            ty,
            leaves: leaves.to_vec(),
            is_closed,
        });
        return;
    }
    let mut at = 0;
    for (name, ty, width) in inner {
        spread(machine, name, ty, &leaves[at..at + width], parts);
        at += width;
    }
}
