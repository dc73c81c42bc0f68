//! Going on after an error.

use super::Parser;
use crate::token::Tok;

impl Parser<'_> {
    /// Whether a statement or a declaration certainly begins here.
    pub(super) fn begins_statement(&self) -> bool {
        use Tok::{
            Asm, Break, Case, Continue, Default, Do, For, Goto, If, Return, StaticAssert, Switch,
            While,
        };
        let tok = self.tok();
        tok.begins_declaration()
            || matches!(
                tok,
                Asm | Break | Case | Continue | Default | Do | For | Goto | If | Return
            )
            || matches!(tok, StaticAssert | Switch | While | Tok::Ident)
    }

    /// Skips a broken statement: to after its `;`, or to the `}` of the block around it.
    pub(super) fn skip_statement(&mut self) {
        let mut braces = 0_usize;
        loop {
            match self.tok() {
                Tok::End => return,
                Tok::Semi if braces == 0 => {
                    self.advance();
                    return;
                }
                Tok::RBrace if braces == 0 => return,
                Tok::RBrace => {
                    braces -= 1;
                    self.advance();
                    if braces == 0 {
                        return;
                    }
                    continue;
                }
                Tok::LBrace => braces += 1,
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips a broken declaration at the top that began at an offset.
    pub(super) fn skip_item(&mut self, from: u32) {
        self.skip_statement();
        // The rest of a function's body, or a `}` too many.
        while self.eat(Tok::RBrace) {}
        if self.now.token.from == from {
            self.advance();
        }
    }

    /// Skips a bracket with all it holds.
    pub(super) fn skip_brackets(&mut self) {
        self.skip_open(0);
    }

    /// Skips to after the outermost bracket; `open` brackets are open already.
    pub(super) fn skip_open(&mut self, mut open: usize) {
        loop {
            let tok = self.tok();
            if tok == Tok::End {
                return;
            }
            if tok.opens() {
                open += 1;
            } else if tok.closes() {
                open = open.saturating_sub(1);
            }
            self.advance();
            if open == 0 {
                return;
            }
        }
    }
}
