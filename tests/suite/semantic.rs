//! The semantic layer: queries over named measures and dimensions.

mod cases;
mod command;
mod fixture;
mod golden;
mod hostile;
mod page;
mod rules;
mod tenancy;
