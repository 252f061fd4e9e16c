//! The `corbel` binary. All code is in the library; see `app::cli::run`.

fn main() -> std::process::ExitCode {
    corbel::app::cli::run::main()
}
