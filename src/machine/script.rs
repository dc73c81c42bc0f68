//! Data choices by a script, for the machine of `semantics`: every value of every choice, one run each.

use ir::{ChoiceKind, Type, TypeId, Types, Value};
use semantics::Env;
use trace::Decision;

/// Types of more values are not enumerated.
const CHOICES: u128 = 1 << 16;

/// Makes the choices of one segment: each as its number among the values of its type.
#[derive(Clone, Debug)]
pub struct Script<'p> {
    types: &'p Types,
    picks: Vec<(u128, u128)>,
    next: usize,
    pub made: Vec<Value>,
    /// Whether the segment ended at a `sleep`.
    pub slept: bool,
}

impl Env for Script<'_> {
    fn choose(&mut self, ty: TypeId, _: ChoiceKind) -> Result<Value, String> {
        let Some(count) = self.types.size(ty).filter(|&n| n <= CHOICES) else {
            self.made.push(Value::Any);
            return Ok(Value::Any);
        };
        if self.next == self.picks.len() {
            self.picks.push((0, count));
        }
        let mut number = self.picks[self.next].0;
        self.next += 1;
        let value = nth(self.types, ty, &mut number);
        self.made.push(value.clone());
        Ok(value)
    }

    fn slept(&mut self) {
        self.slept = true;
    }
}

impl<'p> Script<'p> {
    /// The first script.
    pub fn new(types: &'p Types) -> Self {
        Self {
            types,
            picks: Vec::new(),
            next: 0,
            made: Vec::new(),
            slept: false,
        }
    }

    /// What was chosen, as decisions of a schedule.
    pub fn decisions(&self) -> impl Iterator<Item = Decision> + '_ {
        self.made.iter().cloned().map(Decision::Choose)
    }

    /// Goes to the next script; answers whether there is one.
    pub fn advance(&mut self) -> bool {
        self.next = 0;
        self.made.clear();
        self.slept = false;
        while let Some((pick, count)) = self.picks.pop() {
            if pick + 1 < count {
                self.picks.push((pick + 1, count));
                return true;
            }
        }
        false
    }
}

/// Returns the value of a finite type with a number. Takes the value's digits off the number, the lowest first.
fn nth(types: &Types, ty: TypeId, number: &mut u128) -> Value {
    match types.get(ty) {
        Type::Record(r) => Value::Record(
            r.fields
                .iter()
                .map(|&(_, t)| nth(types, t, number))
                .collect(),
        ),
        Type::Array(n, t) => Value::Array((0..*n).map(|_| nth(types, *t, number)).collect()),
        Type::Map(k, t) => {
            let keys = types.size(*k).unwrap_or(0);
            let entries: Vec<_> = (0..keys)
                .map(|i| (nth(types, *k, &mut { i }), nth(types, *t, number)))
                .collect();
            let rest = entries.first().map_or(Value::Any, |(_, v)| v.clone());
            Value::map(types, *k, rest, entries)
        }
        scalar => {
            let (lo, hi) = types.bounds(ty).unwrap_or((0, 0));
            let count = hi.abs_diff(lo).saturating_add(1);
            let i = lo + i128::try_from(*number % count).unwrap_or(0);
            *number /= count;
            if *scalar == Type::Bool {
                Value::Bool(i == 1)
            } else {
                Value::Int(i)
            }
        }
    }
}
