//! In which language a document is, and how its text becomes a program.

use std::path::{Path, PathBuf};

use check::CheckOptions;
use compile::{Compiled, compile_c, compile_in};

/// A document's file: its name says the language, its folder where C finds headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file's name without its folder, to be shown.
    pub name: String,
    folder: Option<PathBuf>,
}

impl Origin {
    /// The origin of the document with that URI.
    #[must_use]
    pub fn of(uri: &str) -> Self {
        let (folder, last) = uri.rsplit_once('/').unwrap_or(("", uri));
        let folder = folder.strip_prefix("file://").map(decoded);
        Self {
            name: decoded(last),
            folder: folder.map(PathBuf::from).filter(|f| f.is_absolute()),
        }
    }

    /// The origin of a model that is no document.
    #[must_use]
    pub fn unnamed() -> Self {
        Self {
            name: "it".to_owned(),
            folder: None,
        }
    }

    /// The folder of the file, if it is on a disk.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Whether the document is a C program. Otherwise it is a model.
    #[must_use]
    pub fn is_c(&self) -> bool {
        c::is_c(&self.name)
    }

    /// Reads, checks and lowers a text of the document.
    #[must_use]
    pub fn compile(&self, text: &str) -> Compiled {
        if !self.is_c() {
            return compile_in(
                self.folder.as_deref(),
                &self.name,
                text,
                &CheckOptions::default(),
            );
        }
        let options = c::Options {
            preprocessor: self.include(),
            ..c::Options::default()
        };
        compile_c(&self.name, text, &options)
    }

    /// The name for a copy of the file. Its ending tells the language.
    #[must_use]
    pub fn copy(&self) -> String {
        let extension = Path::new(&self.name).extension().filter(|_| self.is_c());
        let extension = extension.map_or("async", |e| e.to_str().unwrap_or("c"));
        format!("program.{extension}")
    }

    /// The option that lets a copy elsewhere find what is beside the file.
    #[must_use]
    pub fn include(&self) -> Vec<String> {
        let name = if self.is_c() { "-I" } else { "--modules-from=" };
        let folder = self.folder.as_ref();
        let option = folder.map(|folder| format!("{name}{}", folder.display()));
        option.into_iter().collect()
    }
}

/// A part of a URI without its escapes.
fn decoded(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let code = behind.get(..2).and_then(|c| std::str::from_utf8(c).ok());
        let code = code.and_then(|c| u8::from_str_radix(c, 16).ok());
        match code {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            _ => {
                bytes.push(first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_documents() {
        assert_eq!(Origin::of("file:///a/b.async").name, "b.async");
        assert_eq!(Origin::of("file:///a/b%20%C3%A4.async").name, "b ä.async");
        assert_eq!(
            Origin::of("untitled:Untitled-1").name,
            "untitled:Untitled-1"
        );
    }

    #[test]
    fn a_copy_finds_what_is_beside_the_file() {
        let file = Origin::of("file:///my%20work/pool.c");
        assert!(file.is_c());
        assert_eq!(
            (file.copy(), file.include()),
            ("program.c".into(), vec!["-I/my work".to_owned()])
        );
        assert_eq!(Origin::of("file:///a/x.i").copy(), "program.i");
        let model = Origin::of("file:///a/x.async");
        assert_eq!(
            (model.copy(), model.include()),
            ("program.async".into(), vec!["--modules-from=/a".to_owned()])
        );
        assert_eq!(Origin::of("untitled:x.c").include(), Vec::<String>::new());
    }
}
