use weldment::weld;

fn main() {
    let kernel = weld!(
        macro chain(a) = a + 1L + 1L + 1L + 1L + 1L + 1L + 1L + 1L + 1L + 1L;
        macro chains(a) = chain(chain(chain(chain(chain(chain(chain(chain(a))))))));
        macro all(a) = chains(chains(chains(chains(chains(chains(chains(chains(a))))))));
        |x: i64| all(all(all(all(all(all(all(all(all(all(all(all(all(all(all(all(all(all(all(all(x))))))))))))))))))))
    );
    let _ = kernel;
}
