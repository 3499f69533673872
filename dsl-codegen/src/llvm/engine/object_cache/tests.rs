//! What is kept is found again, and nothing is believed that another could have put there.

use std::os::unix::fs::{DirBuilderExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::{env, fs, process, thread};

use super::*;

/// A folder of this test's own, for the folder that keeps and the file of its key.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let place = env::temp_dir().join(format!("weldment-kept-{}-{name}", process::id()));
        let _ = fs::remove_dir_all(&place);
        Place(place)
    }

    fn folder(&self) -> PathBuf {
        self.0.join("kept")
    }

    fn secret(&self) -> PathBuf {
        self.0.join("state/key")
    }

    fn try_open(&self) -> Result<Folder, String> {
        Folder::open(&self.folder(), Some(&self.secret()))
    }

    fn open(&self) -> Folder {
        self.try_open().unwrap()
    }

    /// Why it is not opened.
    fn refusal(&self) -> String {
        self.try_open().unwrap_err()
    }

    /// The files in the folder.
    fn files(&self) -> Vec<PathBuf> {
        fs::read_dir(self.folder()).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    fn file(&self) -> PathBuf {
        let files = self.files();
        let [file] = &files[..] else { panic!("one file: {files:?}") };
        file.clone()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

fn load(folder: &Folder) -> Option<Vec<u8>> {
    Kept::new(folder, "a program").load()
}

fn save(folder: &Folder, object: &[u8]) {
    Kept::new(folder, "a program").save(object).unwrap();
}

/// Makes another user the owner of `path`, if this process may.
fn give_away(path: &Path) -> bool {
    chown(path, Some(12345), None).is_ok()
}

#[test]
fn what_is_kept_is_found_by_its_key_text_alone() {
    let place = Place::new("text");
    let folder = place.open();
    assert_eq!(load(&folder), None, "nothing is there yet");
    save(&folder, b"code");
    save(&folder, b"newer code");
    assert_eq!(load(&place.open()).as_deref(), Some(&b"newer code"[..]));
    assert_eq!(Kept::new(&folder, "a program ").load(), None);
    assert_eq!(place.files().len(), 1, "no draft is left: {:?}", place.files());
    // As if another text had the same hash.
    let other = Kept { name: Kept::new(&folder, "a program").name, folder: &folder, key: "b program" };
    assert_eq!(other.load(), None);
}

#[test]
fn what_is_not_whole_is_not_there() {
    let place = Place::new("whole");
    let folder = place.open();
    save(&folder, b"some code");
    let file = place.file();
    let whole = fs::read(&file).unwrap();
    for len in 0..whole.len() {
        fs::write(&file, &whole[..len]).unwrap();
        assert_eq!(load(&folder), None, "{len} bytes of {}", whole.len());
    }
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&file, &changed).unwrap();
        assert_eq!(load(&folder), None, "byte {at} is another");
    }
    fs::write(&file, [&whole[..], b"more"].concat()).unwrap();
    assert_eq!(load(&folder), None);
    save(&folder, b"some code");
    assert_eq!(load(&folder).as_deref(), Some(&b"some code"[..]));
}

#[test]
fn a_file_that_was_made_without_the_key_is_not_believed() {
    let (place, forger) = (Place::new("forged"), Place::new("forger"));
    let folder = place.open();
    save(&folder, b"code");
    // The forger knows the program, and not the key; everything else is the same.
    save(&forger.open(), b"evil");
    assert_eq!(load(&forger.open()).as_deref(), Some(&b"evil"[..]));
    fs::copy(forger.file(), place.file()).unwrap();
    assert_eq!(load(&folder), None);
    save(&folder, b"code");
    assert_eq!(load(&folder).as_deref(), Some(&b"code"[..]));
    // A key that is lost is made anew, and what was proved by it counts as not there.
    fs::remove_file(place.secret()).unwrap();
    assert_eq!(load(&place.open()), None);
}

#[test]
fn what_is_made_is_the_users_alone() {
    let place = Place::new("made");
    let folder = place.open();
    save(&folder, b"code");
    let paths = [place.folder(), place.file(), place.secret()];
    assert_eq!(paths.map(|path| mode(&path)), [0o700, 0o600, 0o600]);
    assert_eq!(fs::read(place.secret()).unwrap(), folder.key);
    assert_ne!(folder.key, Place::new("another").open().key, "a key is random");
}

#[test]
fn a_folder_that_others_may_use_keeps_nothing() {
    let place = Place::new("mode");
    save(&place.open(), b"code");
    for wrong in [0o777, 0o755, 0o710, 0o701, 0o770] {
        set_mode(&place.folder(), wrong);
        let refusal = place.refusal();
        assert!(
            refusal.contains(&format!("has mode {wrong:o}")) && refusal.contains("help: chmod 700 "),
            "{refusal}"
        );
    }
    set_mode(&place.folder(), 0o700);
    assert!(load(&place.open()).is_some());
    // One that was there before is not changed.
    let there = Place::new("there");
    fs::DirBuilder::new().recursive(true).mode(0o755).create(there.folder()).unwrap();
    assert!(there.refusal().contains("has mode 755"));
}

#[test]
fn a_link_is_no_folder() {
    let place = Place::new("link");
    save(&place.open(), b"code");
    let link = place.0.join("link");
    symlink(place.folder(), &link).unwrap();
    for path in [link.clone(), link.join(""), link.join(".")] {
        let refusal = Folder::open(&path, Some(&place.secret())).unwrap_err();
        assert!(refusal.contains("is a link"), "{}: {refusal}", path.display());
    }
    // Nor is a file, or what lies in one.
    let file = place.file();
    for path in [file.clone(), file.join("below")] {
        assert!(Folder::open(&path, Some(&place.secret())).is_err(), "{}", path.display());
    }
}

#[test]
fn a_link_is_no_file() {
    let place = Place::new("links");
    let folder = place.open();
    save(&folder, b"code");
    let elsewhere = place.0.join("elsewhere");
    fs::rename(place.file(), &elsewhere).unwrap();
    let name = place.folder().join(Kept::new(&folder, "a program").name);
    symlink(&elsewhere, &name).unwrap();
    assert_eq!(load(&folder), None);
    // It is replaced, and not written through.
    save(&folder, b"newer");
    assert!(load(&folder).is_some() && !fs::symlink_metadata(&name).unwrap().is_symlink());
    assert!(fs::read(&elsewhere).unwrap().ends_with(b"code"));
}

#[test]
fn a_file_with_a_second_name_is_not_there() {
    let place = Place::new("names");
    let folder = place.open();
    save(&folder, b"code");
    let other = place.0.join("other");
    fs::hard_link(place.file(), &other).unwrap();
    assert_eq!(load(&folder), None);
    fs::remove_file(&other).unwrap();
    assert!(load(&folder).is_some());
}

#[test]
fn what_is_no_file_is_not_there() {
    let place = Place::new("pipe");
    let folder = place.open();
    let name = Kept::new(&folder, "a program").name;
    rustix::fs::mkfifoat(rustix::fs::CWD, place.folder().join(&name), rustix::fs::Mode::RWXU).unwrap();
    assert!(folder.read(&name).unwrap_err().to_string().contains("no regular file"));
    assert_eq!(load(&folder), None);
    save(&folder, b"code");
    assert!(load(&folder).is_some());
}

#[test]
fn what_is_too_large_is_neither_read_nor_written() {
    let place = Place::new("large");
    let folder = place.open();
    let file = fs::File::create(place.folder().join("file")).unwrap();
    file.set_len(folder::LARGEST + 1).unwrap();
    assert!(folder.read("file").unwrap_err().to_string().contains("more than"));
    let large = vec![0; folder::LARGEST as usize];
    assert!(folder.write("other", &[b"1", &large]).unwrap_err().to_string().contains("more than"));
    assert_eq!(place.files().len(), 1, "no draft is left");
}

#[test]
fn what_belongs_to_another_user_is_not_there() {
    let place = Place::new("owner");
    save(&place.open(), b"code");
    if !give_away(&place.file()) {
        return; // Only root can set this up.
    }
    assert_eq!(load(&place.open()), None);
    assert!(give_away(&place.folder()));
    assert!(place.refusal().contains("belongs to user 12345"), "{}", place.refusal());
    let key = Place::new("owner-of-key");
    key.open();
    assert!(give_away(&key.secret()));
    assert!(key.refusal().contains("belongs to user 12345"), "{}", key.refusal());
}

#[test]
fn a_key_that_others_may_know_proves_nothing() {
    let place = Place::new("key");
    place.open();
    for wrong in [0o640, 0o604, 0o622] {
        set_mode(&place.secret(), wrong);
        assert!(place.refusal().contains(&format!("has mode {wrong:o}")), "{}", place.refusal());
    }
    set_mode(&place.secret(), 0o600);
    let other = place.0.join("other");
    fs::hard_link(place.secret(), &other).unwrap();
    assert!(place.refusal().contains("has 2 names"), "{}", place.refusal());
    fs::remove_file(place.secret()).unwrap();
    symlink(&other, place.secret()).unwrap();
    assert!(place.refusal().contains("is a link"), "{}", place.refusal());
    fs::remove_file(place.secret()).unwrap();
    for len in [0, 31, 33] {
        fs::write(place.secret(), vec![7; len]).unwrap();
        set_mode(&place.secret(), 0o600);
        assert!(place.refusal().contains("the key `"), "{len}: {}", place.refusal());
    }
    let inside = place.folder().join("deep/key");
    let refusal = Folder::open(&place.folder(), Some(&inside)).unwrap_err();
    assert!(refusal.contains("must not lie in the folder") && !inside.exists(), "{refusal}");
}

#[test]
fn a_draft_of_another_process_is_in_nobodys_way() {
    let place = Place::new("drafts");
    let folder = place.open();
    thread::scope(|scope| {
        for object in [b"a", b"b", b"c", b"d"] {
            let folder = &folder;
            scope.spawn(move || (0..50).for_each(|_| save(folder, object)));
        }
    });
    assert!(load(&folder).is_some_and(|object| object.len() == 1));
    assert_eq!(place.files().len(), 1, "no draft is left: {:?}", place.files());
}
