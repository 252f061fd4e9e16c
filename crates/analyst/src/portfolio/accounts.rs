//! Accounts of the ledger by their names, and by the words people use for them. Knows no amounts.

use crate::portfolio::pieces::{Piece, stem};
use finance::portfolio::query::Account;

/// An account by its name, or by the word people use for it.
pub(super) fn find(pieces: &[Piece], accounts: &[Account], at: usize) -> Option<(Account, usize)> {
    let word_at = |at: usize| pieces.get(at).map_or("", Piece::word);
    let mut best: Option<(&Account, usize)> = None;
    for account in accounts {
        let words: Vec<String> = account
            .name
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(|word| stem(&word.to_lowercase()))
            .collect();
        let same = words.iter().enumerate().all(|(n, word)| {
            let own = word_at(at + n);
            own == word || (word == "and" && own == "&")
        });
        if same && !words.is_empty() && best.is_none_or(|(_, used)| words.len() > used) {
            best = Some((account, words.len()));
        }
    }
    for (phrases, mark) in ALIASES {
        for phrase in phrases.split(", ") {
            let words: Vec<String> = phrase.split(' ').map(stem).collect();
            let same = words.iter().enumerate().all(|(n, word)| word_at(at + n) == word);
            let mut named = accounts
                .iter()
                .filter(|account| account.name.to_lowercase().contains(mark));
            if same
                && best.is_none_or(|(_, used)| words.len() > used)
                && let (Some(account), None) = (named.next(), named.next())
            {
                best = Some((account, words.len()));
            }
        }
    }
    best.map(|(account, used)| (account.clone(), used))
}

/// Words for accounts: each counts where one account's name holds the mark.
const ALIASES: &[(&str, &str)] = &[
    (
        "tax, taxes, property tax expense, tax bill, tax expense, property tax, real estate tax, real estate taxes, property tax bill, real estate tax bill",
        "tax",
    ),
    (
        "insurance premium, property insurance, insurance cost, insurance expense, insurance bill, premium",
        "insurance",
    ),
    (
        "utility, utility cost, utility bill, utility expense, water and power",
        "utilit",
    ),
    (
        "vacancy loss, loss to vacancy, vacancy cost, lost to vacancy, rent lost to vacancy, lose to vacancy, losing to vacancy",
        "vacan",
    ),
    (
        "general and administrative, general & administrative, g and a, office and admin, overhead",
        "administrat",
    ),
    (
        "repair, maintenance, r&m, repair and maintenance, repair & maintenance, repair cost, maintenance cost, maintenance and repair, upkeep, repair expense, maintenance expense",
        "repair",
    ),
    (
        "payroll cost, staff cost, salary, wage, staffing, payroll expense, personnel, personnel cost, salary and wage, labor, labor cost",
        "payroll",
    ),
    (
        "management fee, management, property management fee, mgmt fee",
        "management",
    ),
    (
        "advertising, advertising cost, marketing expense, marketing spend, marketing cost, marketing and advertising",
        "marketing",
    ),
    (
        "g&a, administrative, admin cost, general and admin, admin",
        "administrat",
    ),
    (
        "ti, tis, tenant improvement allowance, tenant improvement",
        "tenant improvement",
    ),
    ("lc, lcs, leasing commission, commission", "commission"),
    (
        "interest, interest cost, interest paid, loan interest, mortgage interest",
        "interest",
    ),
    (
        "principal, amortization, principal paid, principal paydown, principal payment, principal paid down, principal repaid, principal repayment, loan principal paid, paid down, pay down",
        "principal",
    ),
    (
        "recovery, reimbursement, cam recovery, expense reimbursement, recoverie, tenant reimbursement, tenant recovery, recovered, reimbursed, reimburse, reimburse us, pay back to us, recharge, recharged, cam reimbursement",
        "recover",
    ),
    (
        "other revenue, ancillary income, miscellaneous income, ancillary revenue, other property income",
        "other income",
    ),
];
