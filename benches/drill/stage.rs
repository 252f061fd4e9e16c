//! Sets up a drill through the command line: an organization, two linked members, an assistant in the fake
//! workspace, an approved channel, and credit.

use serde_json::Value;

use crate::drill::cluster::Setting;
use crate::harness::slack::{ALICE, APP, BOB, BOT, CHANNEL, SECRET, TEAM, TOKEN};
use crate::support::Outcome;

pub const MEMBER: &str = "mara@drill.example";

/// The parts of the setup that the drill uses.
#[derive(Clone)]
pub struct Stage {
    pub org: String,
    /// The path of the events URL, which every process serves.
    pub path: String,
}

impl Stage {
    pub fn set(setting: &Setting) -> Outcome<Self> {
        let org = word(
            &setting.run(&["admin", "org", "create", "--name", "Drill"])?,
            "/orgId",
        )?;
        for (email, name) in [(MEMBER, "Mara"), ("noel@drill.example", "Noel")] {
            setting.run(&[
                "admin", "user", "create", "--org", &org, "--email", email, "--name", name,
            ])?;
        }
        setting.run(&["admin", "credit", "add", "--org", &org, "--usd", "1000"])?;
        let made = setting.run(&[
            "admin",
            "assistant",
            "create",
            "--org",
            &org,
            "--name",
            "Abacus",
            "--platform",
            "slack",
            "--app-id",
            APP,
            "--client-id",
            "1.2",
            "--client-secret",
            "client-secret",
            "--signing-secret",
            SECRET,
            "--bot-token",
            TOKEN,
            "--team-id",
            TEAM,
            "--bot-user-id",
            BOT,
        ])?;
        let assistant = word(&made, "/assistantId")?;
        setting.run(&["admin", "shared", "enable", "--assistant", &assistant, "--on"])?;
        setting.run(&[
            "admin",
            "conversation",
            "approve",
            "--assistant",
            &assistant,
            "--conversation",
            CHANNEL,
        ])?;
        for (person, email) in [(ALICE, MEMBER), (BOB, "noel@drill.example")] {
            setting.run(&[
                "admin",
                "link",
                "create",
                "--assistant",
                &assistant,
                "--platform-user",
                person,
                "--user",
                email,
            ])?;
        }
        let path = url::Url::parse(&word(&made, "/addresses/events")?)?
            .path()
            .to_owned();
        Ok(Self { org, path })
    }
}

fn word(answer: &Value, pointer: &str) -> Outcome<String> {
    let found = answer.pointer(pointer).and_then(Value::as_str);
    Ok(found
        .ok_or_else(|| format!("{pointer} is missing in {answer}"))?
        .to_owned())
}
