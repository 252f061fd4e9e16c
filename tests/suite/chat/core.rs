//! Rules of a chat, for every platform.

mod greeting;
