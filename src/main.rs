//! The `corbel` binary. All code is in the library; see `app::cli::run`.

/// Returns the memory of large files to the system.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    corbel::app::cli::run::main()
}
