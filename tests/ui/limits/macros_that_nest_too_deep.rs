use weldment::weld;

fn main() {
    let kernel = weld!(
        macro chain(a) = a + 1L + 1L + 1L + 1L + 1L + 1L + 1L + 1L + 1L + 1L;
        macro chains(a) = chain(chain(chain(chain(chain(chain(chain(chain(a))))))));
        |x: i64| chains(chains(chains(chains(chains(chains(chains(chains(x))))))))
    );
    let _ = kernel;
}
