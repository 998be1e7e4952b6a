//! One process at a time in the folder of a sweep.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Seek, Write};
use std::path::Path;

use super::error::SweepError;

/// Its name in the folder of the sweep.
pub(super) const LOCK: &str = "sweep.lock";

/// Holds a folder for as long as it lives. The system lets go when the process ends, however it does; the file stays, and says who was last.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the folder, or says who has it.
    pub(super) fn take(folder: &Path) -> Result<Lock, SweepError> {
        let path = folder.join(LOCK);
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = open.map_err(SweepError::io(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let who = fs::read_to_string(&path).unwrap_or_default();
                return Err(SweepError::Busy { path: folder.to_owned(), who: who.trim().to_owned() });
            }
            // a file system that knows no locks: then nobody is kept apart, as on the others nobody was
            Err(TryLockError::Error(e)) if e.kind() == std::io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(source)) => return Err(SweepError::Io { path, source }),
        }
        let said = file.set_len(0).and_then(|()| file.rewind());
        said.and_then(|()| writeln!(file, "process {}", std::process::id()))
            .map_err(SweepError::io(&path))?;
        Ok(Lock { _file: file })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let folder = std::env::temp_dir().join(format!("carom-lock-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let first = Lock::take(&folder).unwrap();
        let said = Lock::take(&folder).unwrap_err().to_string();
        assert!(
            said.contains("by another process") && said.contains(&std::process::id().to_string()),
            "{said}"
        );
        drop(first);
        Lock::take(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
    }
}
