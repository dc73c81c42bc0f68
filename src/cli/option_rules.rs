//! Which options go together. An option that would have no effect is refused: a user who writes it expects an effect.
//!
//! Options that do no harm (`--jobs` of a sequential search) are allowed.

use options::{DelayRange, ExploreOptions, Scheduler, Strategy};

use super::args::{EngineChoice, VerifyArgs, VerifyScheduler};
use super::explore_args::{ExploreArgs, ExploreScheduler, ValuesArg};

/// Whether an option is given, whether it goes with the others, and what is said if it does not.
type Rule = (bool, bool, &'static str);

fn first(rules: &[Rule]) -> Option<String> {
    let broken = rules.iter().find(|(given, fits, _)| *given && !fits);
    broken.map(|(_, _, reason)| (*reason).to_owned())
}

/// Why options of `explore` do not go together.
pub fn exploration(args: &ExploreArgs, scheduler: Scheduler, strategy: Strategy) -> Option<String> {
    weak(args)
        .or_else(|| orders(args, scheduler, strategy))
        .or_else(|| reduced(args, scheduler, strategy))
        .or_else(|| other_questions(args, scheduler, strategy))
        .or_else(|| searches(args, scheduler, strategy))
}

/// Refuses options that do not go with weak memory.
fn weak(args: &ExploreArgs) -> Option<String> {
    let sc = !args.common.memory.is_weak();
    first(&[
        (
            args.fair,
            sc,
            "--fair does not go with --memory tso, pso and c11: nothing says when another thread sees a store",
        ),
        (
            args.divergence,
            sc,
            "--divergence compares sequentially consistent executions: leave out --memory",
        ),
    ])
}

/// Refuses bounds without what they bound.
fn orders(args: &ExploreArgs, scheduler: Scheduler, strategy: Strategy) -> Option<String> {
    let bag = scheduler == Scheduler::Bag;
    let bounded = matches!(scheduler, Scheduler::BoundedBag(_));
    let named_bag = args.scheduler == Some(ExploreScheduler::Bag);
    first(&[
        (
            args.delays.is_some_and(|d| d.0.is_some()),
            !named_bag && !bounded,
            "--delays needs a deterministic scheduler: --scheduler dfs, rdfs or rr",
        ),
        (
            args.copies.is_some(),
            bounded,
            "--copies belongs to --scheduler bounded-bag: add that, or leave out --copies",
        ),
        (
            args.preemptions.is_some() || args.switches.is_some(),
            bag,
            "--preemptions and --switches bound the bag scheduler: leave out --scheduler and --delays",
        ),
        (
            args.graph.is_some(),
            args.preemptions.is_none() && args.switches.is_none(),
            "--graph shows the states of a scheduler: leave out --preemptions and --switches",
        ),
        (
            args.unroll.is_some(),
            follows_terms(args, scheduler, strategy),
            "--unroll bounds loops where values are terms, which are followed by --strategy stateful and dpor, without --values numbers, --fair, --divergence, --compact and --scheduler bounded-bag: leave it out",
        ),
    ])
}

/// Whether a search may come to values that are terms.
fn follows_terms(args: &ExploreArgs, scheduler: Scheduler, strategy: Strategy) -> bool {
    matches!(strategy, Strategy::Stateful | Strategy::Dpor)
        && !matches!(scheduler, Scheduler::BoundedBag(_))
        && args.values != ValuesArg::Numbers
        && !(args.fair || args.divergence || args.compact.is_some())
}

/// Whether a search reduces what `--no-reduction` would have it visit: bounds count the steps that a reduction leaves out.
fn reduces(args: &ExploreArgs, scheduler: Scheduler) -> bool {
    let bounded = args.preemptions.is_some() || args.switches.is_some();
    let counts = args.max_steps != ExploreOptions::default().max_steps;
    scheduler == Scheduler::Bag
        && args.values != ValuesArg::Terms
        && !(bounded || counts || args.shortest)
}

/// Refuses what does not go with a search that runs one execution of each trace. No bound may tell two executions of one
/// trace apart.
fn reduced(args: &ExploreArgs, scheduler: Scheduler, strategy: Strategy) -> Option<String> {
    if args.races && !matches!(strategy, Strategy::Stateful | Strategy::Dpor) {
        return Some("--races looks at all states, or at one execution of each trace: leave out --strategy, or say --strategy stateful or dpor".to_owned());
    }
    if strategy != Strategy::Dpor && !args.races || args.fair || args.divergence {
        return None;
    }
    let (who, instead) = match args.races {
        true => ("--races", ""),
        false => ("--strategy dpor", ", or say --strategy stateful"),
    };
    let bounds = [
        (args.preemptions.is_some(), "--preemptions"),
        (args.switches.is_some(), "--switches"),
        (args.delays.is_some_and(|d| d.0.is_some()), "--delays"),
    ];
    if let Some((_, bound)) = bounds.iter().find(|(given, _)| *given) {
        return Some(format!(
            "{who} does not go with {bound}: of two orders that come to the same, the budget may allow only one; leave out {bound}{instead}"
        ));
    }
    (scheduler != Scheduler::Bag).then(|| {
        format!("{who} needs the bag, in which tasks run in any order: leave out --scheduler")
    })
}

/// Refuses what does not go with `--fair` and `--divergence`.
fn other_questions(args: &ExploreArgs, scheduler: Scheduler, strategy: Strategy) -> Option<String> {
    let questions = [
        (args.fair, "--fair"),
        (args.divergence, "--divergence"),
        (args.races, "--races"),
    ];
    let mut asked = questions
        .iter()
        .filter_map(|&(on, name)| on.then_some(name));
    let one = asked.next()?;
    if let Some(other) = asked.next() {
        return Some(format!("{one} and {other} do not go together: ask twice"));
    }
    if args.races {
        return None;
    }
    let bags = scheduler.is_bag();
    if !bags {
        return Some(format!(
            "{one} looks at the schedules of the bag: leave out --scheduler and --delays"
        ));
    }
    let stateful = strategy == Strategy::Stateful;
    let followed = matches!(strategy, Strategy::Stateless | Strategy::Random);
    first(&[
        (
            args.fair,
            stateful || followed,
            "--fair goes with --strategy stateful, stateless or random",
        ),
        (
            args.divergence,
            stateful,
            "--divergence has a strategy of its own: leave out --strategy",
        ),
        (
            args.divergence,
            args.preemptions.is_none() && args.switches.is_none(),
            "--divergence looks at every order: leave out --preemptions and --switches",
        ),
    ])
}

/// Refuses options that belong to another way to search.
fn searches(args: &ExploreArgs, scheduler: Scheduler, strategy: Strategy) -> Option<String> {
    let walks = matches!(strategy, Strategy::Random | Strategy::Pct);
    let pct = strategy == Strategy::Pct;
    let bags = scheduler.is_bag();
    let stateful = strategy == Strategy::Stateful;
    let by_distance = stateful || strategy == Strategy::Stateless && !args.fair;
    if let Some(reason) = args.cluster.refusal(&args.common.file) {
        return Some(reason);
    }
    first(&[
        (
            pct,
            bags,
            "--strategy pct needs the bag, because its priorities are a scheduler of their own: leave out --scheduler and --delays",
        ),
        (
            args.seed.is_some(),
            walks,
            "--seed belongs to random walks: add --strategy random or pct, or leave out --seed",
        ),
        (
            args.runs.is_some(),
            walks,
            "--runs counts random walks: add --strategy random or pct, or leave out --runs",
        ),
        (
            args.depth.is_some(),
            pct,
            "--depth belongs to --strategy pct: add that, or leave out --depth (--max-steps bounds the length of executions)",
        ),
        (
            args.shortest,
            by_distance,
            "--shortest needs a search by distance: --strategy stateful, or stateless without --fair",
        ),
        (
            args.compact.is_some(),
            stateful && !args.fair && !args.divergence,
            "--compact belongs to the store of states of --strategy stateful (without --fair and --divergence, which tell states apart by all of their bits): leave it out",
        ),
        (
            args.common.cover.is_some(),
            !args.fair
                && !args.divergence
                && !args.races
                && args.shard.is_none()
                && args.cluster.cluster.is_none()
                && args.cluster.resume.is_none(),
            "--cover asks one question, of one process: leave out --fair, --divergence, --races, --shard, --cluster and --resume",
        ),
        (
            args.coverage.is_some(),
            !args.fair && !args.divergence && args.shard.is_none() && !args.cluster.are_given(),
            "--coverage is about one search by one process: leave out --fair, --divergence, --shard, --cluster, --checkpoint and --resume",
        ),
    ])
    .or_else(|| processes(args, scheduler, strategy))
}

/// Refuses options that belong to a search by several processes, or to one store of states.
fn processes(args: &ExploreArgs, scheduler: Scheduler, strategy: Strategy) -> Option<String> {
    let walks = matches!(strategy, Strategy::Random | Strategy::Pct);
    let stateful = strategy == Strategy::Stateful && !args.fair && !args.divergence;
    let stored = stateful && args.compact.is_none() && !args.races;
    first(&[
        (
            args.shard.is_some(),
            (walks || strategy == Strategy::Stateless) && !args.fair && !args.shortest,
            "--shard divides what stores nothing and counts nothing twice: --strategy random, pct or stateless, without --fair and --shortest",
        ),
        (
            args.cluster.cluster.is_some(),
            stored,
            "--cluster belongs to the store of states of --strategy stateful, without --fair, --divergence, --races and --compact; for --strategy random, pct and stateless there is --shard",
        ),
        (
            args.cluster.checkpoint.is_some(),
            stored,
            "--checkpoint writes the store of states of --strategy stateful, without --fair, --divergence, --races and --compact: leave it out",
        ),
        (
            args.cluster.resume.is_some(),
            stored,
            "--resume goes on with --strategy stateful, without --fair, --divergence, --races and --compact: leave it out",
        ),
        (
            args.cluster.are_given(),
            args.values != ValuesArg::Terms,
            "--cluster, --checkpoint and --resume go with values that are tried one by one: leave out --values terms",
        ),
        (
            args.no_reduction,
            stateful && reduces(args, scheduler),
            "--no-reduction belongs to the store of states of --strategy stateful with the bag; nothing is reduced with --fair, --divergence, --preemptions, --switches, --max-steps, --shortest, --values terms and other schedulers: leave it out",
        ),
    ])
}

/// Why options of verification do not go together.
pub fn verification(args: &VerifyArgs) -> Option<String> {
    let emits = args.emit_seq || args.emit_boogie || args.emit_smt;
    let explicit = args.engine == Some(EngineChoice::Explicit);
    first(&[
        (
            emits,
            args.engine.is_none() && !args.cross_check && args.solver.is_none(),
            "a translation is printed and nothing is decided: leave out --engine, --cross-check and --solver, or the --emit option",
        ),
        (
            args.cross_check,
            args.engine.is_none(),
            "--cross-check asks both engines: leave out --engine",
        ),
        (
            args.solver.is_some(),
            !explicit,
            "--solver is never asked with --engine explicit: leave out one of them",
        ),
        (
            emits,
            matches!(args.delays, DelayRange::Most(_)),
            "a translation needs a number of delays: write --delays 2, no range and not any",
        ),
        (
            !matches!(args.scheduler, VerifyScheduler::Dfs),
            !explicit || args.delays != DelayRange::Any,
            "--scheduler says which schedules need no delays, and --delays any with --engine explicit looks at all of them: leave it out",
        ),
        (
            args.rounds.is_some(),
            !explicit,
            "--rounds bounds a translation, which --engine explicit does without: leave out one of them",
        ),
        (
            c::is_c(&args.common.file) && args.common.c.asks_about_races(),
            args.delays == DelayRange::Any
                && args.engine.is_none()
                && !args.cross_check
                && !args.finals
                && args.solver.is_none(),
            "data races are looked for in all schedules: with --delays any and without --engine, --cross-check, --finals and --solver, or by `dbverify explore --property no-data-race`",
        ),
    ])
}

#[cfg(all(test, feature = "terminal"))]
mod tests {
    use super::super::commands::{Cli, Command};

    /// Returns why a command line is refused, if it is.
    fn refusal(line: &str) -> Option<String> {
        let cli = Cli::read(format!("dbverify {line}").split(' ').map(Into::into));
        let cli = match cli {
            Ok(cli) => cli,
            Err(error) => return Some(error.to_string()),
        };
        match cli.command {
            Command::Explore(args) => args.options(false).err(),
            Command::Verify(args) => super::verification(&args),
            other => panic!("{other:?}"),
        }
    }

    const STRATEGIES: [&str; 5] = ["stateful", "stateless", "dpor", "random", "pct"];

    #[test]
    fn what_goes_together() {
        for line in [
            "--fair",
            "--fair --strategy stateless --preemptions 2",
            "--fair --strategy random --seed 1 --runs 10",
            "--fair --scheduler bounded-bag",
            "--fair --shortest",
            "--divergence",
            "--divergence --strategy stateful --shortest",
            "--strategy dpor --jobs 2 --all --finals --max-steps 10",
            "--races --jobs 2",
            "--races --strategy stateful --shortest --compact 40",
            "--strategy random --seed 1 --runs 100",
            "--strategy random --scheduler dfs --delays 2",
            "--strategy pct --depth 2 --preemptions 1 --switches 3",
            "--strategy stateless --shortest",
            "--strategy stateless --delays 2 --scheduler dfs",
            "--scheduler bounded-bag --copies 2",
            "--scheduler bag --preemptions 0",
            "--compact 40 --shortest",
            "--cluster local:4 --checkpoint a --resume b",
            "--cluster local:2 --jobs 2",
            "--cluster hosts --process 1 --shortest --all --finals",
            "--checkpoint a --scheduler dfs --delays 2",
            "--checkpoint a --no-reduction --all --finals --jobs 2",
            "--no-reduction --compact 40",
            "--races --no-reduction",
            "--values terms --unroll 3",
            "--unroll 3 --scheduler dfs --delays 2",
            "--unroll 3 --strategy dpor",
        ] {
            assert_eq!(refusal(&format!("explore x.async {line}")), None, "{line}");
        }
        // These go with every way to search.
        for strategy in STRATEGIES {
            let line = format!(
                "explore x.async --strategy {strategy} --jobs 2 --max-steps 9 --finals --all --memory 9 --timeout 9 --preempt access"
            );
            assert_eq!(refusal(&line), None, "{line}");
        }
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        for line in [
            "--copies 2",
            "--scheduler dfs --copies 2",
            "--scheduler bag --delays 1",
            "--scheduler bounded-bag --delays 1",
            "--delays 1 --preemptions 1",
            "--fair --delays 2",
            "--fair --scheduler rr",
            "--fair --strategy dpor",
            "--fair --strategy pct",
            "--fair --divergence",
            "--fair --compact 40",
            "--fair --strategy stateless --shortest",
            "--divergence --compact 40",
            "--fair --races",
            "--divergence --races",
            "--divergence --strategy stateless",
            "--divergence --preemptions 1",
            "--divergence --scheduler dfs",
            "--races --strategy stateless",
            "--races --cluster local:2",
            "--races --delays 1",
            "--strategy dpor --delays 1",
            "--strategy dpor --scheduler rr",
            "--strategy dpor --scheduler bounded-bag",
            "--strategy dpor --preemptions 1",
            "--strategy dpor --switches 1",
            "--strategy dpor --divergence",
            "--cluster local:0",
            "--cluster local:x",
            "--cluster hosts",
            "--process 1",
            "--cluster local:2 --process 1",
            "--cluster local:2 --compact 40",
            "--cluster local:2 --fair",
            "--cluster local:2 --values terms",
            "--checkpoint a --divergence",
            "--strategy pct --delays 1",
            "--strategy pct --scheduler rr",
            "--values numbers --unroll 3",
            "--fair --unroll 3",
            "--divergence --unroll 3",
            "--compact 40 --unroll 3",
            "--scheduler bounded-bag --unroll 3",
            "--no-reduction --preemptions 1",
            "--no-reduction --switches 1",
            "--no-reduction --max-steps 9",
            "--no-reduction --shortest",
            "--no-reduction --values terms",
            "--no-reduction --fair",
            "--no-reduction --scheduler rr",
            "--no-reduction --scheduler bounded-bag",
            "--no-reduction --delays 1",
        ] {
            let line = format!("explore x.async {line}");
            let reason = refusal(&line).expect(&line);
            assert!(reason.contains("--"), "{line}: {reason}");
        }
    }

    /// Options that have an effect with some strategies only.
    #[test]
    fn what_has_no_effect_is_refused() {
        for (option, with) in [
            ("--seed 1", &["random", "pct"][..]),
            ("--runs 10", &["random", "pct"]),
            ("--depth 2", &["pct"]),
            ("--shortest", &["stateful", "stateless"]),
            ("--compact 40", &["stateful"]),
            ("--no-reduction", &["stateful"]),
            ("--unroll 3", &["stateful", "dpor"]),
            ("--shard 1/2", &["stateless", "random", "pct"]),
            ("--cluster local:2", &["stateful"]),
            ("--checkpoint dir", &["stateful"]),
            ("--resume dir", &["stateful"]),
        ] {
            for strategy in STRATEGIES {
                let line = format!("explore x.async --strategy {strategy} {option}");
                let reason = refusal(&line);
                assert_eq!(reason.is_none(), with.contains(&strategy), "{line}");
                let name = option.split(' ').next().unwrap_or(option);
                assert!(reason.is_none_or(|r| r.starts_with(name)), "{line}");
            }
        }
    }

    #[test]
    fn verification_too() {
        for line in [
            "--emit-smt --unroll 2 --delays 1 --scheduler rdfs --format json",
            "--engine explicit --unroll 9 --finals",
            "--cross-check --solver cvc5",
            "--engine auto --solver cvc5",
        ] {
            assert_eq!(refusal(&format!("x.async {line}")), None, "{line}");
        }
        for line in [
            "--emit-seq --finals",
            "--engine explicit --delays any --scheduler rdfs",
            "--emit-seq --html f",
            "--emit-boogie --trace-out f",
            "--emit-smt --engine smt",
            "--emit-smt --cross-check",
            "--emit-smt --solver cvc5",
            "--emit-smt --delays 0..2",
            "--emit-seq --delays any",
            "--engine explicit --rounds 3",
            "--cross-check --engine explicit",
            "--engine explicit --solver cvc5",
        ] {
            assert!(refusal(&format!("x.async {line}")).is_some(), "{line}");
        }
    }
}
