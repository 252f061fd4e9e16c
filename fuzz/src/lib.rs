//! The fuzz targets.

pub mod targets;
