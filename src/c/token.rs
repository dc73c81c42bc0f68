//! The words of C: what preprocessed text is cut into.
//!
//! Words without meaning for us (`restrict`, `__extension__`) are tokens that the lexer drops.

use logos::Logos;

/// Why a piece of text is no token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LexError {
    /// A character that starts nothing.
    #[default]
    Unknown,
    /// `/*` without `*/`.
    UnterminatedComment,
    /// A string without a closing quote on its line.
    UnterminatedString,
    /// A character constant without a closing quote on its line.
    UnterminatedChar,
}

/// A token. It carries no value: names and numbers are read from the text.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(skip r"([ \t\r\n\f\x0b]|\\\r?\n)+")]
#[logos(error = LexError)]
#[allow(missing_docs, reason = "the names are the tokens'")]
pub enum Tok {
    /// The end of the text, for ever.
    End,
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    #[token("/*", block_comment)]
    BlockComment,
    /// A line of the preprocessor: a marker, a pragma, or a line that preprocessing should have removed.
    #[regex(r"#[^\n]*", allow_greedy = true)]
    Directive,
    Inline,
    /// A word without meaning for us.
    Idle,

    #[regex(r"([\p{XID_Start}_$]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})([\p{XID_Continue}$]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})*", word)]
    Ident,
    #[regex(r"\.?[0-9]([eEpP][+-]|'?[0-9A-Za-z_.])*")]
    Number,
    #[regex(r#"(L|u8|u|U)?"([^"\\\n]|\\[^\n])*""#)]
    #[regex(r#"(L|u8|u|U)?"([^"\\\r\n]|\\[^\r\n])*"#, open_string)]
    Text,
    #[regex(r"(L|u8|u|U)?'([^'\\\n]|\\[^\n])+'")]
    #[regex(r"(L|u8|u|U)?'([^'\\\r\n]|\\[^\r\n])*", open_char)]
    Char,

    Alignas,
    Alignof,
    Asm,
    Atomic,
    Attribute,
    Auto,
    AutoType,
    Bool,
    Break,
    Case,
    CharWord,
    Complex,
    Const,
    Constexpr,
    Continue,
    Default,
    Do,
    Double,
    Else,
    Enum,
    Extern,
    Float,
    Float128,
    For,
    Generic,
    Goto,
    If,
    Int,
    Int128,
    LabelWord,
    Long,
    Register,
    Return,
    Short,
    Signed,
    Sizeof,
    Static,
    StaticAssert,
    Struct,
    Switch,
    ThreadLocal,
    Typedef,
    Typeof,
    TypeofUnqual,
    Union,
    Unsigned,
    Void,
    Volatile,
    While,

    ByTypes,
    ChooseExpr,
    Offsetof,
    TypesCompatible,
    VaArg,

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
    #[token("?")]
    Question,
    #[token(".")]
    Dot,
    #[token("->")]
    Arrow,
    #[token("...")]
    Ellipsis,

    #[token("=")]
    Assign,
    #[token("*=")]
    MulAssign,
    #[token("/=")]
    DivAssign,
    #[token("%=")]
    RemAssign,
    #[token("+=")]
    AddAssign,
    #[token("-=")]
    SubAssign,
    #[token("<<=")]
    ShlAssign,
    #[token(">>=")]
    ShrAssign,
    #[token("&=")]
    AndAssign,
    #[token("^=")]
    XorAssign,
    #[token("|=")]
    OrAssign,

    #[token("++")]
    PlusPlus,
    #[token("--")]
    MinusMinus,
    #[token("||")]
    OrOr,
    #[token("&&")]
    AndAnd,
    #[token("|")]
    Or,
    #[token("^")]
    Xor,
    #[token("&")]
    And,
    #[token("==")]
    EqEq,
    #[token("!=")]
    NotEq,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("<=")]
    LessEq,
    #[token(">=")]
    GreaterEq,
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
}

impl Tok {
    /// Whether it opens a bracket.
    #[must_use]
    pub fn opens(self) -> bool {
        matches!(self, Self::LParen | Self::LBracket | Self::LBrace)
    }

    /// Whether it closes a bracket.
    #[must_use]
    pub fn closes(self) -> bool {
        matches!(self, Self::RParen | Self::RBracket | Self::RBrace)
    }

    /// Whether it is a keyword that can only belong to a type or a declaration.
    #[must_use]
    pub fn begins_declaration(self) -> bool {
        use Tok::{
            Alignas, Auto, Constexpr, Extern, Inline, Register, Static, ThreadLocal, Typedef,
        };
        self.begins_type()
            || matches!(
                self,
                Alignas
                    | Auto
                    | Constexpr
                    | Extern
                    | Inline
                    | Register
                    | Static
                    | ThreadLocal
                    | Typedef
            )
    }

    /// Whether it is a keyword that can begin the name of a type.
    #[must_use]
    pub fn begins_type(self) -> bool {
        use Tok::{
            Atomic, AutoType, Bool, CharWord, Complex, Const, Double, Enum, Float, Float128, Int,
            Int128, Long, Short, Signed, Struct, Typeof, TypeofUnqual, Union, Unsigned, Void,
            Volatile,
        };
        matches!(
            self,
            Atomic
                | AutoType
                | Bool
                | CharWord
                | Complex
                | Const
                | Double
                | Enum
                | Float
                | Float128
                | Int
                | Int128
                | Long
                | Short
                | Signed
                | Struct
                | Typeof
                | TypeofUnqual
                | Union
                | Unsigned
                | Void
                | Volatile
        )
    }
}

/// A string without a closing quote on its line.
fn open_string(_: &mut logos::Lexer<'_, Tok>) -> Result<(), LexError> {
    Err(LexError::UnterminatedString)
}

/// A character constant without a closing quote on its line.
fn open_char(_: &mut logos::Lexer<'_, Tok>) -> Result<(), LexError> {
    Err(LexError::UnterminatedChar)
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

/// The keyword that a word is, or [`Tok::Ident`]. The automaton of the lexer would have states for each letter of each keyword.
fn word(lexer: &logos::Lexer<'_, Tok>) -> Tok {
    match lexer.slice() {
        "inline" | "__inline" | "__inline__" => Tok::Inline,
        "restrict" | "__restrict" | "__restrict__" | "__extension__" | "_Noreturn"
        | "__noreturn__" => Tok::Idle,
        "_Alignas" | "alignas" => Tok::Alignas,
        "_Alignof" | "alignof" | "__alignof" | "__alignof__" => Tok::Alignof,
        "asm" | "__asm" | "__asm__" => Tok::Asm,
        "_Atomic" => Tok::Atomic,
        "__attribute" | "__attribute__" => Tok::Attribute,
        "auto" => Tok::Auto,
        "__auto_type" => Tok::AutoType,
        "_Bool" => Tok::Bool,
        "break" => Tok::Break,
        "case" => Tok::Case,
        "char" => Tok::CharWord,
        "_Complex" | "__complex__" => Tok::Complex,
        "const" | "__const" | "__const__" => Tok::Const,
        "constexpr" => Tok::Constexpr,
        "continue" => Tok::Continue,
        "default" => Tok::Default,
        "do" => Tok::Do,
        "double" => Tok::Double,
        "else" => Tok::Else,
        "enum" => Tok::Enum,
        "extern" => Tok::Extern,
        "float" => Tok::Float,
        "__float128" => Tok::Float128,
        "for" => Tok::For,
        "_Generic" => Tok::Generic,
        "goto" => Tok::Goto,
        "if" => Tok::If,
        "int" => Tok::Int,
        "__int128" | "__int128_t" => Tok::Int128,
        "__label__" => Tok::LabelWord,
        "long" => Tok::Long,
        "register" => Tok::Register,
        "return" => Tok::Return,
        "short" => Tok::Short,
        "signed" | "__signed" | "__signed__" => Tok::Signed,
        "sizeof" => Tok::Sizeof,
        "static" => Tok::Static,
        "_Static_assert" | "static_assert" => Tok::StaticAssert,
        "struct" => Tok::Struct,
        "switch" => Tok::Switch,
        "_Thread_local" | "thread_local" | "__thread" | "__CPROVER_thread_local" => {
            Tok::ThreadLocal
        }
        "typedef" => Tok::Typedef,
        "typeof" | "__typeof" | "__typeof__" => Tok::Typeof,
        "typeof_unqual" | "__typeof_unqual" | "__typeof_unqual__" => Tok::TypeofUnqual,
        "union" => Tok::Union,
        "unsigned" => Tok::Unsigned,
        "void" => Tok::Void,
        "volatile" | "__volatile" | "__volatile__" => Tok::Volatile,
        "while" => Tok::While,
        other => word_of_compilers(other),
    }
}

fn word_of_compilers(word: &str) -> Tok {
    match word {
        "__builtin_by_types" => Tok::ByTypes,
        "__builtin_choose_expr" => Tok::ChooseExpr,
        "__builtin_offsetof" => Tok::Offsetof,
        "__builtin_types_compatible_p" => Tok::TypesCompatible,
        "__builtin_va_arg" => Tok::VaArg,
        _ => Tok::Ident,
    }
}
