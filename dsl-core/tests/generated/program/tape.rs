//! The numbers that decide.

/// A list of numbers, read one after the other; past its end all are 0.
pub(crate) struct Tape<'t> {
    numbers: &'t [u16],
    next: usize,
}

impl<'t> Tape<'t> {
    /// The tape of these numbers.
    pub(crate) fn new(numbers: &'t [u16]) -> Tape<'t> {
        Tape { numbers, next: 0 }
    }

    /// A number below `below`.
    pub(crate) fn pick(&mut self, below: usize) -> usize {
        let number = self.numbers.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        number as usize % below
    }

    /// One of `choices`.
    pub(crate) fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.pick(choices.len())]
    }

    /// One of `choices`, by how many numbers were read: it takes none itself, so that what is decided behind it stays.
    pub(crate) fn by_place<T: Copy>(&self, choices: &[T]) -> T {
        choices[self.next % choices.len()]
    }

    /// Whether something rare is there, once in so many numbers that are read. It takes none itself, either.
    pub(crate) fn once_in(&self, numbers: usize) -> bool {
        self.next % numbers == numbers - 1
    }
}
