//! Dimensions and segments of units, leases and tenants that several models share. Each one is a column of
//! the model's rows.

use crate::portfolio::semantic::model::{Dimension, Kind, Segment, dimension, segment};

pub const UNIT_ID: Dimension = dimension(
    "unit_id",
    "Unit id",
    Kind::Text,
    "t.unit_id",
    "The source's identifier.",
);
pub const UNIT_NUMBER: Dimension = dimension(
    "unit_number",
    "Unit",
    Kind::Text,
    "t.unit_number",
    "As on the door.",
);
pub const UNIT_USE: Dimension = dimension(
    "unit_use",
    "Use",
    Kind::Text,
    "t.unit_use",
    "residential, office, retail, industrial or other.",
);
pub const UNIT_TYPE: Dimension = dimension(
    "unit_type",
    "Unit type",
    Kind::Text,
    "t.unit_type",
    "Floor plan or kind, for instance 2BR.",
);
pub const BEDROOMS: Dimension = dimension(
    "bedrooms",
    "Bedrooms",
    Kind::Number(0),
    "t.bedrooms",
    "Number of bedrooms.",
);
pub const IS_RENTABLE: Dimension = dimension(
    "is_rentable",
    "Rentable",
    Kind::Boolean,
    "t.is_rentable",
    "Whether it can be rented.",
);
pub const LEASE_ID: Dimension = dimension(
    "lease_id",
    "Lease id",
    Kind::Text,
    "t.lease_id",
    "The source's identifier.",
);
pub const LEASE_TYPE: Dimension = dimension(
    "lease_type",
    "Lease type",
    Kind::Text,
    "t.lease_type",
    "For instance nnn or residential_gross.",
);
pub const LEASE_START: Dimension = dimension(
    "lease_start",
    "Lease start",
    Kind::Day,
    "t.start_date",
    "First day of the lease.",
);
pub const IS_MONTH_TO_MONTH: Dimension = dimension(
    "is_month_to_month",
    "Month to month",
    Kind::Boolean,
    "t.month_to_month",
    "Whether the tenant holds over without a term.",
);
pub const TENANT: Dimension = dimension("tenant", "Tenant", Kind::Text, "t.tenant", "Name of the tenant.");
pub const TENANT_INDUSTRY: Dimension = dimension(
    "tenant_industry",
    "Industry",
    Kind::Text,
    "t.industry",
    "The tenant's industry.",
);
pub const RESIDENTIAL: Segment = segment(
    "residential",
    "Residential",
    "t.unit_use = 'residential'",
    "Apartments.",
);
pub const COMMERCIAL: Segment = segment(
    "commercial",
    "Commercial",
    "t.unit_use <> 'residential'",
    "Leases of other space than apartments.",
);
