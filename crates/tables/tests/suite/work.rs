//! A reading ends where its limit of work ends, or where it is stopped, and nowhere else.

use std::future::{pending, ready};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use proptest::prelude::*;
use tables::grid;
use tables::work::{Ended, Work, charge};

proptest! {
    #[test]
    fn the_limit_is_exact(limit in 0_u64..200, units in prop::collection::vec(0_usize..20, 0..40)) {
        let work = Work::new(limit);
        let mut done = 0_u64;
        let read = work.read(|| {
            for own in &units {
                charge(*own);
                done += u64::try_from(*own).unwrap();
            }
        });
        let all: usize = units.iter().sum();
        prop_assert!(done <= limit);
        prop_assert_eq!(read.is_ok(), u64::try_from(all).unwrap() <= limit);
        prop_assert_eq!(work.left(), limit - done);
    }
}

#[test]
fn a_table_of_more_cells_than_the_limit_is_not_read_in_part() {
    let text = "Unit,Rent\n101,1000\n".repeat(1000);
    let own = u64::try_from(text.len()).unwrap();
    assert_eq!(
        Work::new(own / 2).read(|| grid::delimited(&text, None)),
        Err(Ended::TooMuch)
    );
    let read = Work::new(own * 100)
        .read(|| grid::delimited(&text, None))
        .unwrap();
    assert_eq!(read, grid::delimited(&text, None));
}

#[test]
fn a_stopped_reading_ends_on_its_own_thread() {
    let work = Work::new(u64::MAX);
    let (begun, has_begun) = std::sync::mpsc::channel();
    let own = work.clone();
    let reading = std::thread::spawn(move || {
        own.read(|| {
            begun.send(()).unwrap();
            loop {
                charge(1);
            }
        })
    });
    has_begun.recv().unwrap();
    work.stop();
    let Err(ended) = reading.join().unwrap();
    assert_eq!(ended, Ended::Stopped);
}

#[test]
fn limits_apply_to_their_own_reading_only() {
    charge(usize::MAX);
    let outer = Work::new(10);
    let ended = outer.read(|| {
        let inner = Work::new(1).read(|| charge(2));
        assert_eq!(inner, Err(Ended::TooMuch));
        charge(10);
        charge(1);
    });
    assert_eq!(ended, Err(Ended::TooMuch));
    charge(usize::MAX);
}

#[test]
fn a_waiting_future_holds_no_limit() {
    let mut reading = pin!(Work::new(5).answer(async {
        charge(3);
        pending::<()>().await;
    }));
    let mut context = Context::from_waker(Waker::noop());
    assert_eq!(reading.as_mut().poll(&mut context), Poll::Pending);
    // Other work on this thread is not charged to it.
    charge(usize::MAX);
    let mut charged = pin!(Work::new(5).answer(async {
        charge(3);
        ready(()).await;
        charge(3);
    }));
    assert_eq!(
        charged.as_mut().poll(&mut context),
        Poll::Ready(Err(Ended::TooMuch))
    );
}

#[test]
fn other_panics_pass_through() {
    let caught = catch_unwind(AssertUnwindSafe(|| Work::new(5).read(|| panic!("a fault"))));
    assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"a fault"));
    charge(usize::MAX);
}
