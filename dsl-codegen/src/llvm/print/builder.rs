//! The text of one function: instructions, blocks, and the allocas that must stand at its beginning.

use std::fmt;

/// An operand without its type: `%v7`, or a literal. Over several lanes, literals are splats.
pub(super) type Operand = String;

/// A label, without `%`.
#[derive(Clone, Debug)]
pub(super) struct Label(String);

/// A function under construction.
#[derive(Debug)]
pub(super) struct FunctionText {
    header: String,
    allocas: String,
    body: String,
    next: usize,
    /// The block that instructions go to; none after a terminator.
    block: Option<Label>,
}

/// Where a function goes on a fault.
const FAULT: &str = "fault";

impl FunctionText {
    /// A function with this header: `define internal i32 @f(ptr %frame) nounwind`.
    pub(super) fn new(header: String) -> FunctionText {
        FunctionText {
            header,
            allocas: String::new(),
            body: String::new(),
            next: 0,
            block: Some(Label("start".into())),
        }
    }

    /// An instruction without a result.
    pub(super) fn line(&mut self, instruction: impl fmt::Display) {
        if self.block.is_some() {
            self.body.push_str(&format!("  {instruction}\n"));
        }
    }

    /// An instruction with a result.
    pub(super) fn def(&mut self, instruction: impl fmt::Display) -> Operand {
        let name = self.fresh();
        self.line(format_args!("{name} = {instruction}"));
        name
    }

    /// A name that an instruction to come will have.
    pub(super) fn reserve(&mut self) -> Operand {
        self.fresh()
    }

    fn fresh(&mut self) -> Operand {
        self.next += 1;
        format!("%v{}", self.next)
    }

    /// Stack memory, one chunk for each run of the function.
    pub(super) fn alloca(&mut self, ty: impl fmt::Display) -> Operand {
        self.alloca_aligned(ty, 8)
    }

    /// The same with an alignment of its own, in bytes.
    pub(super) fn alloca_aligned(&mut self, ty: impl fmt::Display, align: u64) -> Operand {
        let name = self.fresh();
        self.allocas.push_str(&format!("  {name} = alloca {ty}, align {align}\n"));
        name
    }

    /// Stack memory for a vector register, aligned by LLVM.
    pub(super) fn alloca_wide(&mut self, ty: impl fmt::Display) -> Operand {
        let name = self.fresh();
        self.allocas.push_str(&format!("  {name} = alloca {ty}\n"));
        name
    }

    /// A label that is not used yet.
    pub(super) fn label(&mut self) -> Label {
        self.next += 1;
        Label(format!("b{}", self.next))
    }

    /// The label of the block that instructions go to.
    pub(super) fn current(&self) -> Label {
        self.block.clone().unwrap_or_else(|| Label(FAULT.into()))
    }

    /// Begins the block `label`; falls through from an open one.
    pub(super) fn begin(&mut self, label: &Label) {
        if self.block.is_some() {
            self.jump(label);
        }
        self.body.push_str(&format!("{}:\n", label.0));
        self.block = Some(label.clone());
    }

    /// Ends the block with a jump.
    pub(super) fn jump(&mut self, to: &Label) {
        self.jump_back(to, "");
    }

    /// The same for the branch of a loop that has attributes: `, !llvm.loop !4`.
    pub(super) fn jump_back(&mut self, to: &Label, attributes: &str) {
        self.line(format_args!("br label {to}{attributes}"));
        self.block = None;
    }

    /// Ends the block with a branch on an `i1`.
    pub(super) fn branch(&mut self, cond: &str, then: &Label, els: &Label) {
        self.line(format_args!("br i1 {cond}, label {then}, label {els}"));
        self.block = None;
    }

    /// As [`FunctionText::branch`], where `cond` is rarely true.
    pub(super) fn branch_cold(&mut self, cond: &str, then: &Label, els: &Label) {
        self.line(format_args!("br i1 {cond}, label {then}, label {els}, !prof !0"));
        self.block = None;
    }

    /// As [`FunctionText::branch`], where `cond` is mostly true: what `els` needs may wait in memory, and what `then` needs is in
    /// registers.
    pub(super) fn branch_often(&mut self, cond: &str, then: &Label, els: &Label) {
        self.line(format_args!("br i1 {cond}, label {then}, label {els}, !prof !4"));
        self.block = None;
    }

    /// Goes on only where `bad` is false; where it is true, which is rare, runs `cold` and leaves with a fault.
    pub(super) fn fault_if(&mut self, bad: &str, cold: impl FnOnce(&mut FunctionText)) {
        let (then, els) = (self.label(), self.label());
        self.branch_cold(bad, &then, &els);
        self.begin(&then);
        cold(self);
        self.line(format_args!("br label %{FAULT}"));
        self.block = None;
        self.begin(&els);
    }

    /// Ends the block: the function gives `value`.
    pub(super) fn ret(&mut self, value: &str) {
        self.line(format_args!("ret {value}"));
        self.block = None;
    }

    /// The whole function. A fault makes it give 1.
    pub(super) fn finish(self) -> String {
        format!("{} {{\nstart:\n{}{}{FAULT}:\n  ret i32 1\n}}\n", self.header, self.allocas, self.body)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}
