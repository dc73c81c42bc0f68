//! Keys: each has a value for each thread, and a destructor that gets the value when the thread ends.

use super::{Call, Value};
use crate::{Keys, Lowered, Lowerer};
use base::source::Span;
use c::typed::{ExprId as CExprId, FunctionId};
use c::types::Library;
use c_memory::{Memory, Target};
use ir::lower::Lower;
use ir::{BinaryOp, ErrorKind, ExprId, Place, Step, Type};
use thin_vec::thin_vec;

/// Keys that a program can make, if it is not known how many it makes.
const MOST_KEYS: u32 = 4;
/// How often destructors run, since they may set values again.
const ROUNDS: u32 = 4;

impl Lowerer<'_> {
    pub(super) fn key_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        let value = match (name, args) {
            ("pthread_key_create", &[key, destructor]) => {
                self.key_create(key, destructor, span)?;
                self.done(e)?
            }
            ("pthread_key_delete", &[key]) => {
                self.key_delete(key)?;
                self.done(e)?
            }
            ("pthread_setspecific", &[key, value]) => {
                let (key, value) = self.pair(key, value)?;
                let value = self.keep(value);
                let place = self.slot(key, span)?;
                self.store_place(place, value);
                self.done(e)?
            }
            ("pthread_getspecific", &[key]) => {
                let key = self.value(key)?;
                let place = self.slot(key, span)?;
                Value(Some(self.load_place(&place)))
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// The variables behind keys, made when the first is used.
    fn keys(&mut self) -> Keys {
        if let Some(keys) = self.keys {
            return keys;
        }
        let pointer = self.pointer_type();
        let threads = self.memory.threads;
        let types = &mut self.build.program.types;
        let most = self.memory.keys.unwrap_or(MOST_KEYS).max(1);
        let destructors = types.intern(Type::Array(most, pointer));
        let slots = types.intern(Type::Array(threads, destructors));
        let count = self.number_type();
        let keys = Keys {
            most,
            count: self.hidden_global("keys.", count),
            slots: self.hidden_global("values.", slots),
            destructors: self.hidden_global("destructors.", destructors),
        };
        // Each thread reaches only its own values.
        self.private.push(keys.slots);
        self.keys = Some(keys);
        keys
    }

    fn key_create(&mut self, key: CExprId, destructor: CExprId, span: Span) -> Lowered<()> {
        let found = self.object(key, Library::Key)?;
        let destructor = self.value(destructor)?;
        let destructor = self.keep(destructor);
        let keys = self.keys();
        let place = self.global_place(keys.count);
        let number = self.in_one_step(|l| {
            let number = l.peek(&place);
            let number = l.keep(number);
            if l.memory.keys.is_none() {
                let end = l.build.int(i128::from(keys.most), place.ty);
                let within = l.build.binary(BinaryOp::Lt, number, end);
                l.cut_unless(within, format!("more than {MOST_KEYS} keys are made here"))?;
            }
            l.count(&place, 1);
            let mut to = l.global_place(keys.destructors);
            to.path.push(Step::Index(number));
            to.ty = l.build.ty(destructor);
            l.store_place(to, destructor);
            Ok(number)
        })?;
        let number = self.converted(number, found.ty, span)?;
        self.store(&found, number)
    }

    /// Deletes a key: its destructor is no longer called. No other key gets its number.
    fn key_delete(&mut self, key: CExprId) -> Lowered<()> {
        let key = self.value(key)?;
        let key = self.known_key(key)?;
        if self.memory.destructors.is_empty() {
            return Ok(());
        }
        let all = self.keys().destructors;
        let mut place = self.global_place(all);
        place.path.push(Step::Index(key));
        place.ty = self.pointer_type();
        self.in_one_step(|l| {
            l.set(&place, 0);
            Ok(())
        })
    }

    /// Keeps the value of a key, and checks that it is less than the number of keys that can exist.
    fn known_key(&mut self, key: ExprId) -> Lowered<ExprId> {
        let keys = self.keys();
        let key = self.keep(key);
        let count = self.global_place(keys.count);
        let count = self.in_one_step(|l| {
            let count = l.peek(&count);
            Ok(l.keep(count))
        })?;
        let count = self.build.convert(count, self.build.ty(key));
        let within = self.build.binary(BinaryOp::Lt, key, count);
        let what = "this key was not created".to_owned();
        self.expect(ErrorKind::Index, within, what);
        Ok(key)
    }

    /// Where the running thread has its value for a key, which must exist.
    fn slot(&mut self, key: ExprId, span: Span) -> Lowered<Place> {
        let key = self.known_key(key)?;
        self.value_of_key(key, span)
    }

    fn value_of_key(&mut self, key: ExprId, span: Span) -> Lowered<Place> {
        let keys = self.keys();
        let number = self.own_number(span)?;
        let mut place = self.global_place(keys.slots);
        place.path = thin_vec![Step::Index(number), Step::Index(key)];
        place.ty = self.pointer_type();
        Ok(place)
    }

    /// Gives the values of keys to their destructors at the end of a thread, several times, since destructors may set values.
    pub(crate) fn run_destructors(&mut self) -> Lowered<()> {
        let functions: Vec<FunctionId> = self.memory.destructors.iter().copied().collect();
        if functions.is_empty() {
            return Ok(());
        }
        let keys = self.keys();
        self.body.ends = true;
        for _ in 0..ROUNDS {
            for key in 0..keys.most {
                self.destroy(keys, key, &functions)?;
            }
        }
        self.body.ends = false;
        Ok(())
    }

    fn destroy(&mut self, keys: Keys, key: u32, functions: &[FunctionId]) -> Lowered<()> {
        let span = self.body.span;
        let number = self.number_type();
        let index = self.build.int(i128::from(key), number);
        let place = self.value_of_key(index, span)?;
        let value = self.load_place(&place);
        let mut of = self.global_place(keys.destructors);
        of.path.push(Step::Index(index));
        of.ty = place.ty;
        let destructor = self.in_one_step(|l| {
            let value = l.load_place(&of);
            Ok(l.keep(value))
        })?;
        let zero = self.build.int(0, place.ty);
        let (no_value, none) = (
            self.build.binary(BinaryOp::Eq, value, zero),
            self.build.binary(BinaryOp::Eq, destructor, zero),
        );
        let nothing = self.build.binary(BinaryOp::Or, no_value, none);
        let something = self.build.not(nothing);
        self.when(something, |l| {
            l.store_place(place.clone(), zero);
            for &function in functions {
                let address = Memory::function_address(function);
                let own = l.build.int(i128::from(address), place.ty);
                let this = l.build.binary(BinaryOp::Eq, destructor, own);
                l.when(this, |l| l.run(function, vec![value], span))?;
            }
            Ok(())
        })?;
        Ok(())
    }

    /// The functions that an argument can be.
    pub(crate) fn functions_of(&self, arg: CExprId) -> Vec<FunctionId> {
        let targets = self.memory.targets(arg);
        targets.filter_map(Target::function).collect()
    }
}
