//! Runs a command: parses the arguments, sets up logging, dispatches, and prints the result.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;
use serde_json::json;

use crate::app::build::{App, build};
use crate::app::cli::args::{Cli, Command};
use crate::app::cli::report::{Report, print_error, write_out};
use crate::app::cli::{admin, ask, eval, semantic};
use crate::app::config::Config;
use crate::app::demo::seed;
use crate::app::telemetry::Telemetry;
use crate::app::{doctor, serve};
use crate::base::clock::Clock;
use crate::base::error::{Error, Result};

/// How long a process that is done waits for its blocking threads.
const LEFT_OVER: Duration = Duration::from_millis(500);

/// The entry point of the program.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help and version go to standard output with status 0, usage errors to standard error with status 2.
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let as_json = cli.json;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let outcome = match (runtime, Config::read()) {
        (Ok(runtime), Ok(config)) => {
            let config = config.in_dir(cli.data_dir.as_deref());
            let outcome = match Telemetry::start(&config, &level(&config, &cli.command), runtime.handle()) {
                Ok(telemetry) => {
                    let outcome = runtime.block_on(run(cli, config));
                    telemetry.end();
                    outcome
                }
                Err(error) => Err(error),
            };
            // What still runs on a blocking thread must not keep the process.
            runtime.shutdown_timeout(LEFT_OVER);
            outcome
        }
        (Err(error), _) => Err(Error::internal(error)),
        (_, Err(error)) => Err(error),
    };
    match outcome {
        Ok(report) => report.print(as_json),
        Err(error) => print_error(&error, as_json),
    }
}

async fn run(cli: Cli, mut config: Config) -> Result<Report> {
    match cli.command {
        Command::Demo { listen } => {
            if let Some(listen) = listen {
                config.listen = listen;
            }
            let as_json = cli.json;
            serve::serve(&config, async |app: App, bound| {
                let seeded = seed::seed(&app).await?;
                seed::give_passwords(&app.services, seeded).await?;
                let url = app.services.site.public_url.clone();
                let key = seed::give_key(&app.services, seeded).await?;
                let report = seed::welcome(&url, &key);
                tracing::info!(%bound, "listening");
                if as_json {
                    write_out(&report.json.to_string());
                } else {
                    write_out(&report.text);
                }
                Ok(())
            })
            .await?;
            Ok(Report::nothing())
        }
        Command::Serve => {
            let as_json = cli.json;
            serve::serve(&config, async |app: App, bound: SocketAddr| {
                let url = &app.services.site.public_url;
                tracing::info!(%bound, public_url = url, "listening");
                let text = format!("Corbel listens on http://{bound} (public URL {url})");
                if as_json {
                    write_out(&json!({ "listen": bound.to_string(), "publicUrl": url }).to_string());
                } else {
                    write_out(&text);
                }
                Ok(())
            })
            .await?;
            Ok(Report::nothing())
        }
        Command::Ask(args) => {
            let app = open(&config).await?;
            let report = ask::ask(&app, args).await;
            app.services.db.close().await;
            report
        }
        Command::Eval { cases, model, times } => {
            let app = open(&config).await?;
            let report = eval::eval(&app, &cases, model, times).await;
            app.services.db.close().await;
            report
        }
        Command::Portfolio(command) => {
            let app = open(&config).await?;
            let report = semantic::run(&app.services, command).await;
            app.services.db.close().await;
            report
        }
        Command::Migrate => {
            let app = open(&config).await?;
            app.services.db.close().await;
            Ok(Report::new(
                json!({ "migrated": true }),
                "The database schema is up to date.",
            ))
        }
        Command::Doctor { assistant: None } => doctor::examine(&config).await,
        Command::Doctor {
            assistant: Some(assistant),
        } => {
            let app = open(&config).await?;
            let report = doctor::examine_assistant(&app, &assistant).await;
            app.services.db.close().await;
            report
        }
        Command::Admin(command) => {
            let app = open(&config).await?;
            let report = admin::run(&app.services, &app.chat, command).await;
            app.services.db.close().await;
            report
        }
    }
}

/// Builds the application without a listener. Commands may run at the same time as a server.
async fn open(config: &Config) -> Result<App> {
    build(config, Clock::system(), config.public_url(config.listen)).await
}

/// The log level: commands other than servers log only warnings unless CORBEL_LOG is set.
fn level(config: &Config, command: &Command) -> String {
    let serves = matches!(command, Command::Serve | Command::Demo { .. });
    if serves || config.log != "info" {
        config.log.clone()
    } else {
        "warn".to_owned()
    }
}
