//! The portfolio's page: its numbers and its charts.

mod chart;
mod portfolio;
