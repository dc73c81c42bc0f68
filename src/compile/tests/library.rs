//! The library of synchronisation objects: tests run all schedules, and see each object from outside.

use answer::{Answer, Cause, Verdict};
use ir::{ErrorKind, Value};
use options::PreemptMode;
use options::{ExploreOptions, Scheduler};
use symbolic::explore;

use super::program;

/// All schedules of a program.
fn run(text: &str) -> Answer {
    let options = ExploreOptions {
        finals: true,
        all: true,
        ..ExploreOptions::default()
    };
    explore(
        &program(&format!("use sync;\n{text}"), PreemptMode::Yield),
        &options,
    )
}

/// The values of the first global in all final states.
fn outcomes(answer: &Answer) -> Vec<i128> {
    let first = |state: &Vec<Value>| match state[0] {
        Value::Int(n) => n,
        ref other => panic!("{other:?} is no number"),
    };
    let mut all: Vec<i128> = answer.finals.iter().flatten().map(first).collect();
    all.dedup();
    all
}

fn bugs(answer: &Answer) -> Vec<(ErrorKind, String)> {
    answer
        .bugs
        .iter()
        .map(|b| (b.kind, b.message.clone()))
        .collect()
}

/// Two tasks that increment in two steps under a lock.
fn guarded(object: &str, lock: &str, unlock: &str) -> Answer {
    run(&format!(
        "var x: int := 0; var o: {object};
         proc add() {{ o.{lock}(); let t = x; yield; x := t + 1; o.{unlock}(); }}
         proc main() {{ post add(); post add(); }}"
    ))
}

#[test]
fn locks_exclude() {
    for (object, lock, unlock) in [
        ("Mutex", "lock", "unlock"),
        ("RecursiveMutex", "lock", "unlock"),
        ("Semaphore(1)", "acquire", "release"),
        ("FifoSemaphore(1)", "acquire", "release"),
        ("LifoSemaphore(1)", "acquire", "release"),
        ("RwLock", "write_lock", "write_unlock"),
        ("ReaderRwLock", "write_lock", "write_unlock"),
        ("WriterRwLock", "write_lock", "write_unlock"),
    ] {
        let answer = guarded(object, lock, unlock);
        assert_eq!(
            (outcomes(&answer), bugs(&answer)),
            (vec![2], vec![]),
            "{object}"
        );
    }
    for (object, lock, unlock) in [
        ("Semaphore(2)", "acquire", "release"),
        ("RwLock", "read_lock", "read_unlock"),
        ("ReaderRwLock", "read_lock", "read_unlock"),
        ("WriterRwLock", "read_lock", "read_unlock"),
    ] {
        assert_eq!(
            outcomes(&guarded(object, lock, unlock)),
            vec![1, 2],
            "{object}"
        );
    }
}

#[test]
fn readers_exclude_writers() {
    for object in ["RwLock", "ReaderRwLock", "WriterRwLock"] {
        let answer = run(&format!(
            "var x, y: int := 0; var o: {object};
             proc reader() {{ o.read_lock(); let t = x; yield; assert x == t && y == t; o.read_unlock(); }}
             proc writer() {{ o.write_lock(); x := x + 1; yield; y := x; o.write_unlock(); }}
             proc main() {{ post reader(); post writer(); post reader(); post writer(); }}"
        ));
        assert_eq!(
            (outcomes(&answer), bugs(&answer)),
            (vec![2], vec![]),
            "{object}"
        );
    }
}

#[test]
fn misuse_is_an_assertion_failure() {
    for (object, statements, message) in [
        ("Mutex", "o.unlock();", "unlock of a mutex that is free"),
        (
            "Mutex",
            "o.lock(); post other();",
            "unlock of a mutex that another task holds",
        ),
        (
            "RecursiveMutex",
            "o.lock(); o.lock(); o.unlock(); o.unlock(); o.unlock();",
            "unlock of a mutex that is free",
        ),
        (
            "RecursiveMutex",
            "o.lock(); o.lock(); o.unlock(); post other();",
            "unlock of a mutex that another task holds",
        ),
        ("Cond", "o.wait(m);", "unlock of a mutex that is free"),
        ("StrictCond", "o.wait(m);", "unlock of a mutex that is free"),
        ("FifoCond", "o.wait(m);", "unlock of a mutex that is free"),
        ("LifoCond", "o.wait(m);", "unlock of a mutex that is free"),
    ] {
        let other = if object.contains("Mutex") {
            "o.unlock();"
        } else {
            ""
        };
        let answer = run(&format!(
            "var m: Mutex; var o: {object}; proc main() {{ {statements} }} proc other() {{ {other} }}"
        ));
        assert_eq!(
            bugs(&answer),
            vec![(ErrorKind::Assertion, message.to_owned())],
            "{object} {statements}"
        );
    }
    for object in ["RwLock", "ReaderRwLock", "WriterRwLock"] {
        for (lock, unlock, kind) in [("write", "read", "reading"), ("read", "write", "writing")] {
            let answer = run(&format!(
                "var o: {object}; proc main() {{ o.{lock}_lock(); o.{unlock}_unlock(); }}"
            ));
            let message =
                format!("{unlock}_unlock of a lock that the task does not hold for {kind}");
            assert_eq!(
                bugs(&answer),
                vec![(ErrorKind::Assertion, message)],
                "{object}"
            );
        }
    }
}

#[test]
fn trying_never_waits() {
    let answer = run("var x: int := 0; var m: Mutex; var r: RecursiveMutex;
        proc other() { let a = m.try_lock(); let b = r.try_lock(); assert !a && !b; x := 1; }
        proc main() {
          let a = m.try_lock(); let b = r.try_lock(); let c = r.try_lock(); let d = m.try_lock();
          assert a && b && c && !d;
          let t = post other(); join t; m.unlock(); r.unlock(); r.unlock();
        }");
    assert_eq!((outcomes(&answer), bugs(&answer)), (vec![1], vec![]));
}

/// The tasks that may be the first to get through after one signal.
fn first_woken(object: &str) -> Vec<i128> {
    let answer = run(&format!(
        "var first: int := 0; var turn: int := 1; var m: Mutex; var c: {object};
         proc waiter(i: int) {{
           await turn == i; m.lock(); turn := i + 1; c.wait(m);
           if first == 0 {{ first := i; c.broadcast(); }}
           m.unlock();
         }}
         proc main() {{ for i in 1..3 {{ post waiter(i); }} post actor(); }}
         proc actor() {{ await turn == 4; m.lock(); c.signal(); m.unlock(); }}"
    ));
    // A task that wakes without a signal may leave others waiting.
    assert!(object == "Cond" || answer.bugs.is_empty(), "{object}");
    outcomes(&answer)
}

#[test]
fn a_signal_wakes_whom_the_policy_says() {
    assert_eq!(first_woken("Cond"), vec![1, 2, 3]);
    assert_eq!(first_woken("StrictCond"), vec![1, 2, 3]);
    assert_eq!(first_woken("FifoCond"), vec![1]);
    assert_eq!(first_woken("LifoCond"), vec![3]);
}

#[test]
fn a_signal_wakes_one_and_a_broadcast_all() {
    for object in ["StrictCond", "FifoCond", "LifoCond"] {
        assert_eq!(woken_by(object, "c.signal();"), (1, 1), "{object}");
        assert_eq!(
            woken_by(object, "c.signal(); c.signal();"),
            (2, 2),
            "{object}"
        );
        assert_eq!(woken_by(object, "c.broadcast();"), (3, 3), "{object}");
    }
    // One more task may wake without a signal.
    assert_eq!(woken_by("Cond", "c.signal();").1, 2);
    assert_eq!(woken_by("Cond", "skip;").1, 1);
    assert_eq!(woken_by("Cond", "c.broadcast();").1, 3);
}

/// How many of three waiting tasks wake at least and at most. The others are let go in the end.
fn woken_by(object: &str, action: &str) -> (i128, i128) {
    let answer = run(&format!(
        "var woken: int := 0; var turn: int := 1; var closed: bool := false; var m: Mutex; var c: {object};
         proc waiter(i: int) {{
           await turn == i; m.lock(); turn := i + 1; c.wait(m);
           if !closed {{ woken := woken + 1; }}
           m.unlock();
         }}
         proc main() {{ for i in 1..3 {{ post waiter(i); }} post actor(); }}
         proc actor() {{
           await turn == 4; m.lock(); {action} m.unlock(); post closer();
         }}
         proc closer() {{ m.lock(); closed := true; c.broadcast(); m.unlock(); }}"
    ));
    assert_eq!(bugs(&answer), vec![], "{object} {action}");
    let all = outcomes(&answer);
    (min_forced(object, action, &all), *all.last().unwrap())
}

/// How many tasks must wake. Final states do not tell: a task that gets the mutex after the closing is not counted there.
fn min_forced(object: &str, action: &str, outcomes: &[i128]) -> i128 {
    let most = *outcomes.last().unwrap();
    let can_wait_for = |n: i128| {
        let answer = run(&format!(
            "var woken: int := 0; var turn: int := 1; var m: Mutex; var c: {object};
             proc waiter(i: int) {{ await turn == i; m.lock(); turn := i + 1; c.wait(m); woken := woken + 1; m.unlock(); }}
             proc main() {{ for i in 1..3 {{ post waiter(i); }} post actor(); }}
             proc actor() {{ await turn == 4; m.lock(); {action} m.unlock(); await woken >= {n}; m.lock(); assume false; }}"
        ));
        answer.bugs.is_empty()
    };
    (0..=most).rev().find(|&n| can_wait_for(n)).unwrap_or(0)
}

#[test]
fn a_signal_without_a_waiter_is_lost_and_later_waiters_do_not_take_it() {
    for object in ["StrictCond", "FifoCond", "LifoCond"] {
        let lost = run(&format!(
            "var x: int := 0; var m: Mutex; var c: {object};
             proc main() {{ m.lock(); c.signal(); c.wait(m); }}"
        ));
        assert_eq!(lost.bugs.len(), 1, "{object}");
        assert_eq!(lost.bugs[0].kind, ErrorKind::Deadlock, "{object}");
        // The first waiter is signalled before the second begins to wait: the second never gets through.
        let taken = run(&format!(
            "var x: int := 0; var m: Mutex; var c: {object};
             proc first() {{ m.lock(); x := 1; c.wait(m); x := 3; m.unlock(); }}
             proc second() {{ await x == 2; m.lock(); c.wait(m); assert false; }}
             proc main() {{ post first(); post second(); post actor(); }}
             proc actor() {{ await x == 1; m.lock(); c.signal(); x := 2; m.unlock(); await x == 3; m.lock(); assume false; }}"
        ));
        // The actor drops every execution that comes to its end, and none fails before.
        let nothing =
            matches!(&taken.verdict, Verdict::Inconclusive(why) if why.cause == Cause::Nothing);
        assert!(nothing, "{object}: {:?}, {:?}", taken.verdict, bugs(&taken));
    }
}

/// The only outcome under round-robin, where every task enqueues before any is released.
fn in_round_robin(object: &str) -> Vec<i128> {
    let text = format!(
        "use sync; var order: int := 0; var s: {object};
         proc w(i: int) {{ s.acquire(); order := order * 10 + i; }}
         proc main() {{ post w(1); post w(2); post w(3); post go(); }}
         proc go() {{ yield; s.release(); yield; yield; s.release(); yield; yield; s.release(); }}"
    );
    let options = ExploreOptions {
        scheduler: Scheduler::RoundRobin,
        delays: Some(0),
        finals: true,
        ..ExploreOptions::default()
    };
    outcomes(&explore(&program(&text, PreemptMode::Yield), &options))
}

#[test]
fn semaphores_go_in_their_order() {
    assert_eq!(in_round_robin("FifoSemaphore(0)"), vec![123]);
    assert_eq!(in_round_robin("LifoSemaphore(0)"), vec![321]);
    for object in ["Semaphore(1)", "FifoSemaphore(1)", "LifoSemaphore(1)"] {
        let answer = run(&format!(
            "var order: int := 0; var s: {object};
             proc w(i: int) {{ s.acquire(); order := order * 10 + i; s.release(); }}
             proc main() {{ post w(1); post w(2); post w(3); }}"
        ));
        assert_eq!(outcomes(&answer).len(), 6, "{object}");
    }
}

/// A reader holds the lock; a writer and another reader wait. Returns the tasks that may be next.
fn next_in(object: &str) -> Vec<i128> {
    let answer = run(&format!(
        "var first: int := 0; var begun: int := 0; var l: {object};
         proc holder() {{ l.read_lock(); begun := 1; await begun == 3; yield; yield; l.read_unlock(); }}
         proc reader() {{ await begun == 2 {{ begun := 3; }} l.read_lock(); if first == 0 {{ first := 1; }} l.read_unlock(); }}
         proc writer() {{ await begun == 1 {{ begun := 2; }} l.write_lock(); if first == 0 {{ first := 2; }} l.write_unlock(); }}
         proc main() {{ post holder(); post reader(); post writer(); }}"
    ));
    assert_eq!(bugs(&answer), vec![], "{object}");
    outcomes(&answer)
}

#[test]
fn preferences_of_readers_and_writers_never_block_for_ever() {
    // Both orders are possible here, because the tasks may queue in any order. The next test fixes the order.
    for object in ["RwLock", "ReaderRwLock", "WriterRwLock"] {
        assert_eq!(next_in(object), vec![1, 2], "{object}");
    }
}

/// Under round-robin the holder lets go after both wait.
fn preferred(object: &str) -> Vec<i128> {
    let text = format!(
        "use sync; var first: int := 0; var all_wait: bool := false; var l: {object};
         proc holder() {{ l.write_lock(); await all_wait; l.write_unlock(); }}
         proc last() {{ all_wait := true; }}
         proc reader() {{ l.read_lock(); if first == 0 {{ first := 1; }} l.read_unlock(); }}
         proc writer() {{ l.write_lock(); if first == 0 {{ first := 2; }} l.write_unlock(); }}
         proc main() {{ post holder(); post writer(); post reader(); post writer(); post last(); }}"
    );
    let options = ExploreOptions {
        scheduler: Scheduler::RoundRobin,
        delays: Some(0),
        finals: true,
        ..ExploreOptions::default()
    };
    outcomes(&explore(&program(&text, PreemptMode::Yield), &options))
}

#[test]
fn waiting_readers_or_writers_are_preferred() {
    assert_eq!(preferred("RwLock"), vec![2]); // the first in turn
    assert_eq!(preferred("ReaderRwLock"), vec![1]);
    assert_eq!(preferred("WriterRwLock"), vec![2]);
}

#[test]
fn a_barrier_holds_until_all_are_there_and_can_be_used_again() {
    let answer = run(
        "var x: int := 0; var inside: [3]int := [0; 3]; var b: Barrier(3);
        proc w(i: int) {
          for round in 1..2 {
            inside[i] := round;
            b.wait();
            assert inside[0] >= round && inside[1] >= round && inside[2] >= round;
          }
          x := x + 1;
        }
        proc main() { for i in 0..2 { post w(i); } }",
    );
    assert_eq!((outcomes(&answer), bugs(&answer)), (vec![3], vec![]));
    let more = run(
        "var x: int := 0; var b: Barrier(2); proc w() { b.wait(); x := x + 1; }
        proc main() { for i in 1..4 { post w(); } }",
    );
    assert_eq!((outcomes(&more), bugs(&more)), (vec![4], vec![]));
    let few = run(
        "var b: Barrier(2); proc w() { b.wait(); } proc main() { for i in 1..3 { post w(); } }",
    );
    assert_eq!(few.bugs[0].kind, ErrorKind::Deadlock);
}

#[test]
fn a_queue_keeps_the_order_and_its_bound() {
    let order = "var log: int := 0; var q: Queue(int, 2);
        proc put() { q.put(1); q.put(2); q.put(3); let n = q.length(); assert n <= 2; }
        proc take() { for i in 1..3 { let n = q.take(); log := log * 10 + n; } }
        proc main() { post put(); post take(); }";
    let answer = run(order);
    assert_eq!(
        (answer.verdict.word(), outcomes(&answer)),
        ("safe", vec![123])
    );
    // No task takes a value, so the third `put` waits for ever. A `try_put` does not wait.
    let full = "var q: Queue(int, 2); proc main() { q.put(1); q.put(2); q.put(3); }";
    assert_eq!(bugs(&run(full))[0].0, ErrorKind::Deadlock);
    let tried = "var n: int := 0; var q: Queue(int, 1);
        proc main() { let a = q.try_put(7); let b = q.try_put(8); n := q.take(); assert a && !b; }";
    assert_eq!(outcomes(&run(tried)), [7]);
}

#[test]
fn a_mailbox_holds_one() {
    let text = "var sum: int := 0; var m: Mailbox(int);
        proc put(n: int) { m.put(n); }
        proc main() { post put(1); post put(2); let a = m.take(); let b = m.take(); sum := a + b;
          let c = m.try_put(3); let d = m.try_put(4); assert c && !d; }";
    let answer = run(text);
    assert_eq!(
        (answer.verdict.word(), outcomes(&answer)),
        ("safe", vec![3])
    );
}

#[test]
fn events_let_through_all_or_one() {
    let through = |event: &str| {
        let text = format!(
            "var n: int := 0; var e: {event}; proc w() {{ e.wait(); n := n + 1; }}
             proc main() {{ post w(); post w(); e.signal(); e.signal(); }}"
        );
        let answer = run(&text);
        let stuck = bugs(&answer).iter().any(|b| b.0 == ErrorKind::Deadlock);
        (outcomes(&answer), stuck)
    };
    assert_eq!(through("Event"), (vec![2], false));
    // Two signals in a row may let only one through.
    assert_eq!(through("AutoEvent"), (vec![2], true));
    let reset = "var e: Event; proc main() { e.signal(); e.wait(); e.reset(); e.wait(); }";
    assert_eq!(bugs(&run(reset))[0].0, ErrorKind::Deadlock);
}

#[test]
fn a_timer_fires_or_was_cancelled() {
    let text = "var how: int := 0; var t: Timer;
        proc handler() { let fired = t.wait(); if fired { how := how + 1; } }
        proc main() { t.start(); post handler(); yield; let early = t.cancel(); if early { how := how + 10; } }";
    let answer = run(text);
    assert_eq!(
        (answer.verdict.word(), outcomes(&answer)),
        ("safe", vec![1, 10])
    );
    let never = "var t: Timer; proc main() { let fired = t.wait(); }";
    assert_eq!(bugs(&run(never))[0].0, ErrorKind::Deadlock);
}

#[test]
fn handlers_of_an_event_loop_run_one_at_a_time_and_in_order() {
    let text = "var n: int := 0; var l: EventLoop;
        proc h() { l.begin(); let old = n; yield; n := old + 1; l.end(); }
        proc main() { post h(); post h(); post h(); }";
    let answer = run(text);
    assert_eq!(
        (answer.verdict.word(), outcomes(&answer)),
        ("safe", vec![3])
    );
    let wrong = "var l: EventLoop; proc main() { l.end(); }";
    assert_eq!(
        bugs(&run(wrong))[0].1,
        "end of a handler that has not begun"
    );
}

#[test]
fn interrupts_nest_by_level() {
    let text = |masks: &str| {
        format!(
            "var low: int := 0; var cpu: Processor;
             proc isr(at: int) {{ cpu.enter(at); low := low + 10; cpu.leave(at); }}
             proc main() {{ post isr(2); cpu.point(0); {masks} let old = low; yield; low := old + 1; cpu.point(0); }}"
        )
    };
    let thread = "var cpu: Processor; proc main() { cpu.enter(0); }";
    let why = "enter of level 0, which is that of threads: they do not enter";
    assert_eq!(bugs(&run(thread))[0].1, why);
    // The interrupt comes between the read and the write, unless it is masked.
    assert_eq!(outcomes(&run(&text(""))), [1, 11]);
    let masked = text("let was = cpu.mask(0, 2);")
        .replace("low := old + 1;", "low := old + 1; cpu.unmask(was);");
    assert_eq!(outcomes(&run(&masked)), [11]);
    // An interrupt of the same level waits for the first, a thread for both.
    let same = "var deep: int := 0; var most: int := 0; var cpu: Processor;
        proc isr(at: int) { cpu.enter(at); deep := deep + 1; yield; most := if deep > most then deep else most;
          deep := deep - 1; cpu.leave(at); }
        proc main() { post isr(1); post isr(1); }";
    let answer = run(same);
    let most: Vec<&Value> = answer.finals.iter().flatten().map(|s| &s[1]).collect();
    assert_eq!(most, [&Value::Int(1)]);
    let nested = same.replace("post isr(1); }", "post isr(2); }");
    let answer = run(&nested);
    assert!(
        answer
            .finals
            .iter()
            .flatten()
            .any(|s| s[1] == Value::Int(2))
    );
}
