use std::thread;
use std::time::Duration;

use super::*;

const WORK: u64 = 10;

fn portion(work: u64) -> Portion {
    let end = Instant::now() + Duration::from_secs(1000);
    Portion { work, end }
}

/// Does work, a little at a time, as long as it may; answers how much it did.
fn search(portions: &Portions) -> u64 {
    (0..WORK).take_while(|_| portions.spend(1)).count() as u64
}

/// A search that has done a portion of four.
fn begun<'scope>(scope: &'scope Scope<'scope, '_>) -> Kept<'scope, u64> {
    let begun = Kept::begin(scope, portion(4), |portions| search(&portions));
    begun
        .expect("a thread")
        .continue_value()
        .expect("it has not ended")
}

#[test]
fn a_search_goes_on_where_it_was() {
    thread::scope(|scope| {
        let kept = begun(scope).go_on(portion(3)).continue_value();
        let ended = kept.expect("it has not ended").go_on(portion(WORK));
        assert_eq!(ended.break_value(), Some(WORK));
    });
}

#[test]
fn a_search_that_nobody_goes_on_with_ends() {
    thread::scope(|scope| assert_eq!(begun(scope).give_up(), 3));
    thread::scope(|scope| drop(begun(scope)));
}

#[test]
fn what_a_search_works_is_counted_for_who_waits() {
    let search = |portions: &Portions| {
        search(portions);
        worked()
    };
    thread::scope(|scope| {
        let begun = Kept::begin(scope, portion(4), |portions| search(&portions));
        let kept = begun.expect("a thread").continue_value();
        let before = worked();
        let ended = kept.expect("it has not ended").go_on(portion(WORK));
        let told = ended.break_value().expect("it has ended");
        assert!(before <= told && told <= worked());
    });
}
