//! Memory that was freed and could be handed out again.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::Flow;
use super::leaps::LEAPS;
use super::threads::Site;
use super::{Made, Object, alignment, own_function};
use c::typed::{Callee, ExprId, ExprKind as C, FunctionId, Unit};

/// By allocation: the first allocation that makes such objects (one type, one length, one alignment). These allocations share their objects.
pub fn shared(unit: &Unit, flow: &Flow<'_>) -> BTreeMap<ExprId, ExprId> {
    let mut first: BTreeMap<(u32, Option<u64>, u64, bool), ExprId> = BTreeMap::new();
    let mut shared = BTreeMap::new();
    for (&site, &Made { ty, len, .. }) in &flow.heap {
        let ty = unit.types.canonical(ty);
        // What lies on the stack is never handed out to others.
        let framed = is_call_of(unit, site, "alloca");
        let align = alignment(unit, Object::Heap(site));
        let one = *first.entry((ty.0, len, align, framed)).or_insert(site);
        shared.insert(site, one);
    }
    shared
}

pub fn is_call_of(unit: &Unit, e: ExprId, name: &str) -> bool {
    match unit[e].kind {
        C::Call(Callee::Direct(f), _) => unit.name(unit[f].name) == name,
        _ => false,
    }
}

/// A place that frees memory before more may be allocated, if there is one.
pub fn freed_before(unit: &Unit, flow: &Flow<'_>, once: &BTreeSet<FunctionId>) -> Option<ExprId> {
    let (calls, starts) = (flow.sites(false), flow.sites(true));
    let way = Ways {
        ordered: own_function(unit, LEAPS).is_none(),
        main: unit.main,
        once,
        calls: &calls,
        starts: &starts,
    };
    let after = |free: &&Site| flow.made_at.values().any(|made| way.may_follow(made, free));
    flow.freed_at.iter().find(after).map(|free| free.at)
}

struct Ways<'a> {
    /// Whether a call that stands later in the text has a greater number.
    ordered: bool,
    main: Option<FunctionId>,
    once: &'a BTreeSet<FunctionId>,
    calls: &'a BTreeMap<FunctionId, Vec<Site>>,
    starts: &'a BTreeMap<FunctionId, Vec<Site>>,
}

impl Ways<'_> {
    /// Whether `later` may run after `earlier`. The answer is no only if the text of the program shows it.
    fn may_follow(&self, later: &Site, earlier: &Site) -> bool {
        let in_turn = |a: &Site, b: &Site| self.ordered && !a.repeated && a.at < b.at;
        if later.by == earlier.by && self.once.contains(&later.by) {
            return !in_turn(later, earlier);
        }
        let mut begun = Vec::new();
        self.in_main(earlier, false, &mut BTreeSet::new(), &mut begun);
        let mut done = Vec::new();
        self.in_main(later, false, &mut BTreeSet::new(), &mut done);
        done.iter().any(|(a, threaded)| {
            let mut begun = begun.iter();
            *threaded || begun.any(|(b, _)| !in_turn(a, b))
        })
    }

    /// The places in `main` from which control comes to a place, and whether in a thread of its own.
    fn in_main(
        &self,
        site: &Site,
        threaded: bool,
        seen: &mut BTreeSet<(FunctionId, bool)>,
        found: &mut Vec<(Site, bool)>,
    ) {
        if Some(site.by) == self.main {
            found.push((*site, threaded));
        }
        if !seen.insert((site.by, threaded)) {
            return;
        }
        for (sites, threaded) in [(self.calls, threaded), (self.starts, true)] {
            for from in sites.get(&site.by).into_iter().flatten() {
                self.in_main(from, threaded, seen, found);
            }
        }
    }
}
