//! Which functions may run several times at once.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::Flow;
use super::forms::calls;
use super::output::is_output;
use super::unconverted;
use c::typed::{Callee, Conversion, ExprId, ExprKind as C, FunctionId, Unit};
use c::types::Library;

/// Where a function is called, or made a thread.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub by: FunctionId,
    /// An expression of the call. A call that stands later in the text has a greater one, unless jumps lead out of functions.
    pub at: ExprId,
    /// Whether the call may happen more than once in a run of the function `by`.
    pub repeated: bool,
}

#[derive(Debug, Default)]
pub struct Threads {
    /// By function: where threads are started with it.
    starts: BTreeMap<FunctionId, Vec<Site>>,
    calls: BTreeMap<FunctionId, Vec<Site>>,
    /// Functions that may call themselves.
    pub recursive: BTreeSet<FunctionId>,
    main: Option<FunctionId>,
    /// How many threads there are at most beside the first, if that is known.
    pub most: Option<u32>,
}

/// Whether a pointer leads to an integer that is as large as a thread's handle.
pub fn is_number_for_handle(unit: &Unit, to: ExprId) -> bool {
    let pointer = unit[unconverted(unit, to)].ty.ty;
    let pointee = unit.types.pointee(pointer).map(|p| p.ty);
    pointee.is_some_and(|ty| {
        let number = unit.types.is_integer(ty) && unit.types.library(ty).is_none();
        number && crate::size_of(unit, ty) == 8
    })
}

/// Whether handles of threads are converted to numbers or from them, other than to print them.
pub fn numbers_of_handles(unit: &Unit) -> bool {
    let handle = |e: ExprId| unit.types.library(unit[e].ty.ty) == Some(Library::Thread);
    let converts = |e: ExprId| match unit[e].kind {
        C::Convert(how, of) => {
            let number = |e: ExprId| unit.types.is_scalar(unit[e].ty.ty) && !handle(e);
            let both = handle(e) && number(of) || handle(of) && number(e);
            both && how != Conversion::Bool && unit.constant(of).is_none()
        }
        _ => false,
    };
    let printed = unit.exprs.iter().filter_map(|e| match e.kind {
        C::Call(Callee::Direct(f), args) if is_output(unit.name(unit[f].name)) => Some(&unit[args]),
        _ => None,
    });
    let printed = printed
        .flat_map(|args| args.iter())
        .filter(|&&e| converts(e));
    let all = (0..unit.exprs.len()).filter(|&e| converts(ExprId(e as u32)));
    let mut stored = calls(unit, "pthread_create").filter_map(|args| args.first());
    all.count() > printed.count() || stored.any(|&to| is_number_for_handle(unit, to))
}

impl Threads {
    pub fn of(unit: &Unit, flow: &Flow<'_>) -> Self {
        let mut threads = Self {
            starts: flow.sites(true),
            calls: flow.sites(false),
            main: unit.main,
            ..Self::default()
        };
        for &function in &flow.reachable {
            let called = threads.callers(function);
            if called.contains(&function) {
                threads.recursive.insert(function);
            }
        }
        let mut most = Some(0);
        for sites in threads.starts.values() {
            let single = sites.iter().all(|s| !s.repeated && threads.once(s.by, 0));
            most = most.filter(|_| single).map(|n| n + sites.len() as u32);
        }
        threads.most = most;
        threads
    }

    /// The functions that call a function, directly or by way of others. They include the function itself only if it may call itself.
    fn callers(&self, function: FunctionId) -> BTreeSet<FunctionId> {
        let mut seen = BTreeSet::new();
        let mut work = vec![function];
        while let Some(next) = work.pop() {
            for site in self.calls.get(&next).into_iter().flatten() {
                if seen.insert(site.by) {
                    work.push(site.by);
                }
            }
        }
        seen
    }

    /// Whether a function runs at most once in an execution.
    fn once(&self, function: FunctionId, depth: u32) -> bool {
        if depth > 64 || self.recursive.contains(&function) {
            return false;
        }
        let none = Vec::new();
        let calls = self.calls.get(&function).unwrap_or(&none);
        let starts = self.starts.get(&function).unwrap_or(&none);
        let mut sites = calls.iter().chain(starts);
        match (Some(function) == self.main, sites.next(), sites.next()) {
            (true, None, _) => true,
            (false, Some(site), None) => !site.repeated && self.once(site.by, depth + 1),
            _ => false,
        }
    }

    /// The functions that run at most once in an execution.
    pub fn once_only(&self, flow: &Flow<'_>) -> BTreeSet<FunctionId> {
        let all = flow.reachable.iter().copied();
        all.filter(|&f| self.once(f, 0)).collect()
    }

    /// The functions that may run several times at once.
    pub fn multiple(&self, flow: &Flow<'_>) -> BTreeSet<FunctionId> {
        let is_multiple = |function: FunctionId| {
            if self.recursive.contains(&function) {
                return true;
            }
            let mut runners = self.callers(function);
            runners.insert(function);
            let roots: Vec<FunctionId> = runners
                .into_iter()
                .filter(|f| Some(*f) == self.main || self.starts.contains_key(f))
                .collect();
            match roots.as_slice() {
                [root] if Some(*root) == self.main => self.starts.contains_key(root),
                [root] => !self.once(*root, 0),
                _ => true,
            }
        };
        flow.reachable
            .iter()
            .copied()
            .filter(|&f| is_multiple(f))
            .collect()
    }
}
