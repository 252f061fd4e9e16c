//! Typed identifiers (UUID version 7) and enums stored as text. Does not depend on any table.

use std::fmt;

use uuid::Uuid;

/// Declares typed identifiers that are stored as plain UUIDs in both databases.
macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => { $(
        $(#[$doc])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, sqlx::Type,
        )]
        #[serde(transparent)]
        #[sqlx(transparent, no_pg_array)]
        pub struct $name(Uuid);

        impl $name {
            /// A new identifier; later ones sort after earlier ones.
            #[expect(
                clippy::new_without_default,
                clippy::disallowed_methods,
                reason = "the only place that creates ids"
            )]
            pub fn new() -> Self {
                Self(Uuid::now_v7())
            }

            pub const fn from_uuid(id: Uuid) -> Self {
                Self(id)
            }

            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    )+ };
}

id! {
    OrgId, UserId, SessionId, MessageId,
    /// A job of the queue. A run and its job share one identifier.
    JobId,
    NoteId, AssistantId, InstallationId, LinkId,
    /// A stored incoming chat event.
    InboxId,
    /// An action in a chat other than a message, such as a click.
    InteractionId,
    /// One message to be posted in a chat.
    DeliveryId,
    /// One person's rating of one answer.
    FeedbackId,
    /// One line of the usage ledger.
    EntryId,
    AuditId, SignInId,
    /// A post of the preview platform.
    PostId,
    FileId,
    /// A set of portfolio files waiting to be imported.
    UploadId,
    /// A project key of the HTTP API.
    KeyId,
    /// A custom analyst, as its owner edits it.
    AnalystId,
    /// The model of a custom analyst, as selected for a run.
    ModelId,
}

/// Stores an enum as text in both databases. `#[derive(sqlx::Type)]` would require a PostgreSQL enum
/// type; this keeps a plain TEXT column.
#[macro_export]
macro_rules! text_enum {
    ($name:ident { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $name {
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The stored words of all variants, in order of declaration.
            pub const WORDS: &'static [&'static str] = &[$($word),+];
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(format!("must be one of {}", Self::WORDS.join(", "))),
                }
            }
        }

        impl<DB: sqlx::Database> sqlx::Type<DB> for $name where str: sqlx::Type<DB> {
            fn type_info() -> DB::TypeInfo { <str as sqlx::Type<DB>>::type_info() }
            fn compatible(ty: &DB::TypeInfo) -> bool { <str as sqlx::Type<DB>>::compatible(ty) }
        }

        impl<'q, DB: sqlx::Database> sqlx::Encode<'q, DB> for $name where &'static str: sqlx::Encode<'q, DB> {
            fn encode_by_ref(
                &self,
                buf: &mut <DB as sqlx::Database>::ArgumentBuffer,
            ) -> Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
                self.as_str().encode_by_ref(buf)
            }
        }

        impl<'r, DB: sqlx::Database> sqlx::Decode<'r, DB> for $name where &'r str: sqlx::Decode<'r, DB> {
            fn decode(value: <DB as sqlx::Database>::ValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
                Ok(<&'r str as sqlx::Decode<'r, DB>>::decode(value)?.parse()?)
            }
        }
    };
}
