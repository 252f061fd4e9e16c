//! The semantic layer: queries over named measures and dimensions.

mod cases;
mod command;
mod dates;
mod fixture;
mod golden;
mod hostile;
mod names;
mod page;
mod registry;
mod rules;
mod tenancy;
