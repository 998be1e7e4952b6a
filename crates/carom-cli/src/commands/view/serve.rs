//! One page, served to this computer alone.

use std::ffi::OsStr;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

use super::browser;
use crate::failure::Failure;
use crate::watch::stop_on_ctrl_c;

/// Who says nothing for so long is not waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often Ctrl-C is looked for.
const NAP: Duration = Duration::from_millis(40);
/// A request is not longer.
const LONGEST: u64 = 1 << 16;

/// Serves what `make` makes, anew for every request, until Ctrl-C.
pub(super) fn serve(
    port: u16,
    open: bool,
    make: &(dyn Fn() -> Result<String, Failure> + Sync),
) -> Result<(), Failure> {
    // what is wrong is said at once
    make()?;
    let wrong = |e: io::Error| match e.kind() {
        io::ErrorKind::AddrInUse => Failure::Input(format!("--serve {port}: the port is taken")),
        _ => Failure::Run(format!("--serve {port}: {e}")),
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(wrong)?;
    let port = listener.local_addr().map_err(wrong)?.port();
    listener.set_nonblocking(true).map_err(wrong)?;
    let path = &token();
    let address = format!("http://127.0.0.1:{port}{path}");
    let mut out = crate::text::stdout();
    writeln!(out, "serving {address}    Ctrl-C ends it")?;
    out.flush()?;
    drop(out);
    if open {
        browser::open(OsStr::new(&address));
    }
    let stop = stop_on_ctrl_c();
    std::thread::scope(|scope| {
        while !stop.load(std::sync::atomic::Ordering::Relaxed) {
            match listener.accept() {
                // browsers open connections before they know what for: none keeps the others waiting
                Ok((stream, _)) => {
                    scope.spawn(move || answer(stream, port, path, make));
                }
                Err(_) => std::thread::sleep(NAP),
            }
        }
    });
    Ok(())
}

/// A path that nobody else can guess, so that other users of this computer do not see the run: 128 bits, from the keys with which the
/// standard library, for each map anew, guards against chosen keys.
fn token() -> String {
    let bits = || std::hash::RandomState::new().build_hasher().finish();
    format!("/{:016x}{:016x}/", bits(), bits())
}

/// Answers a request; a client that hangs up is dropped.
fn answer(stream: TcpStream, port: u16, path: &str, make: &(dyn Fn() -> Result<String, Failure> + Sync)) {
    let set = stream.set_nonblocking(false).and_then(|()| stream.set_read_timeout(Some(PATIENCE)));
    let Ok(asked) = set.and_then(|()| read(&stream)) else { return };
    let (status, kind, body) = match asked.reply(port, path) {
        Reply::Page => match make() {
            Ok(page) => ("200 OK", "text/html; charset=utf-8", page),
            Err(_) => ("500 Internal Server Error", "text/plain", "the run cannot be read\n".to_owned()),
        },
        Reply::Refuse(status) => (status, "text/plain", format!("{status}\n")),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let mut stream = &stream;
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
}

/// What was asked for.
#[derive(Debug, Default, PartialEq)]
struct Asked {
    method: String,
    path: String,
    host: String,
}

enum Reply {
    Page,
    Refuse(&'static str),
}

impl Asked {
    fn reply(&self, port: u16, path: &str) -> Reply {
        // a page of someone else may have a name that leads here: it does not get to see the run
        let here = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        match (self.method.as_str(), self.path.as_str()) {
            _ if !here.contains(&self.host) => Reply::Refuse("403 Forbidden"),
            ("GET", asked) if asked == path => Reply::Page,
            ("GET", _) => Reply::Refuse("404 Not Found"),
            _ => Reply::Refuse("405 Method Not Allowed"),
        }
    }
}

fn read(stream: &TcpStream) -> io::Result<Asked> {
    let mut lines = BufReader::new(stream.take(LONGEST)).lines();
    let first = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    let mut words = first.split(' ').map(str::to_owned);
    let mut asked = Asked {
        method: words.next().unwrap_or_default(),
        path: words.next().unwrap_or_default(),
        host: String::new(),
    };
    for line in lines {
        let line = line?;
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("host") => {
                value.trim().clone_into(&mut asked.host)
            }
            _ if line.is_empty() => break,
            _ => {}
        }
    }
    Ok(asked)
}
