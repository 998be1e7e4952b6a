//! The system's allocator, counting: for tests that nothing is allocated.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    /// of this thread: tests run side by side
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// How often this thread has allocated.
pub(crate) fn allocations() -> usize {
    ALLOCATIONS.with(Cell::get)
}

#[allow(unsafe_code, reason = "an allocator is unsafe by nature; this one only counts")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|n| n.set(n.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;
