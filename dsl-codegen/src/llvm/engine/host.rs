//! The machine we run on, as LLVM knows it: triple, CPU, features, data layout.

/// The machine we run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Host {
    /// The target triple.
    pub(crate) triple: String,
    /// The name of the CPU: `znver5`.
    pub(crate) cpu: String,
    /// What the CPU and the operating system offer, and what they do not: `+avx2,-amx-tile,…`. A hypervisor may
    /// mask features, so the name alone promises too much.
    pub(crate) features: String,
    /// The layout of data on the target.
    pub(crate) data_layout: String,
    /// The version of the LLVM library at hand.
    pub(crate) version: (u32, u32, u32),
}

/// The version of LLVM as people write it.
pub(crate) fn version_text(host: &Host) -> String {
    let (major, minor, patch) = host.version;
    format!("{major}.{minor}.{patch}")
}
