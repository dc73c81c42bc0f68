//! Asks Z3's Spacer for an invariant of the clauses.

use rustc_hash::FxHashSet;
use solver::z3::ast::{Ast, AstKind, Bool, Dynamic};
use solver::z3::{DeclKind, FuncDecl, SatResult, Solver, Sort};

use super::certificate::Invariant;
use super::hull::Hulls;
use super::segment::all;
use super::system::{Atom, Clause, Head, System};
use super::z3run::{self, Effort};

#[derive(Debug)]
pub enum Said {
    /// An invariant, not checked yet.
    Invariant(Invariant),
    /// There is none for these clauses.
    NoInvariant,
    Nothing,
}

/// What an invariant has to exclude.
pub enum Excluded<'a> {
    /// The errors that this names. All facts are taken for granted.
    Errors(&'a dyn Fn(&Clause) -> bool),
    /// All errors, and steps that break a fact. `x := k` may stay within the range of `x` only because an invariant bounds `k`.
    ErrorsAndBrokenFacts,
}

/// Asks for an invariant that the hulls are part of.
#[must_use]
pub fn solve(system: &System, hulls: &Hulls, excluded: &Excluded<'_>, effort: Effort) -> Said {
    // With `global` sums are found; the default of `inline_eager` gave a wrong answer in a trial.
    for (name, value) in [
        ("fp.spacer.global", "true"),
        ("fp.xform.inline_eager", "false"),
    ] {
        solver::z3::set_global_param(name, value);
    }
    let Some(solver) = Solver::new_for_logic("HORN") else {
        return Said::Nothing;
    };
    let relations: Vec<FuncDecl> = system.predicates.iter().map(declared).collect();
    let wanted = |clause: &&Clause| match excluded {
        Excluded::Errors(wanted) => wanted(clause),
        Excluded::ErrorsAndBrokenFacts => true,
    };
    for clause in system.clauses.iter().filter(wanted) {
        // It takes seconds to hand the clauses of a large program to the solver.
        if effort.is_late() {
            return Said::Nothing;
        }
        let body = body(system, hulls, &relations, clause);
        if let (Excluded::ErrorsAndBrokenFacts, Head::Holds(atom)) = (excluded, &clause.head) {
            let broken = all(&system.facts(atom)).not();
            let breaks = all(&[body.clone(), broken]);
            solver.assert(rule(&breaks, &Bool::from_bool(false)));
        }
        let head = match &clause.head {
            Head::Holds(atom) => applied(&relations, atom),
            Head::Wrong(_) => Bool::from_bool(false),
        };
        solver.assert(rule(&body, &head));
    }
    match z3run::check_within(&solver, effort) {
        SatResult::Unsat => Said::NoInvariant,
        SatResult::Unknown => Said::Nothing,
        SatResult::Sat => {
            invariant(system, hulls, &relations, &solver).map_or(Said::Nothing, Said::Invariant)
        }
    }
}

fn declared(predicate: &super::system::Predicate) -> FuncDecl {
    let domain: Vec<&Sort> = predicate.args.iter().map(|a| &a.sort).collect();
    FuncDecl::new(predicate.name.as_str(), &domain, &Sort::bool())
}

fn applied(relations: &[FuncDecl], atom: &Atom) -> Bool {
    let args: Vec<&dyn Ast> = atom.args.iter().map(|a| a as &dyn Ast).collect();
    let made = relations[atom.predicate].apply(&args);
    made.as_bool()
        .unwrap_or_else(|| unreachable!("relations are true or false"))
}

/// What a clause presupposes, with all that is known of it.
fn body(system: &System, hulls: &Hulls, relations: &[FuncDecl], clause: &Clause) -> Bool {
    let mut body = Vec::new();
    for atom in &clause.body {
        body.push(applied(relations, atom));
        body.extend(system.facts(atom));
        body.extend(hulls.holds(atom.predicate, &atom.args));
    }
    body.push(clause.guard.clone());
    all(&body)
}

/// A rule as Spacer reads it.
fn rule(body: &Bool, head: &Bool) -> Bool {
    let rule = body.implies(head);
    let bound = constants(&Dynamic::from_ast(&rule));
    let bound: Vec<&dyn Ast> = bound.iter().map(|c| c as &dyn Ast).collect();
    solver::z3::ast::forall_const(&bound, &[], &rule)
}

/// The constants of a term, in the order in which they are met.
pub fn constants(term: &Dynamic) -> Vec<Dynamic> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let mut open = vec![term.clone()];
    while let Some(term) = open.pop() {
        if !seen.insert(term.clone()) {
            continue;
        }
        if term.kind() == AstKind::App && term.num_children() == 0 {
            if term.decl().kind() == DeclKind::Uninterpreted {
                found.push(term);
            }
            continue;
        }
        open.extend(term.children());
    }
    found
}

/// The invariant of a model: what is plain, the equations, and what Spacer found.
fn invariant(
    system: &System,
    hulls: &Hulls,
    relations: &[FuncDecl],
    solver: &Solver,
) -> Option<Invariant> {
    let model = solver.get_model()?;
    let found = system.predicates.iter().enumerate().map(|(predicate, p)| {
        let args = p.args.iter().map(|a| a.constant.clone()).collect();
        model.eval(&applied(relations, &Atom { predicate, args }), false)
    });
    Some(Invariant::new(system, hulls, found.collect::<Option<_>>()?))
}
