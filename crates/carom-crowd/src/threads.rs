//! Threads that share the work of a crowd.

/// Returns the number of threads that share the work here: those of the pool that this is called in, or one, outside of any.
pub fn threads() -> usize {
    // (asked outside of a pool, the library would start one with all cores, and name that)
    if rayon::current_thread_index().is_some() { rayon::current_num_threads() } else { 1 }
}

/// A number of threads that share the work of a crowd.
#[derive(Debug)]
pub struct Threads(Option<rayon::ThreadPool>);

impl Threads {
    /// Creates so many threads; with one, the thread that calls does the work. Where the system gives no threads, that one works alone:
    /// results are the same.
    ///
    /// ```
    /// let two = carom_crowd::Threads::new(2);
    /// assert!(two.run(carom_crowd::threads) <= 2);
    /// assert_eq!(carom_crowd::Threads::new(1).run(carom_crowd::threads), 1);
    /// ```
    pub fn new(count: usize) -> Threads {
        let pool = || rayon::ThreadPoolBuilder::new().num_threads(count).build().ok();
        Threads((count > 1).then(pool).flatten())
    }

    /// Calls a function that shares its work among these threads.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Returns how many there are.
    pub fn count(&self) -> usize {
        self.0.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }
}
