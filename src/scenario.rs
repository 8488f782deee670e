//! What people write and share: scenarios, their text form, links, and the built-in lessons.
//!
//! [`model`] is the data; [`text`] the form people write; [`link`] the form people send; [`json`]
//! the form the recordings use; [`lessons`] what is built in. Nothing here runs a scenario.

pub mod json;
pub mod lessons;
pub mod limits;
pub mod link;
pub mod model;
pub mod syntax;
pub mod text;
pub mod view;
