//! The memory of a server that reads large files: eight runs with a table of 4 MiB each at once, the first of them with
//! four such tables, and meanwhile the preview of a workbook with as many cells as one may have. Measures the resident
//! memory before, the peak, and the memory a minute later.
//!
//! Run with `cargo bench --bench read_memory`. CORBEL_BENCH_AT_ONCE: 8. Exits with status 1 if a limit is exceeded.

#[expect(dead_code, reason = "the benches that measure time use more of it")]
mod support;

/// The server.
mod load {
    #[expect(dead_code, reason = "the benches that measure time use more of it")]
    pub mod place;
    #[expect(dead_code, reason = "nothing is pinned here")]
    pub mod server;
}

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use corbel::accounts::model::Plan;
use corbel::accounts::service::NewPerson;
use corbel::audit::store::Actor;
use corbel::base::principal::Role;
use corbel::base::secret::Secret;
use corbel::keys::model::{Environment, NewKey};
use corbel::portfolio::import::sheet::InputFile;
use corbel::portfolio::uploads::Reading;
use corbel::services::Services;
use reqwest::header::{COOKIE, SET_COOKIE};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::load::place::Place;
use crate::load::server::Server;
use crate::support::{Outcome, Scratch, machine, number, say};

/// Limits in KiB: before, at the peak, and a minute later.
const IDLE: u64 = 70 * 1024;
const PEAK: u64 = 300 * 1024;
const LATER: u64 = 150 * 1024;
/// Bytes of a run's table, just below the largest that a run reads.
const TABLE: usize = (4 << 20) - 1024;
/// Rows of the workbook, of eight cells each.
const ROWS: usize = 240_000;
const EMAIL: &str = "bench@bench.example";
const PASSWORD: &str = "an invented pass phrase";

fn main() -> Outcome<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(measure())
}

async fn measure() -> Outcome<ExitCode> {
    say(machine())?;
    let runs = number("CORBEL_BENCH_AT_ONCE", 8)?;
    let scratch = Scratch::new("read-memory")?;
    let place = Place {
        data: scratch.path().join("data"),
        database: None,
    };
    let app = place.open().await?;
    let (key, preview) = fill(&app.services).await?;
    app.services.db.close().await;
    let server = Server::start(&mut place.serve(runs, false))?;
    tokio::time::sleep(Duration::from_secs(5)).await;
    let idle = field(&server, "VmRSS:")?;
    let client = client()?;
    let started = Instant::now();
    let mut work = JoinSet::new();
    for n in 0..runs {
        work.spawn(ask(client.clone(), server.listen.clone(), key.clone(), n));
    }
    work.spawn(look(client, server.listen.clone(), preview));
    while let Some(ended) = work.join_next().await {
        ended??;
    }
    let took = started.elapsed();
    let peak = field(&server, "VmHWM:")?;
    tokio::time::sleep(Duration::from_secs(60)).await;
    let later = field(&server, "VmRSS:")?;
    let mut held = true;
    say(format!(
        "{runs} runs and a preview took {:.1} s",
        took.as_secs_f64()
    ))?;
    for (name, own, most) in [
        ("before", idle, IDLE),
        ("peak", peak, PEAK),
        ("a minute later", later, LATER),
    ] {
        held &= own < most;
        let verdict = if own < most { "" } else { ", TOO MUCH" };
        say(format!("{name}: {} of {} MiB{verdict}", own / 1024, most / 1024))?;
    }
    Ok(ExitCode::from(u8::from(!held)))
}

/// An organization with a project key, and the path of the preview of an uploaded workbook.
async fn fill(services: &Services) -> Outcome<(String, String)> {
    let org = services
        .accounts
        .create_org(Actor::OPERATOR, "Bench", Plan::Enterprise, None)
        .await?
        .id;
    let person = NewPerson {
        email: EMAIL.into(),
        name: "Bench".into(),
        role: Role::Owner,
        password: Some(Secret::new(PASSWORD)),
    };
    let owner = services
        .accounts
        .create_member(Actor::OPERATOR, org, person)
        .await?;
    let new = NewKey {
        org,
        owner,
        name: "Bench".into(),
        environment: Environment::Production,
        expires_at: None,
    };
    let (_, key) = services.keys.create(Actor::OPERATOR, new).await?;
    let file = InputFile {
        name: "roll.xlsx".into(),
        bytes: workbook()?,
    };
    let upload = services
        .uploads
        .keep(org, owner, vec![file], Reading::default())
        .await?;
    Ok((
        key.expose().to_owned(),
        format!("/console/portfolio/import/{upload}"),
    ))
}

fn workbook() -> Outcome<Vec<u8>> {
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let row = "<c><v>101</v></c>".repeat(8);
    let sheet = format!(
        "<worksheet><sheetData>{}</sheetData></worksheet>",
        format!("<row>{row}</row>").repeat(ROWS)
    );
    let parts = [
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns:r=\"{office}\"><sheets><sheet name=\"A\" sheetId=\"1\" r:id=\"r1\"/></sheets>\
                 </workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!(
                "<Relationships xmlns=\"{package}\"><Relationship Id=\"r1\" Type=\"{office}/worksheet\" \
                 Target=\"worksheets/sheet1.xml\"/></Relationships>"
            ),
        ),
        ("xl/worksheets/sheet1.xml", sheet),
    ];
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(name, SimpleFileOptions::default())?;
        archive.write_all(text.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}

#[expect(
    clippy::disallowed_methods,
    reason = "only the program itself must not make clients of its own"
)]
fn client() -> Outcome<reqwest::Client> {
    let quiet = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    Ok(quiet.no_proxy().build()?)
}

/// One run with a table, until it has ended.
async fn ask(client: reqwest::Client, listen: String, key: String, n: usize) -> Outcome {
    // Short cells take the most memory for each byte.
    let mut table = String::from("a,b,c,d,e,f,g,h\n");
    let mut row = n;
    while table.len() < TABLE - 100 {
        for at in 0..8 {
            let end = if at < 7 { ',' } else { '\n' };
            write!(table, "{}{end}", 10 + (row * 7 + at * 13) % 89)?;
        }
        row += 1;
    }
    let file = json!({ "name": format!("roll-{n}.csv"), "dataBase64": STANDARD.encode(table) });
    let files = vec![file; if n == 0 { 4 } else { 1 }];
    let body = json!({ "question": "What is the total amount?", "filesBase64": files });
    let admitted = client
        .post(format!("http://{listen}/users/run-models"))
        .header("X-Api-Key", &key)
        .json(&body)
        .send()
        .await?
        .error_for_status()?;
    drop(body);
    let admitted: Value = admitted.json().await?;
    let id = admitted
        .get("messageId")
        .and_then(Value::as_str)
        .ok_or("no message")?;
    loop {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let request = client.get(format!("http://{listen}/users/me/chat-messages/{id}"));
        let message: Value = request.header("X-Api-Key", &key).send().await?.json().await?;
        match message.get("status").and_then(Value::as_str) {
            Some("processing") => {}
            Some("completed") => return Ok(()),
            other => return Err(format!("run {n} ended as {other:?}").into()),
        }
    }
}

/// Signs in and opens the preview of the upload.
async fn look(client: reqwest::Client, listen: String, preview: String) -> Outcome {
    let signed_in = client
        .post(format!("http://{listen}/sign-in"))
        .form(&[("email", EMAIL), ("password", PASSWORD)])
        .send()
        .await?;
    let cookies = signed_in.headers().get_all(SET_COOKIE).iter();
    let cookies: Vec<&str> = cookies
        .filter_map(|cookie| cookie.to_str().ok()?.split(';').next())
        .collect();
    let page = client
        .get(format!("http://{listen}{preview}"))
        .header(COOKIE, cookies.join("; "))
        .send()
        .await?;
    if page.status() != 200 {
        return Err(format!("the preview answered {}", page.status()).into());
    }
    Ok(())
}

fn field(server: &Server, name: &str) -> Outcome<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid()))?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.ok_or("/proc/PID/status has an unknown format")?;
    Ok(number.trim().trim_end_matches(" kB").parse()?)
}
