//! The guide holds together: its chapters are in its table of contents, its links lead somewhere, and the errors that it
//! shows are what rustc says.

mod errors;
mod links;
mod summary;
