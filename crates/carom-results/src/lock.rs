//! Locks a folder, so that only one process at a time writes a run, an analysis or a sweep to it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use carom_base::file;

/// Number of attempts: a process that only asks whether a folder is locked holds it for an instant, so taking it is retried.
const TRIES: usize = 5;
const PAUSE: Duration = Duration::from_millis(5);

/// A lock on a folder for the lifetime of this value. The operating system releases it when the process ends in any manner.
#[derive(Debug)]
pub struct Lock {
    /// locked until it is closed
    _file: File,
    /// the file to delete on release
    path: Option<PathBuf>,
}

/// The reason why a folder cannot be locked.
#[derive(Debug)]
pub enum Locked {
    /// another process has it; the text is that process's description of itself
    Busy(String),
    /// the operating system returned an error
    Io(PathBuf, io::Error),
}

impl Lock {
    /// Locks a folder by a file of this name, or returns who has it. The file remains and names the last owner.
    pub fn take(folder: &Path, name: &str) -> Result<Lock, Locked> {
        let path = folder.join(name);
        for _ in 0..TRIES {
            // (what a link leads to is not written to)
            if fs::symlink_metadata(&path).is_ok_and(|meta| !meta.is_file()) {
                fs::remove_file(&path).map_err(|e| Locked::Io(path.clone(), e))?;
            }
            let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
            let mut file = open.map_err(|e| Locked::Io(path.clone(), e))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(PAUSE);
                    continue;
                }
                // a file system without locks: processes are then not kept apart
                Err(TryLockError::Error(e)) if e.kind() == ErrorKind::Unsupported => {}
                Err(TryLockError::Error(e)) => return Err(Locked::Io(path, e)),
            }
            let mark = mark();
            let said =
                file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(mark.as_bytes()));
            said.map_err(|e| Locked::Io(path.clone(), e))?;
            // the previous owner may have deleted the file after it was opened here: then this lock has no effect
            match file::read_text(&path, 1) {
                Ok(text) if text != mark => {}
                Err(e) if e.kind() == ErrorKind::NotFound => {}
                _ => return Ok(Lock { _file: file, path: None }),
            }
        }
        Err(Locked::Busy(who(&path)))
    }

    /// Locks a folder by a file of this name, or returns who has it. The file is deleted on release.
    pub fn take_for_now(folder: &Path, name: &str) -> Result<Lock, Locked> {
        let mut lock = Lock::take(folder, name)?;
        lock.path = Some(folder.join(name));
        Ok(lock)
    }

    /// Returns who has locked a folder, if any process has.
    pub fn holder(folder: &Path, name: &str) -> Option<String> {
        let path = folder.join(name);
        let file = file::open(&path).ok()?;
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)).then(|| who(&path))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // deleted before the file is closed, so no other process can have it meanwhile; if it cannot be deleted it has no effect
        if let Some(path) = self.path.take() {
            drop(fs::remove_file(path));
        }
    }
}

/// Returns the text to write into a lock file; it is never the same twice.
fn mark() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos());
    format!("process {}\n{} {now}\n", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Returns the description that the last owner wrote into a lock file.
fn who(path: &Path) -> String {
    let text = file::read_text(path, 1).unwrap_or_default();
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

    /// Many threads take the lock at once, each for a moment and deleting its file: never do two have it together.
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
