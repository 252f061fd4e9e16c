//! The portfolio: imports, the imported data, its metrics, and questions about it.

pub mod analyst_fixture;
mod consistent_reads;
mod currencies;
mod demo;
mod fixture;
mod import;
mod import_memory;
mod import_robustness;
mod letters;
mod one_reading;
mod pages;
mod query_plans;
mod questions;
mod reference_metrics;
mod snapshots;
mod tenancy;
mod uploads;
mod workbook_builder;
mod workbooks;
