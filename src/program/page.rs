//! Explanations as pages of HTML.

use weldment_codegen::loops;
use weldment_codegen::page::{Subject, render};
use weldment_core::explain::Stage;
use weldment_core::history::follow;
use weldment_core::passes;

use super::{CompileError, ExplainOptions, Program, guarded};

impl Program {
    /// What becomes of the program, as one page of HTML that needs nothing besides: no network and no other file. It shows
    /// the source and the loops that run, a drawing of the loops before and after fusion, what each pass changed, every
    /// form of the program (with the feature `llvm` down to LLVM IR and assembly), and the report.
    ///
    /// ```
    /// let program = weldment::Program::parse("|v: &[f64]| v.map(|x| x * x).sum()")?;
    /// let page = program.explain_html()?;
    /// assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<svg"));
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    ///
    /// # Errors
    /// A mistake of the optimiser.
    pub fn explain_html(&self) -> Result<String, CompileError> {
        self.explain_html_with(&ExplainOptions::default())
    }

    /// As [`Program::explain_html`], with options.
    ///
    /// # Errors
    /// A mistake of the optimiser; a pass to stop after that there is not.
    ///
    /// ```
    /// use weldment::{ExplainOptions, Program};
    ///
    /// let program = Program::parse("|x: i64| x * x")?;
    /// let options = ExplainOptions { title: Some("a & b".to_owned()), ..ExplainOptions::default() };
    /// assert!(program.explain_html_with(&options)?.contains("<h1>a &amp; b</h1>"));
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    pub fn explain_html_with(&self, options: &ExplainOptions) -> Result<String, CompileError> {
        let constants = self.source.constants.clone();
        let passes = passes::Options { constants, ..options.passes()? };
        guarded(|| {
            let positions = &self.source.positions;
            let mut optimised = self.source.program.clone();
            let mut history = follow(&mut optimised, positions, &passes)?;
            let loops = loops::build_and_follow(&optimised, positions, &mut history);
            let lines = loops::print_lines(&loops);
            Ok(render(&Subject {
                title: options.title.as_deref().unwrap_or("program"),
                source: &self.source.text,
                history: &history,
                loops: lines.iter().map(|line| line.map(|loc| positions.get(loc))).collect(),
                code: self.code(&loops),
            }))
        })
    }

    /// What is emitted, as far as this build can.
    fn code(&self, loops: &loops::LoopProgram) -> Vec<Stage> {
        let mut code = Vec::from(self.rust_stages(loops));
        if cfg!(feature = "llvm") {
            for (name, form) in [("llvm", super::Form::Llvm), ("asm", super::Form::Assembly)] {
                let text = self.listing(loops, form).unwrap_or_else(|error| format!("; {error}"));
                code.push(Stage { name, text });
            }
        }
        code
    }
}
