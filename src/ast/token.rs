//! The words of the language: what the text is cut into before the grammar sees it.
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

    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
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
    #[regex(r#""([^"\\\n]|\\[^\n])*"#, open_string)]
    Text,
    #[token("_", priority = 3)]
    Underscore,

    #[token("assert")]
    Assert,
    #[token("assume")]
    Assume,
    #[token("atomic")]
    Atomic,
    #[token("await")]
    Await,
    #[token("bool")]
    Bool,
    #[token("break")]
    Break,
    #[token("call")]
    Call,
    #[token("const")]
    Const,
    #[token("continue")]
    Continue,
    #[token("else")]
    Else,
    #[token("enum")]
    Enum,
    #[token("false")]
    False,
    #[token("finally")]
    Finally,
    #[token("for")]
    For,
    #[token("havoc")]
    Havoc,
    #[token("i8")]
    I8,
    #[token("i16")]
    I16,
    #[token("i32")]
    I32,
    #[token("i64")]
    I64,
    #[token("if")]
    If,
    #[token("in")]
    In,
    #[token("int")]
    Int,
    #[token("join")]
    Join,
    #[token("let")]
    Let,
    #[token("object")]
    Object,
    #[token("post")]
    Post,
    #[token("preempt")]
    Preempt,
    #[token("proc")]
    Proc,
    #[token("record")]
    Record,
    #[token("return")]
    Return,
    #[token("skip")]
    Skip,
    #[token("sleep")]
    Sleep,
    #[token("task")]
    Task,
    #[token("then")]
    Then,
    #[token("true")]
    True,
    #[token("type")]
    Type,
    #[token("u8")]
    U8,
    #[token("u16")]
    U16,
    #[token("u32")]
    U32,
    #[token("u64")]
    U64,
    #[token("use")]
    Use,
    #[token("var")]
    Var,
    #[token("while")]
    While,
    #[token("yield")]
    Yield,

    // Words that are keywords in one place only, and names everywhere else.
    #[token("access")]
    Access,
    #[token("cover")]
    Cover,
    #[token("default")]
    Default,
    #[token("enqueue")]
    Enqueue,
    #[token("exclusive")]
    Exclusive,
    #[token("independent")]
    Independent,
    #[token("invariant")]
    Invariant,
    #[token("op")]
    Op,
    #[token("spurious")]
    Spurious,
    #[token("statement")]
    Statement,
    #[token("when")]
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

    // Habits from other languages, read so that they can be answered in kind.
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
pub const KEYWORDS: [&str; 44] = [
    "assert", "assume", "atomic", "await", "bool", "break", "call", "const", "continue", "else",
    "enum", "false", "finally", "for", "havoc", "i8", "i16", "i32", "i64", "if", "in", "int",
    "join", "let", "object", "post", "preempt", "proc", "record", "return", "skip", "sleep",
    "task", "then", "true", "type", "u8", "u16", "u32", "u64", "use", "var", "while", "yield",
];

/// The words that mean something in one place only, and are names everywhere else.
pub const PLACE_WORDS: [&str; 11] = [
    "access",
    "cover",
    "default",
    "enqueue",
    "exclusive",
    "independent",
    "invariant",
    "op",
    "spurious",
    "statement",
    "when",
];

impl Tok {
    /// All words of the language.
    pub fn words() -> impl Iterator<Item = &'static str> {
        KEYWORDS.into_iter().chain(PLACE_WORDS)
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

    /// What closes the bracket that this opens.
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

    fn token(word: &str) -> Tok {
        let mut tokens = Tok::lexer(word);
        let token = tokens.next().unwrap().unwrap();
        assert_eq!(tokens.next(), None);
        token
    }

    #[test]
    fn the_lists_of_words_are_complete() {
        assert!(KEYWORDS.iter().all(|w| token(w).is_keyword()));
        assert_eq!(
            KEYWORDS.len(),
            Tok::Yield as usize - Tok::Assert as usize + 1
        );
        assert!(
            PLACE_WORDS
                .iter()
                .all(|w| token(w).is_name() && token(w) != Tok::Ident)
        );
        assert_eq!(
            PLACE_WORDS.len(),
            Tok::When as usize - Tok::Access as usize + 1
        );
    }
}
