//! The system's allocator, counting: for tests that nothing is allocated.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts how often each thread allocates. A program of tests makes it its own:
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
    /// Of this thread alone, because tests run side by side.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// How often this thread has allocated so far; always 0 where [`Counting`] is not the program's allocator.
///
/// ```
/// let before = carom_testkit::allocations();
/// assert!(carom_testkit::allocations() >= before);
/// ```
pub fn allocations() -> usize {
    COUNT.with(Cell::get)
}

/// How often this thread allocates during `work`.
///
/// ```
/// assert_eq!(carom_testkit::allocations_of(|| ()), 0);
/// ```
pub fn allocations_of(work: impl FnOnce()) -> usize {
    let before = allocations();
    work();
    allocations() - before
}

// SAFETY: everything is handed to the system's allocator; only a number is counted up.
#[allow(unsafe_code, reason = "an allocator is unsafe by nature; this one only counts")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // at the very end of a thread there is no count any more
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}
