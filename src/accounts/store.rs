//! Tables of accounts. Organizations, people and sign-ins are looked up globally, because they determine the
//! organization of a request.

use chrono::{DateTime, Utc};

use crate::accounts::model::{Membership, Organization, Person, Plan};
use crate::base::error::Result;
use crate::base::ids::{OrgId, SignInId, UserId};
use crate::base::money::MicroUsd;
use crate::base::principal::Role;
use crate::db::exec::{Exec, batches};
use crate::db::tx::Tx;

pub(super) async fn add_org(tx: &mut Tx, org: &Organization) -> Result<()> {
    tx.query("INSERT INTO organizations (id, name, plan, included_micro_usd, created_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(org.id)
        .bind(&org.name)
        .bind(org.plan)
        .bind(org.included_micro_usd)
        .bind(org.created_at)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn org(db: Exec<'_>, id: OrgId) -> Result<Option<Organization>> {
    Ok(db
        .query("SELECT id, name, plan, included_micro_usd, created_at FROM organizations WHERE id = $1")
        .bind(id)
        .optional()
        .await?)
}

pub(super) async fn org_by_name(db: Exec<'_>, name: &str) -> Result<Option<Organization>> {
    Ok(db
        .query("SELECT id, name, plan, included_micro_usd, created_at FROM organizations WHERE name = $1")
        .bind(name)
        .optional()
        .await?)
}

pub(super) async fn orgs(db: Exec<'_>) -> Result<Vec<Organization>> {
    Ok(db
        .query("SELECT id, name, plan, included_micro_usd, created_at FROM organizations ORDER BY id")
        .all()
        .await?)
}

pub(super) async fn set_plan(tx: &mut Tx, org: OrgId, plan: Plan) -> Result<()> {
    tx.query("UPDATE organizations SET plan = $1 WHERE id = $2")
        .bind(plan)
        .bind(org)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn add_person(
    tx: &mut Tx,
    id: UserId,
    email: &str,
    name: &str,
    password_hash: Option<&str>,
    at: DateTime<Utc>,
) -> Result<()> {
    tx.query("INSERT INTO people (id, email, name, password_hash, created_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(id)
        .bind(email)
        .bind(name)
        .bind(password_hash)
        .bind(at)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn person_by_email(db: Exec<'_>, email: &str) -> Result<Option<Person>> {
    Ok(db
        .query("SELECT id, email, name, deactivated_at FROM people WHERE email = $1")
        .bind(email)
        .optional()
        .await?)
}

/// The active person with this email address and their password hash, if they have one.
pub(super) async fn password_hash(db: Exec<'_>, email: &str) -> Result<Option<(UserId, Option<String>)>> {
    Ok(db
        .query("SELECT id, password_hash FROM people WHERE email = $1 AND deactivated_at IS NULL")
        .bind(email)
        .optional()
        .await?)
}

pub(super) async fn has_password(db: Exec<'_>, user: UserId) -> Result<bool> {
    Ok(db
        .query("SELECT EXISTS (SELECT 1 FROM people WHERE id = $1 AND password_hash IS NOT NULL)")
        .bind(user)
        .scalar()
        .await?)
}

pub(super) async fn set_password(tx: &mut Tx, user: UserId, hash: &str) -> Result<()> {
    tx.query("UPDATE people SET password_hash = $1 WHERE id = $2")
        .bind(hash)
        .bind(user)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn deactivate(tx: &mut Tx, user: UserId, at: DateTime<Utc>) -> Result<()> {
    tx.query("UPDATE people SET deactivated_at = $1 WHERE id = $2")
        .bind(at)
        .bind(user)
        .execute()
        .await?;
    tx.query("DELETE FROM sign_ins WHERE user_id = $1")
        .bind(user)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn add_membership(
    tx: &mut Tx,
    org: OrgId,
    user: UserId,
    role: Role,
    at: DateTime<Utc>,
) -> Result<()> {
    tx.query(
        "INSERT INTO memberships (org_id, user_id, role, active, created_at) VALUES ($1, $2, $3, TRUE, $4)",
    )
    .bind(org)
    .bind(user)
    .bind(role)
    .bind(at)
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn membership(db: Exec<'_>, org: OrgId, user: UserId) -> Result<Option<Membership>> {
    Ok(db
        .query(
            "SELECT m.org_id, m.user_id, m.role, (m.active AND p.deactivated_at IS NULL) AS active,
                    o.plan, p.name, p.email, o.name AS org_name
             FROM memberships m JOIN people p ON p.id = m.user_id JOIN organizations o ON o.id = m.org_id
             WHERE m.org_id = $1 AND m.user_id = $2",
        )
        .bind(org)
        .bind(user)
        .optional()
        .await?)
}

/// The memberships that exist among `users`.
pub(super) async fn memberships(tx: &mut Tx, users: &[(OrgId, UserId)]) -> Result<Vec<Membership>> {
    let mut found = Vec::with_capacity(users.len());
    for batch in batches(users) {
        let mut select = tx.build("WITH asked (org_id, user_id) AS (VALUES ");
        for (n, (org, user)) in batch.iter().enumerate() {
            select = select
                .push(if n == 0 { "(" } else { ", (" })
                .bind(*org)
                .push(", ")
                .bind(*user)
                .push(")");
        }
        // CROSS JOIN makes SQLite keep this join order and look each membership up by key.
        let rows: Vec<Membership> = select
            .push(
                ") SELECT m.org_id, m.user_id, m.role, (m.active AND p.deactivated_at IS NULL) AS active,
                          o.plan, p.name, p.email, o.name AS org_name
                   FROM asked a CROSS JOIN memberships m CROSS JOIN people p CROSS JOIN organizations o
                   WHERE m.org_id = a.org_id AND m.user_id = a.user_id AND p.id = m.user_id AND o.id = m.org_id",
            )
            .done()
            .all()
            .await?;
        found.extend(rows);
    }
    Ok(found)
}

/// Name and email of the members among `users`.
pub(super) async fn named(
    db: Exec<'_>,
    org: OrgId,
    users: &[UserId],
) -> Result<Vec<(UserId, String, String)>> {
    let mut select = db
        .build(
            "SELECT p.id, p.name, p.email FROM people p JOIN memberships m ON m.user_id = p.id WHERE m.org_id = ",
        )
        .bind(org)
        .push(" AND p.id IN (");
    for (n, user) in users.iter().enumerate() {
        select = select.push(if n == 0 { "" } else { ", " }).bind(*user);
    }
    Ok(select.push(")").done().all().await?)
}

/// The active admins and owners.
pub(super) async fn admins(db: Exec<'_>, org: OrgId) -> Result<Vec<UserId>> {
    let rows: Vec<(UserId,)> = db
        .query(
            "SELECT m.user_id FROM memberships m JOIN people p ON p.id = m.user_id
             WHERE m.org_id = $1 AND m.active AND p.deactivated_at IS NULL AND m.role IN ('admin', 'owner')
             ORDER BY m.user_id LIMIT 200",
        )
        .bind(org)
        .all()
        .await?;
    Ok(rows.into_iter().map(|(user,)| user).collect())
}

/// The organizations a person is active in, oldest membership first.
pub(super) async fn organizations_of(db: Exec<'_>, user: UserId) -> Result<Vec<(OrgId,)>> {
    Ok(db
        .query("SELECT org_id FROM memberships WHERE user_id = $1 AND active ORDER BY created_at, org_id")
        .bind(user)
        .all()
        .await?)
}

pub(super) async fn add_sign_in(
    tx: &mut Tx,
    token_digest: &[u8],
    user: UserId,
    org: OrgId,
    at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<()> {
    tx.query(
        "INSERT INTO sign_ins (token_digest, id, user_id, org_id, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(token_digest)
    .bind(SignInId::new())
    .bind(user)
    .bind(org)
    .bind(at)
    .bind(expires_at)
    .execute()
    .await?;
    tx.query("DELETE FROM sign_ins WHERE expires_at < $1")
        .bind(at)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn sign_in(
    db: Exec<'_>,
    token_digest: &[u8],
    now: DateTime<Utc>,
) -> Result<Option<(OrgId, UserId)>> {
    Ok(db
        .query("SELECT org_id, user_id FROM sign_ins WHERE token_digest = $1 AND expires_at > $2")
        .bind(token_digest)
        .bind(now)
        .optional()
        .await?)
}

pub(super) async fn end_sign_in(tx: &mut Tx, token_digest: &[u8]) -> Result<()> {
    tx.query("DELETE FROM sign_ins WHERE token_digest = $1")
        .bind(token_digest)
        .execute()
        .await?;
    Ok(())
}

/// The plan and the organization's own monthly credit, if any.
pub(super) async fn credit(db: Exec<'_>, org: OrgId) -> Result<Option<(Plan, Option<MicroUsd>)>> {
    Ok(db
        .query("SELECT plan, included_micro_usd FROM organizations WHERE id = $1")
        .bind(org)
        .optional()
        .await?)
}
