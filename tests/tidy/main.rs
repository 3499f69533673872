//! What the workspace holds itself to and no compiler checks: where things stand, who knows whom, what a file
//! may contain, and what an application has to compile.

mod application;
mod edges;
mod errors;
mod files;
mod passes;
mod sources;
mod workspace;
