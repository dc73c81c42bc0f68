//! Lines `#pragma` that compilers obey without being asked to, and that change what a program means.

/// The state of `#pragma pack`.
#[derive(Default)]
pub struct Packing<'i> {
    /// The largest alignment of a member; 0 if its type decides.
    pub most: u8,
    /// The values that each `push` has kept, with its name.
    kept: Vec<(Option<&'i str>, u8)>,
}

impl<'i> Packing<'i> {
    /// Obeys a pragma, given without `#pragma`. Returns false if we do not compute what the pragma asks for.
    pub fn obeys(&mut self, pragma: &'i str) -> bool {
        let after = |word: &str| {
            let rest = pragma.strip_prefix(word)?;
            let ends = |c: char| !c.is_alphanumeric() && c != '_';
            (rest.is_empty() || rest.starts_with(ends)).then(|| rest.trim())
        };
        if let Some(rest) = after("pack") {
            return self.pack(rest).is_some();
        }
        let computes = |rest: &str| rest.contains("fast") || rest.contains("math");
        let mut computing = ["GCC optimize", "GCC target"].into_iter().filter_map(after);
        let mut naming = ["weak", "redefine_extname"].into_iter().filter_map(after);
        let order = after("scalar_storage_order") == Some("big-endian");
        !(order || naming.next().is_some() || computing.any(computes))
    }

    /// `(4)`, `()`, `(push)`, `(push, name, 4)`, `(pop, name)`. Compilers warn of other forms, and ignore some of them.
    fn pack(&mut self, brackets: &'i str) -> Option<()> {
        let inside = brackets.strip_prefix('(')?.strip_suffix(')')?;
        let mut words = inside.split(',').map(str::trim);
        let action = words.next()?;
        let (mut name, mut most) = (None, None);
        for word in words {
            if word.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.is_none() {
                name = Some(word);
            } else if action == "push" && most.is_none() {
                most = Some(alignment(word)?);
            } else {
                return None;
            }
        }
        match action {
            "push" => self.kept.push((name, self.most)),
            "pop" => {
                let named = |&(kept, _): &(Option<&str>, u8)| name.is_none() || kept == name;
                let at = self.kept.iter().rposition(named)?;
                most = self.kept.drain(at..).next().map(|(_, most)| most);
            }
            "" => most = Some(0),
            number => most = Some(alignment(number)?),
        }
        self.most = most.unwrap_or(self.most);
        Some(())
    }
}

fn alignment(word: &str) -> Option<u8> {
    let number = word.parse().ok()?;
    [0, 1, 2, 4, 8, 16].contains(&number).then_some(number)
}
