//! Object code kept in files, from process to process.
//!
//! A file holds one object with the whole key that it belongs to: the program's IR text, and all that decides what LLVM
//! makes of it. It is found by a hash of the key and believed only if the key is the same to the letter and the checksum is right; all
//! else, such as a file that was cut short or another program of the same hash, counts as not there. Files are written under
//! another name and renamed, so that nobody reads half of one. What cannot be read or written is no error: it is compiled.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// The first bytes of a file; the number is that of its form.
const MAGIC: &[u8; 16] = b"weldment object1";

/// Bytes before the key: magic, length of the key, length of the object, checksum of both.
const HEADER: usize = 16 + 3 * 8;

/// The file for the object of one key.
#[derive(Debug)]
pub(super) struct Kept<'k> {
    path: PathBuf,
    key: &'k str,
}

impl<'k> Kept<'k> {
    /// In `folder`, which need not be there.
    pub(super) fn new(folder: &Path, key: &'k str) -> Kept<'k> {
        Kept { path: folder.join(format!("{:016x}.object", hash(&[key.as_bytes()]))), key }
    }

    /// The object, if it is there and whole.
    pub(super) fn load(&self) -> Option<Vec<u8>> {
        let mut file = fs::read(&self.path).ok()?;
        let (magic, rest) = file.split_at_checked(MAGIC.len())?;
        let (numbers, rest) = rest.split_at_checked(HEADER - MAGIC.len())?;
        let number = |i: usize| Some(u64::from_le_bytes(numbers.get(8 * i..8 * i + 8)?.try_into().ok()?));
        let (key_len, object_len, checksum) = (number(0)?, number(1)?, number(2)?);
        let (key, object) = rest.split_at_checked(usize::try_from(key_len).ok()?)?;
        let is_whole = magic == MAGIC
            && key == self.key.as_bytes()
            && object.len() as u64 == object_len
            && hash(&[key, object]) == checksum;
        let start = HEADER + key.len();
        is_whole.then(|| file.split_off(start))
    }

    /// Keeps `object`, if it can be written.
    pub(super) fn save(&self, object: &[u8]) {
        // A folder that is full, or another's, must not keep a program from running.
        let _ = self.write(object);
    }

    fn write(&self, object: &[u8]) -> io::Result<()> {
        static WRITTEN: AtomicU64 = AtomicU64::new(0);
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let draft = self.path.with_extension(format!("{}-{number}.draft", process::id()));
        let key = self.key.as_bytes();
        let write = || {
            let mut file = fs::File::create(&draft)?;
            file.write_all(MAGIC)?;
            for number in [key.len() as u64, object.len() as u64, hash(&[key, object])] {
                file.write_all(&number.to_le_bytes())?;
            }
            file.write_all(key)?;
            file.write_all(object)?;
            file.sync_all()?;
            fs::rename(&draft, &self.path)
        };
        write().inspect_err(|_| _ = fs::remove_file(&draft))
    }
}

/// A hash of bytes in parts. Should another version of Rust hash otherwise, nothing is found, and all is compiled again.
fn hash(parts: &[&[u8]]) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.iter().for_each(|part| part.hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of this test's own, which is removed in the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let folder = std::env::temp_dir().join(format!("weldment-kept-{}-{name}", process::id()));
            let _ = fs::remove_dir_all(&folder);
            Folder(folder)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn what_is_kept_is_found_by_its_key_alone() {
        let folder = Folder::new("key");
        let kept = Kept::new(&folder.0, "a program");
        assert_eq!(kept.load(), None, "there is no folder yet");
        kept.save(b"code");
        kept.save(b"newer code");
        assert_eq!(Kept::new(&folder.0, "a program").load().as_deref(), Some(&b"newer code"[..]));
        assert_eq!(Kept::new(&folder.0, "a program ").load(), None);
        assert_eq!(folder.names().len(), 1, "no draft is left: {:?}", folder.names());
        // As if another key had the same hash.
        let other = Kept { path: kept.path.clone(), key: "b program" };
        assert_eq!(other.load(), None);
    }

    #[test]
    fn what_is_not_whole_is_not_there() {
        let folder = Folder::new("whole");
        let kept = Kept::new(&folder.0, "a program");
        kept.save(b"some code");
        let whole = fs::read(&kept.path).unwrap();
        for len in 0..whole.len() {
            fs::write(&kept.path, &whole[..len]).unwrap();
            assert_eq!(kept.load(), None, "{len} bytes of {}", whole.len());
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&kept.path, &changed).unwrap();
            assert_eq!(kept.load(), None, "byte {at} is another");
        }
        fs::write(&kept.path, [&whole[..], b"more"].concat()).unwrap();
        assert_eq!(kept.load(), None);
        kept.save(b"some code");
        assert_eq!(kept.load().as_deref(), Some(&b"some code"[..]));
    }

    #[test]
    fn a_folder_that_cannot_be_written_keeps_nothing() {
        let folder = Folder::new("file");
        fs::write(&folder.0, "a file").unwrap();
        let kept = Kept::new(&folder.0, "a program");
        kept.save(b"code");
        assert_eq!(kept.load(), None);
        fs::remove_file(&folder.0).unwrap();
    }
}
