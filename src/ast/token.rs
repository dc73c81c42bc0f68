//! The words of the language, into which the text is cut before the grammar sees it.
//!
//! Tokens carry no values: the grammar's actions read names and numbers from the text.

use logos::Logos;

/// Why a piece of text is no token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LexError {
    /// A character that starts nothing.
    #[default]
    Unknown,
    /// `/*` without `*/`.
    UnterminatedComment,
    /// A string that does not end on its line.
    UnterminatedString,
}

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(error = LexError)]
#[allow(missing_docs, reason = "the names are the tokens'")]
pub enum Tok {
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    #[token("/*", block_comment)]
    BlockComment,

    #[regex("[A-Za-z_][A-Za-z0-9_]*", word)]
    Ident,
    /// A name that begins a record literal; made from [`Tok::Ident`] by looking ahead.
    RecordName,
    /// `cover` that begins a statement; made from [`Tok::Cover`] by looking around.
    CoverThat,
    /// `[` that begins a type among arguments; made from [`Tok::LBracket`] by looking around.
    TypeBracket,
    #[regex("[0-9][0-9A-Za-z_]*")]
    Number,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*"#, open_string)]
    Text,
    #[token("_", priority = 3)]
    Underscore,

    Assert,
    Assume,
    Atomic,
    Await,
    Bool,
    Break,
    Call,
    Const,
    Continue,
    Else,
    Enum,
    False,
    Finally,
    For,
    Havoc,
    I8,
    I16,
    I32,
    I64,
    If,
    In,
    Int,
    Join,
    Let,
    Object,
    Post,
    Preempt,
    Proc,
    Record,
    Return,
    Skip,
    Sleep,
    Task,
    Then,
    True,
    Type,
    U8,
    U16,
    U32,
    U64,
    Use,
    Var,
    While,
    Yield,

    // Words that are keywords in one place only, and names everywhere else.
    Access,
    Cover,
    Default,
    Enqueue,
    Exclusive,
    Independent,
    Invariant,
    Op,
    Spurious,
    Statement,
    When,

    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token(",")]
    Comma,
    #[token(";")]
    Semi,
    #[token(":")]
    Colon,
    #[token(":=")]
    Assign,
    #[token("=")]
    Equals,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,

    #[token("<==>")]
    Iff,
    #[token("==>")]
    Implies,
    #[token("||")]
    OrOr,
    #[token("&&")]
    AndAnd,
    #[token("==")]
    EqEq,
    #[token("!=")]
    NotEq,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEq,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEq,
    #[token("|")]
    Or,
    #[token("^")]
    Xor,
    #[token("&")]
    And,
    #[token("<<")]
    Shl,
    #[token(">>")]
    Shr,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("!")]
    Not,
    #[token("~")]
    Tilde,

    // Habits from other languages: the grammar reads them, so that an answer can name the right form.
    #[token("++")]
    PlusPlus,
    #[token("+=")]
    #[token("-=")]
    #[token("/=")]
    #[token("%=")]
    #[token("|=")]
    #[token("&=")]
    #[token("^=")]
    OpAssign,
    #[token("->")]
    Arrow,
    #[token("=>")]
    FatArrow,

    /// Text that could not be understood and is read as a whole; made by recovery.
    Invalid,
}

/// The words that cannot be names.
const KEYWORDS: [(&str, Tok); 44] = [
    ("assert", Tok::Assert),
    ("assume", Tok::Assume),
    ("atomic", Tok::Atomic),
    ("await", Tok::Await),
    ("bool", Tok::Bool),
    ("break", Tok::Break),
    ("call", Tok::Call),
    ("const", Tok::Const),
    ("continue", Tok::Continue),
    ("else", Tok::Else),
    ("enum", Tok::Enum),
    ("false", Tok::False),
    ("finally", Tok::Finally),
    ("for", Tok::For),
    ("havoc", Tok::Havoc),
    ("i8", Tok::I8),
    ("i16", Tok::I16),
    ("i32", Tok::I32),
    ("i64", Tok::I64),
    ("if", Tok::If),
    ("in", Tok::In),
    ("int", Tok::Int),
    ("join", Tok::Join),
    ("let", Tok::Let),
    ("object", Tok::Object),
    ("post", Tok::Post),
    ("preempt", Tok::Preempt),
    ("proc", Tok::Proc),
    ("record", Tok::Record),
    ("return", Tok::Return),
    ("skip", Tok::Skip),
    ("sleep", Tok::Sleep),
    ("task", Tok::Task),
    ("then", Tok::Then),
    ("true", Tok::True),
    ("type", Tok::Type),
    ("u8", Tok::U8),
    ("u16", Tok::U16),
    ("u32", Tok::U32),
    ("u64", Tok::U64),
    ("use", Tok::Use),
    ("var", Tok::Var),
    ("while", Tok::While),
    ("yield", Tok::Yield),
];

/// The words that mean something in one place only, and are names everywhere else.
const PLACE_WORDS: [(&str, Tok); 11] = [
    ("access", Tok::Access),
    ("cover", Tok::Cover),
    ("default", Tok::Default),
    ("enqueue", Tok::Enqueue),
    ("exclusive", Tok::Exclusive),
    ("independent", Tok::Independent),
    ("invariant", Tok::Invariant),
    ("op", Tok::Op),
    ("spurious", Tok::Spurious),
    ("statement", Tok::Statement),
    ("when", Tok::When),
];

impl Tok {
    /// All words of the language.
    pub fn words() -> impl Iterator<Item = &'static str> {
        words().map(|(word, _)| *word)
    }

    /// The word of the language that a name is, or [`Tok::Ident`].
    #[must_use]
    pub fn of(name: &str) -> Self {
        let found = words().find(|(word, _)| *word == name);
        found.map_or(Self::Ident, |(_, tok)| *tok)
    }

    /// Whether it is a word that cannot be a name.
    #[must_use]
    pub fn is_keyword(self) -> bool {
        (Self::Assert as u8..=Self::Yield as u8).contains(&(self as u8))
    }

    /// Whether it is a type by itself, such as `int`.
    #[must_use]
    pub fn is_simple_type(self) -> bool {
        use Tok::{Bool, I8, I16, I32, I64, Int, Task, U8, U16, U32, U64};
        matches!(
            self,
            Bool | Int | Task | I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64
        )
    }

    /// Whether it begins a top-level item.
    #[must_use]
    pub fn begins_item(self) -> bool {
        self == Self::Var || self == Self::Proc || self.begins_only_items()
    }

    /// Whether it begins a top-level item and can stand nowhere inside of one.
    #[must_use]
    pub fn begins_only_items(self) -> bool {
        use Tok::{Const, Finally, Object, Preempt, Type, Use};
        matches!(self, Const | Finally | Object | Preempt | Type | Use)
    }

    /// Whether it declares something whose name stands right behind it.
    #[must_use]
    pub const fn names_next(self) -> bool {
        matches!(
            self,
            Self::Const | Self::Object | Self::Proc | Self::Type | Self::Var
        )
    }

    /// Whether it is a word that begins a statement and nothing inside of one.
    #[must_use]
    pub fn begins_statement(self) -> bool {
        use Tok::{
            Assert, Assume, Atomic, Await, Break, Continue, For, Havoc, Join, Let, Return, Skip,
            Sleep, While,
        };
        matches!(
            self,
            Assert
                | Assume
                | Atomic
                | Await
                | Break
                | Continue
                | For
                | Havoc
                | Join
                | Let
                | Return
                | Skip
                | Sleep
                | While
        ) || matches!(self, Self::Yield | Self::Var)
    }

    /// Whether an expression may begin with it, behind a word that begins a statement.
    #[must_use]
    pub fn begins_condition(self) -> bool {
        use Tok::{False, If, LParen, Minus, Not, Number, Star, Tilde, True};
        let plain = matches!(
            self,
            Number | True | False | LParen | Not | Minus | Tilde | If | Star
        );
        plain || self.is_name() || self.is_simple_type()
    }

    /// Whether it opens a bracket.
    #[must_use]
    pub fn opens(self) -> bool {
        matches!(
            self,
            Self::LParen | Self::LBracket | Self::TypeBracket | Self::LBrace
        )
    }

    /// Whether it closes a bracket.
    #[must_use]
    pub fn closes(self) -> bool {
        matches!(self, Self::RParen | Self::RBracket | Self::RBrace)
    }

    /// The token that closes the bracket which this token opens.
    #[must_use]
    pub fn closing(self) -> Self {
        match self {
            Self::LParen => Self::RParen,
            Self::LBracket | Self::TypeBracket => Self::RBracket,
            _ => Self::RBrace,
        }
    }

    /// Whether it can stand where a name is expected.
    #[must_use]
    pub fn is_name(self) -> bool {
        self == Self::Ident || (Self::Access as u8..=Self::When as u8).contains(&(self as u8))
    }
}

fn words() -> impl Iterator<Item = &'static (&'static str, Tok)> {
    KEYWORDS.iter().chain(&PLACE_WORDS)
}

/// The word that a name is. The automaton of the lexer would have states for each letter.
fn word(lexer: &logos::Lexer<'_, Tok>) -> Tok {
    Tok::of(lexer.slice())
}

/// A string that does not end on its line.
fn open_string(_: &mut logos::Lexer<'_, Tok>) -> Result<(), LexError> {
    Err(LexError::UnterminatedString)
}

/// Skips to the end of a block comment (they do not nest), or of the text.
fn block_comment(lexer: &mut logos::Lexer<'_, Tok>) -> Result<(), LexError> {
    if let Some(length) = lexer.remainder().find("*/") {
        lexer.bump(length + 2);
        Ok(())
    } else {
        lexer.bump(lexer.remainder().len());
        Err(LexError::UnterminatedComment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_string_ends_before_the_end_of_its_line() {
        let mut tokens = Tok::lexer("\"abc\r\n1").spanned();
        let open = (Err(LexError::UnterminatedString), 0..4);
        assert_eq!(tokens.next(), Some(open));
        assert_eq!(tokens.next(), Some((Ok(Tok::Number), 6..7)));
    }

    fn token(word: &str) -> Tok {
        let mut tokens = Tok::lexer(word);
        let token = tokens.next().unwrap().unwrap();
        assert_eq!(tokens.next(), None);
        token
    }

    #[test]
    fn the_lists_of_words_are_complete() {
        assert!(words().all(|&(w, tok)| token(w) == tok));
        assert!(KEYWORDS.iter().all(|(w, _)| token(w).is_keyword()));
        assert_eq!(
            KEYWORDS.len(),
            Tok::Yield as usize - Tok::Assert as usize + 1
        );
        assert!(
            PLACE_WORDS
                .iter()
                .all(|(w, _)| token(w).is_name() && token(w) != Tok::Ident)
        );
        assert_eq!(
            PLACE_WORDS.len(),
            Tok::When as usize - Tok::Access as usize + 1
        );
    }
}
