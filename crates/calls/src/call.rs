//! What a family of calls is: its arguments, its words for a model, and how it runs.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::reader::Reader;
use crate::result::Outcome;

/// One call. The arguments implement it.
pub trait Call: DeserializeOwned + JsonSchema {
    const NAME: &'static str;
    /// One line for the model.
    const DESCRIPTION: &'static str;
    /// Arguments of one call as JSON.
    const EXAMPLE: &'static str;

    /// Computes the figures.
    ///
    /// # Errors
    /// Values that do not fit, inputs that are missing, or no result.
    fn run(self, reader: &mut Reader<'_>) -> Outcome;
}
