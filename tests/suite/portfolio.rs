//! The portfolio: imports, what is read from them, its metrics, and questions about it.

mod currencies;
mod damage;
mod demo;
pub mod desk;
mod fixture;
mod import;
mod moment;
mod pages;
mod plans;
mod questions;
mod snapshots;
mod tenancy;
mod truths;
mod uploads;
mod workbook;
mod workbooks;
