//! What the workspace holds itself to and no compiler checks: where things stand, who knows whom, which folder is below which, what a file
//! may contain, and what an application has to compile.

mod application;
mod circles;
mod edges;
mod errors;
mod files;
mod layers;
mod passes;
mod sources;
mod workspace;
