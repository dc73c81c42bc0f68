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
    #[token("inline")]
    #[token("__inline")]
    #[token("__inline__")]
    Inline,
    /// A word without meaning for us.
    #[token("restrict")]
    #[token("__restrict")]
    #[token("__restrict__")]
    #[token("__extension__")]
    #[token("_Noreturn")]
    #[token("__noreturn__")]
    Idle,

    #[regex(r"([\p{XID_Start}_$]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})([\p{XID_Continue}$]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})*")]
    Ident,
    #[regex(r"\.?[0-9]([eEpP][+-]|[0-9A-Za-z_.])*")]
    Number,
    #[regex(r#"(L|u8|u|U)?"([^"\\\n]|\\[^\n])*""#)]
    #[regex(r#"(L|u8|u|U)?"([^"\\\n]|\\[^\n])*"#, open_string)]
    Text,
    #[regex(r"(L|u|U)?'([^'\\\n]|\\[^\n])+'")]
    #[regex(r"(L|u|U)?'([^'\\\n]|\\[^\n])*", open_char)]
    Char,

    #[token("_Alignas")]
    Alignas,
    #[token("_Alignof")]
    #[token("__alignof")]
    #[token("__alignof__")]
    Alignof,
    #[token("asm")]
    #[token("__asm")]
    #[token("__asm__")]
    Asm,
    #[token("_Atomic")]
    Atomic,
    #[token("__attribute")]
    #[token("__attribute__")]
    Attribute,
    #[token("auto")]
    Auto,
    #[token("__auto_type")]
    AutoType,
    #[token("_Bool")]
    Bool,
    #[token("break")]
    Break,
    #[token("case")]
    Case,
    #[token("char")]
    CharWord,
    #[token("_Complex")]
    #[token("__complex__")]
    Complex,
    #[token("const")]
    #[token("__const")]
    #[token("__const__")]
    Const,
    #[token("continue")]
    Continue,
    #[token("default")]
    Default,
    #[token("do")]
    Do,
    #[token("double")]
    #[token("_Float64")]
    #[token("_Float32x")]
    Double,
    #[token("else")]
    Else,
    #[token("enum")]
    Enum,
    #[token("extern")]
    Extern,
    #[token("float")]
    #[token("_Float32")]
    Float,
    #[token("_Float128")]
    #[token("__float128")]
    #[token("_Float64x")]
    Float128,
    #[token("for")]
    For,
    #[token("_Generic")]
    Generic,
    #[token("goto")]
    Goto,
    #[token("if")]
    If,
    #[token("int")]
    Int,
    #[token("__int128")]
    #[token("__int128_t")]
    Int128,
    #[token("__label__")]
    LabelWord,
    #[token("long")]
    Long,
    #[token("register")]
    Register,
    #[token("return")]
    Return,
    #[token("short")]
    Short,
    #[token("signed")]
    #[token("__signed")]
    #[token("__signed__")]
    Signed,
    #[token("sizeof")]
    Sizeof,
    #[token("static")]
    Static,
    #[token("_Static_assert")]
    StaticAssert,
    #[token("struct")]
    Struct,
    #[token("switch")]
    Switch,
    #[token("_Thread_local")]
    #[token("__thread")]
    #[token("__CPROVER_thread_local")]
    ThreadLocal,
    #[token("typedef")]
    Typedef,
    #[token("typeof")]
    #[token("__typeof")]
    #[token("__typeof__")]
    Typeof,
    #[token("union")]
    Union,
    #[token("unsigned")]
    Unsigned,
    #[token("void")]
    Void,
    #[token("volatile")]
    #[token("__volatile")]
    #[token("__volatile__")]
    Volatile,
    #[token("while")]
    While,

    #[token("__builtin_choose_expr")]
    ChooseExpr,
    #[token("__builtin_offsetof")]
    Offsetof,
    #[token("__builtin_types_compatible_p")]
    TypesCompatible,
    #[token("__builtin_va_arg")]
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
        use Tok::{Alignas, Auto, Extern, Inline, Register, Static, ThreadLocal, Typedef};
        self.begins_type()
            || matches!(
                self,
                Alignas | Auto | Extern | Inline | Register | Static | ThreadLocal | Typedef
            )
    }

    /// Whether it is a keyword that can begin the name of a type.
    #[must_use]
    pub fn begins_type(self) -> bool {
        use Tok::{
            Atomic, AutoType, Bool, CharWord, Complex, Const, Double, Enum, Float, Float128, Int,
            Int128, Long, Short, Signed, Struct, Typeof, Union, Unsigned, Void, Volatile,
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
