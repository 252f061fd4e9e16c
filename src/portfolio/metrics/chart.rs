//! Maps a ledger account to its role by category and name, because charts of accounts differ between
//! organizations.
//!
//! Pure; uses no amounts.

use finance::portfolio::query::Account;

/// The role of an account in the income statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    GrossPotentialRent,
    LossToLease,
    Vacancy,
    NonRevenue,
    Concessions,
    BadDebt,
    /// Recoveries and other income: revenue other than rent.
    OtherRevenue,
    Expense,
    Capital,
    DebtService,
    /// Revenue or expense that the chart of accounts excludes from NOI.
    BelowTheLine,
}

impl Role {
    pub(super) const fn is_revenue(self) -> bool {
        matches!(
            self,
            Self::GrossPotentialRent
                | Self::LossToLease
                | Self::Vacancy
                | Self::NonRevenue
                | Self::Concessions
                | Self::BadDebt
                | Self::OtherRevenue
        )
    }

    /// Whether the account is part of net rental income.
    pub(super) const fn is_rent(self) -> bool {
        self.is_revenue() && !matches!(self, Self::OtherRevenue)
    }

    /// Whether the account is part of potential gross income, which is before deductions.
    pub(super) const fn is_potential(self) -> bool {
        matches!(self, Self::GrossPotentialRent | Self::OtherRevenue)
    }
}

pub(super) fn role(account: &Account) -> Role {
    match account.category.as_str() {
        "capital" => return Role::Capital,
        "debt_service" => return Role::DebtService,
        _ if !account.included_in_noi => return Role::BelowTheLine,
        "operating_expense" => return Role::Expense,
        _ => {}
    }
    let name = account.name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["lease"]) && has(&["loss", "gain"]) {
        Role::LossToLease
    } else if has(&["vacan"]) {
        Role::Vacancy
    } else if has(&[
        "non-revenue",
        "non revenue",
        "nonrevenue",
        "model",
        "down unit",
        "employee unit",
    ]) {
        Role::NonRevenue
    } else if has(&["concession", "free rent", "abatement"]) {
        Role::Concessions
    } else if has(&[
        "bad debt",
        "write-off",
        "write off",
        "uncollect",
        "credit loss",
        "delinquen",
    ]) {
        Role::BadDebt
    } else if has(&[
        "potential",
        "gpr",
        "scheduled rent",
        "market rent",
        "rental income",
        "base rent",
    ]) {
        Role::GrossPotentialRent
    } else {
        Role::OtherRevenue
    }
}
