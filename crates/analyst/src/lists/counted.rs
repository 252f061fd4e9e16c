//! The numbers of a group that is listed in a question: units, areas, shares and money.

/// What one number of a group is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Units,
    Area,
    Share,
    Money,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) kind: Kind,
    pub(crate) value: f64,
    pub(crate) at: usize,
}
