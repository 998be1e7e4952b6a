//! One process at a time in a folder: of a run, of an analysis, of a sweep.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Who asks whether a folder is locked holds it for an instant: whoever wants to have it tries again.
const TRIES: usize = 5;
const PAUSE: Duration = Duration::from_millis(5);

/// Holds a folder for as long as it lives. The system lets go when the process ends, however it does.
#[derive(Debug)]
pub struct Lock {
    /// locked until it is closed
    _file: File,
    /// taken away when it is let go
    path: Option<PathBuf>,
}

/// Why a folder cannot be had.
#[derive(Debug)]
pub enum Locked {
    /// another has it, and this is what it said of itself
    Busy(String),
    /// the system would not
    Io(PathBuf, io::Error),
}

impl Lock {
    /// Takes a folder by a file of this name, or says who has it. The file stays, and says who was last.
    pub fn take(folder: &Path, name: &str) -> Result<Lock, Locked> {
        let path = folder.join(name);
        for _ in 0..TRIES {
            let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
            let mut file = open.map_err(|e| Locked::Io(path.clone(), e))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(PAUSE);
                    continue;
                }
                // a file system that knows no locks: then nobody is kept apart
                Err(TryLockError::Error(e)) if e.kind() == ErrorKind::Unsupported => {}
                Err(TryLockError::Error(e)) => return Err(Locked::Io(path, e)),
            }
            let mark = mark();
            let said =
                file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(mark.as_bytes()));
            said.map_err(|e| Locked::Io(path.clone(), e))?;
            // whoever had it may have taken the file away after it was opened here: then this is a lock on nothing
            match fs::read_to_string(&path) {
                Ok(text) if text != mark => {}
                Err(e) if e.kind() == ErrorKind::NotFound => {}
                _ => return Ok(Lock { _file: file, path: None }),
            }
        }
        Err(Locked::Busy(who(&path)))
    }

    /// The same; the file is taken away in the end.
    pub fn take_for_now(folder: &Path, name: &str) -> Result<Lock, Locked> {
        let mut lock = Lock::take(folder, name)?;
        lock.path = Some(folder.join(name));
        Ok(lock)
    }

    /// Who has a folder, if anybody has.
    pub fn holder(folder: &Path, name: &str) -> Option<String> {
        let path = folder.join(name);
        let file = File::open(&path).ok()?;
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)).then(|| who(&path))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // before the file is closed: nobody else can have it meanwhile. Where it cannot be taken away it does no harm
        if let Some(path) = self.path.take() {
            drop(fs::remove_file(path));
        }
    }
}

/// What is written into a file, never the same twice.
fn mark() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos());
    format!("process {}\n{} {now}\n", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// What the last one to lock a file said of itself.
fn who(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("carom-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn one_at_a_time() {
        let folder = folder("lock");
        for for_now in [false, true] {
            let take = || match for_now {
                true => Lock::take_for_now(&folder, "a.lock"),
                false => Lock::take(&folder, "a.lock"),
            };
            let first = take().unwrap();
            let me = format!("process {}", std::process::id());
            assert!(matches!(take(), Err(Locked::Busy(who)) if who == me));
            assert_eq!(Lock::holder(&folder, "a.lock"), Some(me));
            drop(first);
            assert_eq!(Lock::holder(&folder, "a.lock"), None);
            assert_eq!(folder.join("a.lock").exists(), !for_now);
            take().unwrap();
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Many at once, each holding it for a moment and taking its file away: never two.
    #[test]
    fn never_two() {
        let folder = folder("locks");
        let (inside, had) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        if let Ok(_lock) = Lock::take_for_now(&folder, "b.lock") {
                            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                            had.fetch_add(1, Ordering::SeqCst);
                            inside.fetch_sub(1, Ordering::SeqCst);
                        }
                    }
                });
            }
        });
        assert!(had.load(Ordering::SeqCst) > 0);
        fs::remove_dir_all(&folder).unwrap();
    }
}
