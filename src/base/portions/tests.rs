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

#[test]
fn a_search_goes_on_where_it_was() {
    thread::scope(|scope| {
        let begun = Kept::begin(scope, portion(4), |portions| search(&portions));
        let Some(Came::Later(kept)) = begun else {
            panic!("it has ended");
        };
        let Came::Later(kept) = kept.go_on(portion(3)) else {
            panic!("it has ended");
        };
        assert!(matches!(kept.go_on(portion(WORK)), Came::Ended(WORK)));
    });
}

#[test]
fn a_search_that_nobody_goes_on_with_ends() {
    thread::scope(|scope| {
        let begun = Kept::begin(scope, portion(4), |portions| search(&portions));
        let Some(Came::Later(kept)) = begun else {
            panic!("it has ended");
        };
        assert_eq!(kept.give_up(), 3);
    });
    thread::scope(|scope| {
        let begun = Kept::begin(scope, portion(4), |portions| search(&portions));
        assert!(matches!(begun, Some(Came::Later(_))));
    });
}
