//! The system's allocator with a counter, for tests that no memory is allocated.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts the allocations of each thread. A test program declares it as its allocator:
///
/// ```
/// use carom_testkit::{Counting, allocations_of};
///
/// #[global_allocator]
/// static ALLOCATOR: Counting = Counting;
///
/// assert_eq!(allocations_of(|| drop(vec![1, 2, 3])), 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Counting;

thread_local! {
    /// One counter per thread, because tests run in parallel.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// Returns the number of allocations of this thread so far; always 0 if [`Counting`] is not the program's allocator.
///
/// ```
/// let before = carom_testkit::allocations();
/// assert!(carom_testkit::allocations() >= before);
/// ```
pub fn allocations() -> usize {
    COUNT.with(Cell::get)
}

/// Returns the number of allocations of this thread during `work`.
///
/// ```
/// assert_eq!(carom_testkit::allocations_of(|| ()), 0);
/// ```
pub fn allocations_of(work: impl FnOnce()) -> usize {
    let before = allocations();
    work();
    allocations() - before
}

// SAFETY: every call is passed to the system's allocator; only a counter is incremented.
#[allow(unsafe_code, reason = "an allocator is unsafe by nature; this one only counts")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // at the very end of a thread its counter no longer exists
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}
