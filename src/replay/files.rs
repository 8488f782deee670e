//! Finds and reads recordings on disk. Native only.

use super::recording::{LoadError, Recording};
use std::fs;
use std::path::{Path, PathBuf};

/// A file or directory that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("{}: {why}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system says.
        why: std::io::Error,
    },
    /// It is no recording.
    #[error("{}: {why}", path.display())]
    Load {
        /// Which.
        path: PathBuf,
        /// Why not.
        why: LoadError,
    },
    /// A directory without any recording.
    #[error("{}: no recordings (files named *.json) in it", path.display())]
    Empty {
        /// Which.
        path: PathBuf,
    },
}

/// The recordings that `path` names: itself, or every `.json` file of a directory and those below it, sorted.
///
/// # Errors
/// The path does not exist, cannot be read, or is a directory without any such file.
pub fn find(path: &Path) -> Result<Vec<PathBuf>, FileError> {
    let unreadable = |why| FileError::Read { path: path.to_owned(), why };
    if !fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut out = Vec::new();
    walk(path, &mut out)?;
    out.sort();
    if out.is_empty() { Err(FileError::Empty { path: path.to_owned() }) } else { Ok(out) }
}

fn walk(dir: &Path, out: &mut Vec<PathBuf>) -> Result<(), FileError> {
    let unreadable = |why| FileError::Read { path: dir.to_owned(), why };
    for entry in fs::read_dir(dir).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            walk(&path, out)?;
        } else if path.extension().is_some_and(|ext| ext == "json") {
            out.push(path);
        }
    }
    Ok(())
}

/// Reads one recording.
///
/// # Errors
/// The file cannot be read, or is no recording; the error names file, step and field.
pub fn load(path: &Path) -> Result<Recording, FileError> {
    let text = fs::read_to_string(path).map_err(|why| FileError::Read { path: path.to_owned(), why })?;
    Recording::parse(&text).map_err(|why| FileError::Load { path: path.to_owned(), why })
}
