//! Lines, functions and names of variables for addresses in the program.

use std::collections::BTreeMap;
use std::path::Path;

use addr2line::Loader;
use object::{Object as _, ObjectSegment as _, ObjectSymbol as _, SymbolKind};

struct Module {
    /// Where the file lies, with its variables.
    from: u64,
    to: u64,
    /// What is added to addresses of the file.
    base: u64,
    path: String,
    loader: Option<Loader>,
}

pub(super) struct Lines {
    modules: Vec<Module>,
    /// Variables by their addresses: size and name.
    variables: BTreeMap<u64, (u64, String)>,
    /// The end of the first thread's stack.
    stack: u64,
}

/// Bytes below the end of the first thread's stack: more than the stack may take.
const STACK: u64 = 64 << 20;

/// A line of `/proc/PID/maps`: the addresses, and the file or another name, which may have blanks.
fn mapped(line: &str) -> Option<((u64, u64), &str)> {
    let (from, to) = line.split(' ').next()?.split_once('-')?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    let name = &line[line.find(['/', '['])?..];
    Some(((number(from)?, number(to)?), name))
}

/// The name of a file without its folders.
pub(super) fn short(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub file: String,
    pub line: u32,
    pub function: String,
}

impl Lines {
    /// Reads the mapped files from lines of `/proc/PID/maps`, maybe of several processes.
    pub(super) fn new(maps: &str) -> Self {
        let mut modules: Vec<Module> = Vec::new();
        let mut stack = 0;
        for line in maps.lines() {
            let Some(((from, to), path)) = mapped(line) else {
                continue;
            };
            match modules.last_mut() {
                _ if path == "[stack]" => stack = to,
                _ if path.starts_with('[') => {}
                Some(module) if module.path == path && module.to <= from => module.to = to,
                _ => modules.push(Module {
                    from,
                    to,
                    base: from,
                    path: path.to_owned(),
                    loader: None,
                }),
            }
        }
        let mut variables = BTreeMap::new();
        for module in &mut modules {
            let Ok(bytes) = std::fs::read(&module.path) else {
                continue;
            };
            let Ok(file) = object::File::parse(&*bytes) else {
                continue;
            };
            if file.kind() == object::ObjectKind::Executable {
                module.base = 0;
            }
            module.loader = Loader::new(Path::new(&module.path)).ok();
            let ends = file
                .segments()
                .map(|s| module.base + s.address() + s.size());
            module.to = ends.fold(module.to, u64::max);
            for symbol in file
                .symbols()
                .filter(|s| s.kind() == SymbolKind::Data && s.size() > 0)
            {
                let name = symbol.name().unwrap_or_default();
                let name = if name.starts_with("_Z") {
                    addr2line::demangle_auto(name.into(), None).into_owned()
                } else {
                    name.to_owned()
                };
                variables.insert(symbol.address() + module.base, (symbol.size(), name));
            }
        }
        Self {
            modules,
            variables,
            stack,
        }
    }

    /// The file that is mapped at an address; if several were, the last one.
    fn module(&self, address: u64) -> Option<&Module> {
        let mut modules = self.modules.iter().rev();
        modules.find(|m| (m.from..m.to).contains(&address))
    }

    /// The files that are mapped.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.modules.iter().map(|m| m.path.as_str())
    }

    /// Names the variables in a word of memory, or says what else lies there.
    pub(super) fn word(&self, address: u64) -> String {
        let before = self.variables.range(..address + 8).rev();
        let inside = before.take_while(|(at, (size, _))| address < *at + size.max(&1));
        // Leaves out the linker's own variables.
        let names: Vec<&str> = inside
            .map(|(_, (_, name))| name.as_str())
            .filter(|name| !name.starts_with("completed."))
            .collect();
        match names.as_slice() {
            [] => self.name(address),
            names => names.join(" or "),
        }
    }

    /// Names the variable at an address, or says what else lies there.
    pub(super) fn name(&self, address: u64) -> String {
        if let Some((at, (size, name))) = self.variables.range(..=address).next_back()
            && address < at + size.max(&1)
        {
            return match address - at {
                0 => name.clone(),
                offset => format!("{name}+{offset}"),
            };
        }
        match address {
            0x2000_0000_0000..=0x2fff_ffff_ffff => {
                format!("memory {:#x}", address & 0xff_ffff_ffff)
            }
            0x3000_0000_0000..=0x3fff_ffff_ffff => {
                format!("a local of thread {}", (address >> 30) & 0xff)
            }
            _ if (self.stack.saturating_sub(STACK)..self.stack).contains(&address) => {
                format!("a local at {address:#x}")
            }
            _ => self.module(address).map_or_else(
                || format!("{address:#x}"),
                |m| format!("{}+{:#x}", short(&m.path), address - m.base),
            ),
        }
    }

    /// A sentence with lines and names in the place of addresses.
    pub(super) fn in_words(&self, text: &str) -> String {
        let word = |word: &str| {
            let plain = word.trim_end_matches([',', ':', '.']);
            let number = plain.strip_prefix("0x")?;
            let address = u64::from_str_radix(number, 16).ok()?;
            let place = self.place(&[address]);
            let name = place.map_or_else(
                || self.name(address),
                |p| format!("{}:{}", short(&p.file), p.line),
            );
            Some(name + &word[plain.len()..])
        };
        let words = text.split(' ').map(|w| word(w).unwrap_or_else(|| w.into()));
        words.collect::<Vec<String>>().join(" ")
    }

    /// Returns the place of the first return address that lies in the user's code. If there is none, returns the first place
    /// that is known.
    pub(super) fn place(&self, addresses: &[u64]) -> Option<Place> {
        let mut first = None;
        for &address in addresses.iter().filter(|a| **a != 0) {
            for place in self.places(address - 1) {
                if !place.file.starts_with("/usr/") && !place.file.starts_with("./") {
                    return Some(place);
                }
                first.get_or_insert(place);
            }
        }
        first
    }

    fn places(&self, address: u64) -> Vec<Place> {
        let mut places = Vec::new();
        let module = self.module(address);
        let Some((module, loader)) = module.and_then(|m| Some((m, m.loader.as_ref()?))) else {
            return places;
        };
        let Ok(mut frames) = loader.find_frames(address - module.base) else {
            return places;
        };
        while let Ok(Some(frame)) = frames.next() {
            let function = frame
                .function
                .and_then(|f| f.demangle().ok().map(std::borrow::Cow::into_owned));
            let Some(location) = frame.location else {
                continue;
            };
            if let (Some(file), Some(line)) = (location.file, location.line) {
                places.push(Place {
                    file: file.to_owned(),
                    line,
                    function: function.unwrap_or_default(),
                });
            }
        }
        places
    }
}
