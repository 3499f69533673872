//! What the user says of a vector that is fused otherwise, or not at all.

use crate::passes::candidate::Reason;

/// Of one that `store` keeps.
pub(super) const STORED: Reason = Reason::new("{producer|the vector} is written to memory, as `store` asks");
