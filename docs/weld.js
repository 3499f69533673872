// Programs in the language's own files are shown as Rust is, whose closures and numbers they share.
for (const block of document.querySelectorAll("code.language-weld")) {
    block.classList.replace("language-weld", "language-rust");
    window.hljs?.highlightBlock(block);
}
