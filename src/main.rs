//! The program: everything is in `app`.

fn main() -> std::process::ExitCode {
    corbel::app::cli::run::main()
}
