//! The semantic layer: queries over named measures and dimensions.

mod cases;
mod command;
mod dates;
mod describing;
mod docs_page;
mod fixture;
mod generated_queries;
mod golden;
mod hostile;
mod registry;
mod rules;
mod suggestions;
mod tenancy;
