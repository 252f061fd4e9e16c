//! Slack events as HTTP requests, each with its own event id and message, signed with the current time.

use std::fmt::Write as _;

use corbel::base::clock::Clock;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::load::requests::Requests;
use crate::support::Outcome;

pub const SECRET: &str = "3c59dc048e8850243be8079a5c74d079";
pub const APP: &str = "A0BENCH";
pub const TEAM: &str = "T0BENCH";
pub const BOT: &str = "U0BOT";
/// Size of each body in bytes.
pub const BODY: usize = 2048;

/// Keeps counting, so that no event is ever sent twice.
#[derive(Default)]
pub struct Events {
    made: u64,
}

impl Events {
    /// The next `count` events for `path` on `host`.
    pub fn sign(&mut self, count: usize, path: &str, host: &str) -> Outcome<Requests> {
        let now = Clock::system().now().timestamp();
        let mut signed = Requests::with_room(count, BODY + 400);
        for _ in 0..count {
            self.made += 1;
            let body = body(self.made, now)?;
            let mut mac = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes())?;
            mac.update(format!("v0:{now}:").as_bytes());
            mac.update(&body);
            let signature = hex::encode(mac.finalize().into_bytes());
            let head = format!(
                "POST {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: Slackbot 1.0\r\nAccept: */*\r\n\
                 Content-Type: application/json\r\nContent-Length: {BODY}\r\n\
                 X-Slack-Request-Timestamp: {now}\r\nX-Slack-Signature: v0={signature}\r\n\r\n",
            );
            signed.add(&head, &body);
        }
        Ok(signed)
    }
}

/// A mention of fixed length in one of 50 channels by one of 200 people, each starting a thread.
fn body(n: u64, now: i64) -> Outcome<Vec<u8>> {
    let (user, channel) = (n % 200, n % 50);
    let ts = format!("{}.{:06}", now, n % 1_000_000);
    let mut body = format!(
        "{{\"token\":\"x\",\"team_id\":\"{TEAM}\",\"context_team_id\":\"{TEAM}\",\"api_app_id\":\"{APP}\",\
         \"type\":\"event_callback\",\"event_id\":\"Ev{n:011X}\",\"event_time\":{now},\
         \"event\":{{\"type\":\"app_mention\",\"user\":\"U0{user:05}\",\"ts\":\"{ts}\",\"channel\":\"C0{channel:05}\",\
         \"event_ts\":\"{ts}\",\"team\":\"{TEAM}\",\"blocks\":[{{\"type\":\"rich_text\",\"elements\":[]}}],\
         \"text\":\"<@{BOT}> ",
    );
    let end = format!(
        "\"}},\"authorizations\":[{{\"enterprise_id\":null,\"team_id\":\"{TEAM}\",\"user_id\":\"{BOT}\",\
         \"is_bot\":true,\"is_enterprise_install\":false}}]}}",
    );
    let words = "what changed in the occupancy of tower B? ";
    while body.len() + words.len() + end.len() <= BODY {
        body.push_str(words);
    }
    let left = BODY
        .checked_sub(body.len() + end.len())
        .ok_or("the body is longer than its length")?;
    write!(body, "{:?<left$}{end}", "")?;
    Ok(body.into_bytes())
}
