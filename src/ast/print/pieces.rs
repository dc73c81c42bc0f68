//! The parts of a text: tokens and comments, and whether a space stands between two of them.

use crate::lexer::Lexer;
use crate::token::Tok;
use crate::tree::BinaryOp;

/// The kind of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Tok(Tok),
    /// `// …`
    LineComment,
    /// `/* … */`
    BlockComment,
}

/// The use of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// No bracket, or one whose inside is like any other text.
    Plain,
    /// `{ … }` around statements or members.
    Block,
    /// `{ … }` after `enqueue`: the operation's head goes on behind it.
    Clause,
    /// `{ … }` of an enumeration, a record or a value of one.
    Data,
    /// `[ … ]` of an array's value.
    Array,
    /// `[ … ]` of a type.
    Type,
}

/// A token or comment.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'i> {
    pub kind: Kind,
    pub text: &'i str,
    /// Line breaks before it, in the input.
    pub breaks: usize,
    /// Its use, if it is a bracket.
    pub role: Role,
    /// Whether a space stands before it, if neither a line break nor a comment does.
    pub space: bool,
    /// How loosely it binds, if it is an operator between operands or a word like one.
    pub operator: Option<u8>,
}

impl Piece<'_> {
    /// The token that it is.
    #[must_use]
    pub fn tok(&self) -> Option<Tok> {
        match self.kind {
            Kind::Tok(tok) => Some(tok),
            _ => None,
        }
    }

    /// Whether it is this token.
    #[must_use]
    pub fn is(&self, tok: Tok) -> bool {
        self.kind == Kind::Tok(tok)
    }

    /// Whether it is a comment.
    #[must_use]
    pub fn is_comment(&self) -> bool {
        !matches!(self.kind, Kind::Tok(_))
    }
}

/// The pieces of a text that parses.
#[must_use]
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = cut(text);
    let mut context = Context::default();
    let mut ahead = pieces
        .iter()
        .filter_map(Piece::tok)
        .collect::<Vec<_>>()
        .into_iter();
    ahead.next();
    for piece in &mut pieces {
        if let Some(tok) = piece.tok() {
            context.see(tok, ahead.next(), piece);
        }
    }
    pieces
}

/// Tokens and comments in the order of the text.
fn cut(text: &str) -> Vec<Piece<'_>> {
    let mut lexer = Lexer::new(text, 0);
    let tokens: Vec<_> = lexer.by_ref().flatten().collect();
    let mut comments = std::mem::take(&mut lexer.comments).into_iter().peekable();
    let mut pieces = Vec::with_capacity(tokens.len());
    let mut end = 0;
    let mut push = |kind: Kind, from: u32, to: u32| {
        let (from, to) = (from as usize, to as usize);
        let breaks = text[end..from].bytes().filter(|&b| b == b'\n').count();
        end = to;
        let text = text[from..to].trim_end();
        pieces.push(Piece {
            kind,
            text,
            breaks,
            role: Role::Plain,
            space: true,
            operator: None,
        });
    };
    let comment_kind = |from: u32| {
        if text[from as usize..].starts_with("//") {
            Kind::LineComment
        } else {
            Kind::BlockComment
        }
    };
    for (start, tok, stop) in tokens {
        while let Some(comment) = comments.next_if(|c| c.start < start) {
            push(comment_kind(comment.start), comment.start, comment.end);
        }
        push(Kind::Tok(tok), start, stop);
    }
    for comment in comments {
        push(comment_kind(comment.start), comment.start, comment.end);
    }
    pieces
}

/// The state behind the last token.
#[derive(Debug, Default)]
struct Context {
    /// The last token.
    last: Option<Tok>,
    /// Whether an operand or a type ends with the last token, so that an operator can follow.
    operand: bool,
    /// Whether a type can begin behind the last token.
    type_next: bool,
    /// Whether the last token is an operator before its operand.
    prefix: bool,
    /// Whether a `type` declaration has begun and not ended.
    declares_type: bool,
    /// Open brackets: the role of each, and whether it is the brace of a record's value.
    open: Vec<(Role, bool)>,
}

impl Context {
    /// Sets a piece's operator, role and space, and goes past its token.
    fn see(&mut self, tok: Tok, next: Option<Tok>, piece: &mut Piece<'_>) {
        piece.operator = self.operator(tok);
        piece.role = self.role(tok);
        piece.space = self.space(tok, piece.role);
        let word = self.is_word(tok, next);
        self.advance(tok, word, piece);
    }

    /// Whether a name that is a keyword in one place stands in that place.
    fn is_word(&self, tok: Tok, next: Option<Tok>) -> bool {
        match tok {
            Tok::When | Tok::Enqueue | Tok::Spurious => self.operand,
            Tok::Op | Tok::Independent | Tok::Exclusive => {
                let begins = matches!(self.last, Some(Tok::LBrace | Tok::RBrace | Tok::Semi));
                begins && next.is_some_and(Tok::is_name)
            }
            _ => false,
        }
    }

    /// How loosely an operator between operands binds.
    fn operator(&self, tok: Tok) -> Option<u8> {
        match tok {
            _ if !self.operand => None,
            Tok::Then | Tok::Else => Some(0),
            _ => binary(tok).map(|op| op.precedence() + 1),
        }
    }

    fn role(&self, tok: Tok) -> Role {
        match tok {
            Tok::LBrace => match self.last {
                Some(Tok::Enum | Tok::Record | Tok::RecordName) => Role::Data,
                Some(Tok::Enqueue) if !self.operand => Role::Clause,
                _ => Role::Block,
            },
            Tok::TypeBracket => Role::Type,
            Tok::LBracket if self.type_next => Role::Type,
            Tok::LBracket if !self.operand => Role::Array,
            Tok::RBrace | Tok::RBracket | Tok::RParen => {
                self.open.last().map_or(Role::Plain, |o| o.0)
            }
            _ => Role::Plain,
        }
    }

    /// Whether a space stands before a token.
    fn space(&self, tok: Tok, role: Role) -> bool {
        use Tok::{
            Colon, Comma, Dot, DotDot, LBrace, LBracket, LParen, RBrace, RBracket, RParen, Semi,
            TypeBracket,
        };
        let Some(last) = self.last else { return false };
        match (last, tok) {
            (_, Comma | Semi | RParen | RBracket | Dot | DotDot | Colon) => false,
            (LParen | LBracket | TypeBracket | Dot | DotDot, _) => false,
            // `[int]bool`, `[2](N + 1)..9`
            (RBracket, _) if self.type_next => false,
            (LBrace, RBrace) => role == Role::Data,
            // A call, its parameters, a conversion, an index; but `if (…)` and `:= […]`.
            (_, LParen | LBracket) if self.operand => false,
            (_, LBrace | RBrace) => true,
            _ => !self.prefix,
        }
    }

    /// Goes past a token.
    fn advance(&mut self, tok: Tok, word: bool, piece: &Piece<'_>) {
        let operator = piece.operator.is_some();
        let in_value = self.open.last().is_some_and(|o| o.1);
        if tok.opens() {
            self.open
                .push((piece.role, self.last == Some(Tok::RecordName)));
        } else if tok.closes() {
            self.open.pop();
        }
        let declares = tok == Tok::Type && self.last != Some(Tok::Colon);
        self.declares_type = declares || self.declares_type && tok != Tok::Semi;
        self.type_next = match tok {
            // In a record's value a colon stands before an expression.
            Tok::Colon => !in_value,
            Tok::Equals => self.declares_type,
            Tok::RBracket => piece.role == Role::Type,
            _ => false,
        };
        self.operand = match tok {
            Tok::Number | Tok::True | Tok::False | Tok::RParen | Tok::Text | Tok::RecordName => {
                true
            }
            Tok::RBracket => piece.role != Role::Type,
            Tok::RBrace => matches!(piece.role, Role::Data | Role::Clause),
            Tok::Star => !operator,
            _ => tok.is_simple_type() || tok.is_name() && !word,
        };
        self.prefix = !operator && matches!(tok, Tok::Minus | Tok::Not | Tok::Tilde);
        self.last = Some(tok);
    }
}

/// The operator that a token is between two operands.
fn binary(tok: Tok) -> Option<BinaryOp> {
    Some(match tok {
        Tok::Iff => BinaryOp::Iff,
        Tok::Implies => BinaryOp::Implies,
        Tok::OrOr => BinaryOp::Or,
        Tok::AndAnd => BinaryOp::And,
        Tok::EqEq => BinaryOp::Eq,
        Tok::NotEq => BinaryOp::Ne,
        Tok::Less => BinaryOp::Lt,
        Tok::LessEq => BinaryOp::Le,
        Tok::Greater => BinaryOp::Gt,
        Tok::GreaterEq => BinaryOp::Ge,
        Tok::Or => BinaryOp::BitOr,
        Tok::Xor => BinaryOp::BitXor,
        Tok::And => BinaryOp::BitAnd,
        Tok::Shl => BinaryOp::Shl,
        Tok::Shr => BinaryOp::Shr,
        Tok::Plus => BinaryOp::Add,
        Tok::Minus => BinaryOp::Sub,
        Tok::Star => BinaryOp::Mul,
        Tok::Slash => BinaryOp::Div,
        Tok::Percent => BinaryOp::Rem,
        _ => return None,
    })
}
