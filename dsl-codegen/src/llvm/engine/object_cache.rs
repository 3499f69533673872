//! Object code kept in files, from process to process.
//!
//! A file holds one object with the whole key text that it belongs to: the program's IR text, and all that decides what LLVM
//! makes of it. It is found by a hash of that text and believed only if the text is the same to the letter and the file proves that it
//! was written by someone who knows the user's [secret]: a keyed hash of all that is in it. All else, such as a file that was cut
//! short, or put there by others, counts as not there. The [folder] and the files in it must be the user's [own] alone; if they
//! are not, nothing is kept, and the status of the program says why. Nothing of this is an error: it is compiled.

mod folder;
mod own;
mod secret;

#[cfg(test)]
mod tests;

pub(in crate::llvm) use folder::Folder;

/// The first bytes of a file; the number is that of its form.
const MAGIC: &[u8; 16] = b"weldment object2";

/// Bytes before the key text: magic, length of the key text, length of the object, and the keyed hash of all other bytes.
const HEADER: usize = 16 + 2 * 8 + blake3::OUT_LEN;

/// The file for the object of one key text.
#[derive(Debug)]
pub(crate) struct Kept<'k> {
    folder: &'k Folder,
    name: String,
    key: &'k str,
}

impl<'k> Kept<'k> {
    /// In `folder`, with `key` as its key text.
    pub(in crate::llvm) fn new(folder: &'k Folder, key: &'k str) -> Kept<'k> {
        let hash = blake3::hash(key.as_bytes()).to_hex();
        Kept { folder, name: format!("{}.object", &hash[..32]), key }
    }

    /// The object, if it is there, whole, and ours.
    pub(crate) fn load(&self) -> Option<Vec<u8>> {
        let mut file = self.folder.read(&self.name).ok()?;
        let (header, rest) = file.split_first_chunk::<HEADER>()?;
        let (magic, header) = header.split_first_chunk::<16>()?;
        let (lengths, hash) = header.split_first_chunk::<16>()?;
        let key_len = u64::from_le_bytes(*lengths.first_chunk()?);
        let (key, object) = rest.split_at_checked(usize::try_from(key_len).ok()?)?;
        let is_ours = magic == MAGIC
            && key == self.key.as_bytes()
            && *lengths == self.lengths(object)
            && self.hash(object) == blake3::Hash::from_slice(hash).ok()?;
        let start = HEADER + key.len();
        is_ours.then(|| file.split_off(start))
    }

    /// Keeps `object`, or says why not.
    pub(crate) fn save(&self, object: &[u8]) -> Result<(), String> {
        let (lengths, hash) = (self.lengths(object), self.hash(object));
        let parts = [MAGIC, &lengths[..], hash.as_bytes(), self.key.as_bytes(), object];
        self.folder.write(&self.name, &parts).map_err(|error| format!("writing `{}`: {error}", self.name))
    }

    /// How long key text and object are, as the file says it.
    fn lengths(&self, object: &[u8]) -> [u8; 16] {
        let lengths = [self.key.len(), object.len()].map(|len| (len as u64).to_le_bytes());
        let mut bytes = [0; 16];
        bytes.as_chunks_mut().0.copy_from_slice(&lengths);
        bytes
    }

    /// What only those can compute who know the user's secret. Two of them are compared in constant time.
    fn hash(&self, object: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.folder.key);
        hasher.update(MAGIC).update(&self.lengths(object)).update(self.key.as_bytes()).update(object);
        hasher.finalize()
    }
}
