//! Files that are written whole or not at all, and never through a link; and files that are read within bounds.
//!
//! A folder of results may have been made by another user, with links in it that lead elsewhere; a disk may be full, and a
//! program may be ended at any instant. So a file that is written at once is written aside and then renamed
//! ([`write()`], [`Aside`]): a reader sees the old content or the new one. A file that grows ([`Growing`]) is made anew in the
//! place of whatever had its name, and what cannot be written whole is taken away again.

use std::cell::Cell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why a link is not written to.
const NO_FILE: &str = "it is no file, but a link, a folder or a device: nothing is written through it";

thread_local! {
    /// the number of bytes that may still be written by this thread; `None`: as many as the disk takes
    static ROOM: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Does something as if the disk had room for only so many bytes more, in this thread: a test of what is done when it is full.
///
/// ```
/// use carom_base::file::{self, with_room};
/// let path = std::env::temp_dir().join("carom-with-room");
/// let error = with_room(3, || file::write(&path, b"four")).unwrap_err();
/// assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
/// assert!(!path.exists());
/// ```
pub fn with_room<T>(bytes: u64, does: impl FnOnce() -> T) -> T {
    let before = ROOM.replace(Some(bytes));
    let done = does();
    ROOM.set(before);
    done
}

/// Whether a full disk is tried out: then there is no waiting for the real one.
fn is_tried() -> bool {
    ROOM.get().is_some()
}

/// Writes all bytes, or as many as there is room for.
fn put(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    let Some(room) = ROOM.get() else { return file.write_all(bytes) };
    let fits = bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX));
    ROOM.set(Some(room - fits as u64));
    file.write_all(&bytes[..fits])?;
    if fits < bytes.len() { Err(ErrorKind::StorageFull.into()) } else { Ok(()) }
}

/// Writes a file at once. A link of this name is replaced by the file; what it leads to stays as it is.
///
/// ```
/// let path = std::env::temp_dir().join("carom-file-write");
/// carom_base::file::write(&path, b"all of it")?;
/// assert_eq!(std::fs::read(&path)?, b"all of it");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let aside = Aside::new(path)?;
    put(aside.file(), bytes)?;
    aside.keep()
}

/// Writes a file at once, so that after a loss of power it has the old content or the new one.
pub fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let aside = Aside::new(path)?;
    put(aside.file(), bytes)?;
    if is_tried() {
        return aside.keep();
    }
    aside.file().sync_all()?;
    aside.keep()?;
    // (the name is in the folder; where a folder cannot be opened as a file, the system sees to that)
    match path.parent().map(File::open) {
        Some(Ok(folder)) => folder.sync_all().or(Ok(())),
        _ => Ok(()),
    }
}

/// A file that is being written beside the one it is to replace. Unless it is [kept](Aside::keep), it is removed.
#[derive(Debug)]
pub struct Aside {
    file: File,
    /// where it is now, and what it is to become; `None` for what is no file: a terminal, a pipe
    names: Option<[PathBuf; 2]>,
}

impl Aside {
    /// Makes an empty one.
    pub fn new(path: &Path) -> io::Result<Aside> {
        if is_device(path) {
            return Ok(Aside { file: OpenOptions::new().write(true).open(path)?, names: None });
        }
        let Some(name) = path.file_name() else { return Err(ErrorKind::InvalidInput.into()) };
        let mut part = name.to_owned();
        part.push(format!(".{}.part", std::process::id()));
        let part = path.with_file_name(part);
        Ok(Aside { file: create(&part)?, names: Some([part, path.to_owned()]) })
    }

    /// Returns the file to write to.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Puts it in the place of the file that it replaces.
    pub fn keep(mut self) -> io::Result<()> {
        let Some([part, path]) = self.names.take() else { return Ok(()) };
        fs::rename(&part, &path).inspect_err(|_| drop(fs::remove_file(&part)))
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some([part, _]) = &self.names {
            drop(fs::remove_file(part));
        }
    }
}

impl Write for &Aside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        put(&self.file, bytes).map(|()| bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Removes what is left in a folder of files with these names that were being written when their program was killed.
pub fn remove_parts(folder: &Path, names: &[&str]) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let stem = name.to_str().and_then(|name| name.strip_suffix(".part"));
        let stem = stem.and_then(|name| name.rsplit_once('.'));
        if stem.is_some_and(|(of, id)| names.contains(&of) && id.bytes().all(|b| b.is_ascii_digit())) {
            fs::remove_file(folder.join(name))?;
        }
    }
    Ok(())
}

/// Whether a path leads to something that is written to as it is: a terminal, a pipe, what the system names in `/dev`.
fn is_device(path: &Path) -> bool {
    let system = ["/dev", "/proc"].iter().any(|root| path.starts_with(root));
    fs::metadata(path).is_ok_and(|meta| system && !meta.is_dir() || !(meta.is_file() || meta.is_dir()))
}

/// Makes an empty file, in the place of a file or a link of this name.
pub fn create(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    // (it fails if the name is in use again, and so follows no link)
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Opens a file to read. A folder, a pipe and a device, which might have no end or never begin, are refused.
pub fn open(path: &Path) -> io::Result<File> {
    // (asked before it is opened: a pipe would be waited for)
    let meta = fs::metadata(path)?;
    match (meta.is_dir(), meta.is_file()) {
        (true, _) => Err(io::Error::other("it is a folder")),
        (_, false) => Err(io::Error::other("it is no file, but a pipe or a device")),
        _ => File::open(path),
    }
}

/// Reads a file of at most `most` GB, as [opened](open).
///
/// ```
/// # #[cfg(unix)] {
/// let error = carom_base::file::read("/dev/zero".as_ref(), 1).unwrap_err();
/// assert_eq!(error.to_string(), "it is no file, but a pipe or a device");
/// # }
/// ```
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (mut bytes, limit) = (Vec::new(), most << 30);
    open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        Err(io::Error::other(format!("it is larger than {most} GB")))
    } else {
        Ok(bytes)
    }
}

/// Reads a text likewise.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?).map_err(|_| io::Error::other("it is no text in UTF-8"))
}

/// Opens a file to which lines are added at its end; a link is refused.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other(NO_FILE));
    }
    OpenOptions::new().append(true).open(path)
}

/// A file that grows by whole pieces, of lines say: what could not be written whole is taken away again.
#[derive(Debug)]
pub struct Growing {
    file: File,
    /// size [bytes]
    len: u64,
}

impl Growing {
    /// Makes an empty file, in the place of a file or a link of this name.
    pub fn create(path: &Path) -> io::Result<Growing> {
        Ok(Growing { file: create(path)?, len: 0 })
    }

    /// Opens a file to go on after its first `len` bytes; what follows them is taken away.
    pub fn reopen(path: &Path, len: u64) -> io::Result<Growing> {
        if !fs::symlink_metadata(path)?.is_file() {
            return Err(io::Error::other(NO_FILE));
        }
        let mut file = OpenOptions::new().write(true).open(path)?;
        let found = file.metadata()?.len();
        if found < len {
            return Err(io::Error::other(format!("it has {found} bytes, and should have {len}")));
        }
        file.set_len(len)?;
        file.seek(SeekFrom::Start(len))?;
        Ok(Growing { file, len })
    }

    /// Returns its size \[bytes\].
    pub fn size(&self) -> u64 {
        self.len
    }

    /// Adds a piece. If there is no room for all of it, the file stays as it was.
    pub fn append(&mut self, piece: &[u8]) -> io::Result<()> {
        match put(&self.file, piece) {
            Ok(()) => {
                self.len += piece.len() as u64;
                Ok(())
            }
            Err(error) => {
                let back =
                    self.file.set_len(self.len).and_then(|()| self.file.seek(SeekFrom::Start(self.len)));
                Err(back.err().unwrap_or(error))
            }
        }
    }

    /// Waits until the disk has what was written.
    pub fn sync(&self) -> io::Result<()> {
        if is_tried() { Ok(()) } else { self.file.sync_data() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("carom-file-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn what_does_not_fit_leaves_nothing_behind() {
        let folder = folder("room");
        let (whole, growing) = (folder.join("whole"), folder.join("growing"));
        write(&whole, b"old").unwrap();
        let mut file = Growing::create(&growing).unwrap();
        file.append(b"one\n").unwrap();
        for room in 0..4 {
            let full = |error: io::Error| assert_eq!(error.kind(), ErrorKind::StorageFull);
            full(with_room(room, || write(&whole, b"newer")).unwrap_err());
            full(with_room(room, || file.append(b"two\n")).unwrap_err());
            assert_eq!(fs::read(&whole).unwrap(), b"old");
            assert_eq!(fs::read(&growing).unwrap(), b"one\n");
        }
        file.append(b"three\n").unwrap();
        assert_eq!((fs::read(&growing).unwrap().as_slice(), file.size()), (b"one\nthree\n".as_slice(), 10));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        let mut again = Growing::reopen(&growing, 4).unwrap();
        again.append(b"four\n").unwrap();
        assert_eq!(fs::read(&growing).unwrap(), b"one\nfour\n");
        assert!(Growing::reopen(&growing, 10).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_are_replaced_and_not_followed() {
        let folder = folder("links");
        let (victim, link) = (folder.join("victim"), folder.join("link"));
        fs::write(&victim, b"precious").unwrap();
        let attempts: [fn(&Path); 2] =
            [|p| write(p, b"page").unwrap(), |p| drop(Growing::create(p).unwrap())];
        for attempt in attempts {
            std::os::unix::fs::symlink(&victim, &link).unwrap();
            attempt(&link);
            assert!(fs::symlink_metadata(&link).unwrap().is_file());
            assert_eq!(fs::read(&victim).unwrap(), b"precious");
            fs::remove_file(&link).unwrap();
        }
        std::os::unix::fs::symlink(&victim, &link).unwrap();
        assert!(Growing::reopen(&link, 0).is_err());
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        write(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        fs::remove_dir_all(&folder).unwrap();
    }
}
