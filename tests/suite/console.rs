//! The portfolio page: its numbers and charts.

mod chart;
mod portfolio;
