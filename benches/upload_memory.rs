//! The memory cost of a large file: 50 MiB sent with a run, as base64 in JSON and as a form part, one at a
//! time and several at once. Compares the server's peak (VmHWM, reset before each upload) with its memory
//! before. One byte more must be refused during the upload.
//!
//! Run with `cargo bench --bench upload_memory`. CORBEL_BENCH_POSTGRES_URL: uses that server instead of
//! SQLite. CORBEL_BENCH_ROUNDS: 3. CORBEL_BENCH_AT_ONCE: 4. Exits with status 1 if an upload uses more memory
//! than allowed.

#[expect(dead_code, reason = "the benches that measure time use more of it")]
mod support;

/// The server and its callers.
mod load {
    #[expect(dead_code, reason = "the benches that measure time use more of it")]
    pub mod database;
    #[expect(dead_code, reason = "the benches that measure time use more of it")]
    pub mod place;
    #[expect(dead_code, reason = "nothing is pinned here")]
    pub mod server;
}

use std::io::ErrorKind;
use std::process::ExitCode;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::load::database::TempDatabase;
use crate::load::place::{Place, Tenant};
use crate::load::server::Server;
use crate::support::{Outcome, Scratch, env_var, machine, number, say};

const MIB: u64 = 1 << 20;
/// The largest allowed file.
const FILE: u64 = 50 * MIB;
/// Maximum growth of the peak in KiB per upload.
const MOST: u64 = 16 * 1024;
/// Bytes that the sender may send between the refusal and reading it: what the sockets buffer, and what the
/// server still reads so that the client gets the response.
const ON_THE_WAY: u64 = 32 * MIB;
/// Bytes of a file's block; a multiple of three, so that base64 needs no padding.
const BLOCK: usize = 48 * 1024;
const BOUNDARY: &str = "bench-boundary-3f9a";

fn main() -> Outcome<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(measure())
}

async fn measure() -> Outcome<ExitCode> {
    say(machine())?;
    let scratch = Scratch::new("upload-memory")?;
    let own = match env_var("CORBEL_BENCH_POSTGRES_URL") {
        Some(server) => Some(TempDatabase::create(&server).await?),
        None => None,
    };
    let place = Place {
        data: scratch.path().join("data"),
        database: own.as_ref().map(TempDatabase::url).transpose()?,
    };
    let measured = uploads(&place).await;
    if let Some(own) = own {
        own.remove().await?;
    }
    let held = measured?;
    say(machine())?;
    Ok(if held {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

async fn uploads(place: &Place) -> Outcome<bool> {
    let rounds = number("CORBEL_BENCH_ROUNDS", 3)?;
    let at_once = number("CORBEL_BENCH_AT_ONCE", 4)? as u64;
    let app = place.open().await?;
    let key = Tenant::create(&app.services, 1).await?.keys.concat();
    app.services.db.close().await;
    let server = Server::start(&mut place.serve(4, false))?;
    let mut held = true;
    for form in [Form::Base64, Form::Multipart] {
        // A small upload first, so that one-time allocations are not counted.
        send(&server.listen, &key, &Body::new(form, 100_000, 0)).await?;
        for (count, rounds) in [(1, rounds), (at_once, 1)] {
            for _ in 0..rounds {
                let memory = Memory::watch(&server)?;
                let mut sending = JoinSet::new();
                for _ in 0..count {
                    let (listen, key) = (server.listen.clone(), key.clone());
                    sending.spawn(async move { send(&listen, &key, &Body::new(form, FILE, 0)).await });
                }
                while let Some(sent) = sending.join_next().await {
                    let sent = sent??;
                    if sent.status != 202 {
                        return Err(format!("50 MiB were answered {}", sent.status).into());
                    }
                }
                let (before, grown) = memory.grown(&server)?;
                held &= grown <= MOST * count;
                say(format!(
                    "{:<10} {count} x 50 MiB: peak {:.1} MiB above the {:.1} MiB before, {:.1} MiB an upload",
                    form.name(),
                    mib(grown),
                    mib(before),
                    mib(grown) / count as f64
                ))?;
            }
        }
        let memory = Memory::watch(&server)?;
        let refused = send(&server.listen, &key, &Body::new(form, FILE + 1, FILE)).await?;
        let (_, grown) = memory.grown(&server)?;
        let while_sent = refused.sent <= FILE * form.times() / 3 + ON_THE_WAY;
        held &= refused.status == 413 && while_sent && grown <= MOST;
        say(format!(
            "{:<10} 50 MiB and a byte, then 50 MiB more: {} after {:.1} of {:.1} MiB were sent, peak {:.1} MiB higher",
            form.name(),
            refused.status,
            refused.sent as f64 / MIB as f64,
            refused.of as f64 / MIB as f64,
            mib(grown)
        ))?;
    }
    say(format!(
        "an upload may cost {:.0} MiB: {}",
        mib(MOST),
        if held { "holds" } else { "DOES NOT HOLD" }
    ))?;
    Ok(held)
}

fn mib(kib: u64) -> f64 {
    kib as f64 / 1024.0
}

/// A server's memory from now on, in KiB.
struct Memory {
    before: u64,
}

impl Memory {
    /// Resets the peak to the current memory.
    fn watch(server: &Server) -> Outcome<Self> {
        std::fs::write(format!("/proc/{}/clear_refs", server.pid()), "5")?;
        let before = field(server, "VmRSS:")?;
        Ok(Self { before })
    }

    /// The memory before, and how much higher the peak was.
    fn grown(&self, server: &Server) -> Outcome<(u64, u64)> {
        Ok((self.before, field(server, "VmHWM:")?.saturating_sub(self.before)))
    }
}

fn field(server: &Server, name: &str) -> Outcome<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid()))?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.ok_or("/proc/PID/status has an unknown format")?;
    Ok(number.trim().trim_end_matches(" kB").parse()?)
}

#[derive(Clone, Copy)]
enum Form {
    Base64,
    Multipart,
}

impl Form {
    const fn name(self) -> &'static str {
        match self {
            Self::Base64 => "base64",
            Self::Multipart => "multipart",
        }
    }

    /// Thirds of a byte that a byte of a file takes during transfer.
    const fn times(self) -> u64 {
        match self {
            Self::Base64 => 4,
            Self::Multipart => 3,
        }
    }

    fn content_type(self) -> String {
        match self {
            Self::Base64 => "application/json".to_owned(),
            Self::Multipart => format!("multipart/form-data; boundary={BOUNDARY}"),
        }
    }

    fn begin(self, name: &str) -> Vec<u8> {
        let text = match self {
            Self::Base64 => format!("{{\"name\":\"{name}\",\"dataBase64\":\""),
            Self::Multipart => format!(
                "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\n\
                 Content-Type: application/octet-stream\r\n\r\n"
            ),
        };
        text.into_bytes()
    }

    fn encoded(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Base64 => STANDARD.encode(bytes).into_bytes(),
            Self::Multipart => bytes.to_vec(),
        }
    }
}

/// A request body that is never completely in memory.
struct Body {
    form: Form,
    block: Vec<u8>,
    /// The parts in order: bytes, or a number of blocks.
    parts: Vec<Part>,
}

enum Part {
    Bytes(Vec<u8>),
    Blocks(u64),
}

impl Body {
    /// A run with one file, and with a second one if its size is not zero.
    fn new(form: Form, first: u64, second: u64) -> Self {
        // Contains no signature of a known file type, and nothing that looks like a boundary.
        let block: Vec<u8> = (0..BLOCK).map(|n| (n % 251) as u8 ^ 0x80).collect();
        let opening = match form {
            Form::Base64 => "{\"question\":\"What is in it?\",\"filesBase64\":[".to_owned(),
            Form::Multipart => format!(
                "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"question\"\r\n\r\nWhat is in it?\r\n"
            ),
        };
        let mut parts = vec![Part::Bytes(opening.into_bytes())];
        for (n, bytes) in [first, second].into_iter().enumerate() {
            if bytes == 0 {
                continue;
            }
            if n > 0 && matches!(form, Form::Base64) {
                parts.push(Part::Bytes(b",".to_vec()));
            }
            parts.push(Part::Bytes(form.begin(&format!("file-{n}.bin"))));
            parts.push(Part::Blocks(bytes / BLOCK as u64));
            let rest = usize::try_from(bytes % BLOCK as u64).unwrap_or_default();
            parts.push(Part::Bytes(form.encoded(block.get(..rest).unwrap_or_default())));
            let end: &[u8] = match form {
                Form::Base64 => b"\"}",
                Form::Multipart => b"\r\n",
            };
            parts.push(Part::Bytes(end.to_vec()));
        }
        let end = match form {
            Form::Base64 => "]}".to_owned(),
            Form::Multipart => format!("--{BOUNDARY}--\r\n"),
        };
        parts.push(Part::Bytes(end.into_bytes()));
        Self {
            form,
            block: form.encoded(&block),
            parts,
        }
    }

    fn length(&self) -> u64 {
        let lengths = self.parts.iter().map(|part| match part {
            Part::Bytes(bytes) => bytes.len() as u64,
            Part::Blocks(count) => count * self.block.len() as u64,
        });
        lengths.sum()
    }

    fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        self.parts.iter().flat_map(|part| {
            let (bytes, times) = match part {
                Part::Bytes(bytes) => (bytes.as_slice(), 1),
                Part::Blocks(count) => (self.block.as_slice(), *count),
            };
            (0..times).map(move |_| bytes)
        })
    }
}

/// The response to a request, and how much of its body had been sent by then.
struct Sent {
    status: u16,
    sent: u64,
    of: u64,
}

/// Sends until everything is sent or a response arrives.
async fn send(listen: &str, key: &str, body: &Body) -> Outcome<Sent> {
    let stream = TcpStream::connect(listen).await?;
    let (kind, of) = (body.form.content_type(), body.length());
    let head = format!(
        "POST /users/run-models HTTP/1.1\r\nHost: {listen}\r\nX-Api-Key: {key}\r\nContent-Type: {kind}\r\n\
         Content-Length: {of}\r\nConnection: close\r\n\r\n"
    );
    let mut reply = Vec::new();
    let mut sent = 0;
    for (n, piece) in std::iter::once(head.as_bytes()).chain(body.pieces()).enumerate() {
        let mut left = piece;
        while !left.is_empty() && !has_status(&reply) {
            let ready = stream.ready(Interest::READABLE | Interest::WRITABLE).await?;
            if ready.is_readable() && !received(&stream, &mut reply)? && !has_status(&reply) {
                return Err("the server closed the connection without an answer".into());
            }
            match stream.try_write(left) {
                Ok(written) => {
                    left = left.get(written..).unwrap_or_default();
                    sent += if n == 0 { 0 } else { written as u64 };
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) if has_status(&reply) => drop(error),
                Err(error) => return Err(error.into()),
            }
        }
        if has_status(&reply) {
            break;
        }
    }
    while !has_status(&reply) {
        stream.readable().await?;
        if !received(&stream, &mut reply)? && !has_status(&reply) {
            return Err("the server closed the connection without an answer".into());
        }
    }
    let status = reply.get(9..12).map(String::from_utf8_lossy).unwrap_or_default();
    let status = status.parse()?;
    Ok(Sent { status, sent, of })
}

fn has_status(reply: &[u8]) -> bool {
    reply.len() >= 12
}

/// Reads the available bytes; false at the end.
fn received(stream: &TcpStream, reply: &mut Vec<u8>) -> Outcome<bool> {
    match stream.try_read_buf(reply) {
        Ok(0) => Ok(false),
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(true),
        Err(error) => Err(error.into()),
    }
}
