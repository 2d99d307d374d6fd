//! Type arguments, effects and bounds.

use super::tight::PushTight;
use super::Parser;
use crate::token::TokenKind;
use crate::tree::{
    Bound, BoundOp, Effect, EffectMember, EffectMemberKind, TypeArg, TypeArgKind, TypeParam,
};
use tenure_span::Span;
use TokenKind as K;

impl Parser<'_> {
    /// `<T, `r, {`s}+`e>`, at the `<`.
    pub(super) fn type_args(&mut self) -> Vec<TypeArg> {
        let open = self.here();
        self.bump();
        let mut args = Vec::new();
        while !self.at_gt() && !self.panicking {
            args.push_tight(self.type_arg());
            if !self.eat(K::Comma) {
                break;
            }
        }
        self.close_type_args(open);
        args
    }

    /// `<`a, `r::R>` where they are bound, at the `<`.
    pub(super) fn type_params(&mut self) -> Vec<TypeParam> {
        let open = self.here();
        self.bump();
        let mut params = Vec::new();
        while self.at(K::TypeVar) {
            params.push_tight(self.type_var());
            if !self.eat(K::Comma) {
                break;
            }
        }
        if !self.at_gt() && !self.panicking {
            self.unexpected_code("E0119", "a type variable or `>`");
        }
        self.close_type_args(open);
        params
    }

    /// The closing `>`.
    pub(super) fn close_type_args(&mut self, open: Span) {
        if !self.panicking && self.eat_gt() {
            return;
        }
        self.close(K::Gt, open);
    }

    pub(super) fn type_arg(&mut self) -> TypeArg {
        let start = self.here();
        if !self.enter() {
            return TypeArg { span: start, kind: TypeArgKind::Type(self.error_type(start)) };
        }
        let kind = self.type_arg_kind();
        self.leave();
        TypeArg { span: self.since(start), kind }
    }

    fn type_arg_kind(&mut self) -> TypeArgKind {
        match self.kind() {
            K::LBrace | K::Regions => TypeArgKind::Effect(self.effect()),
            K::TypeVar if self.plus_after_var() => TypeArgKind::Effect(self.effect()),
            K::Backslash | K::Aquals => TypeArgKind::Alias(Box::new(self.alias_qualifier())),
            K::Ident if self.alias_name().is_some() => {
                TypeArgKind::Alias(Box::new(self.alias_qualifier()))
            }
            K::Number | K::Char | K::Valueof | K::Minus | K::LParen | K::Sizeof => {
                // Above the relational operators: `>` ends the arguments.
                TypeArgKind::Value(Box::new(self.additive_expression()))
            }
            _ => TypeArgKind::Type(self.type_name()),
        }
    }

    /// A `+` after the type variable here and its kind.
    fn plus_after_var(&self) -> bool {
        let kind = if self.kind_at(1) == K::ColonColon { 2 } else { 0 };
        self.kind_at(1 + kind) == K::Plus
    }

    /// `` {`r, `s} + `e + regions(`a) ``
    pub(super) fn effect(&mut self) -> Effect {
        let start = self.here();
        let mut members = Vec::new();
        loop {
            let here = self.here();
            match self.kind() {
                K::LBrace => self.effect_set(&mut members),
                K::TypeVar => {
                    let var = self.type_var();
                    let kind = EffectMemberKind::Var(var);
                    members.push_tight(EffectMember { span: self.since(here), kind });
                }
                K::Regions => {
                    self.bump();
                    let (open, closing) = match self.kind() {
                        K::Lt => (self.here(), K::Gt),
                        _ => (self.here(), K::RParen),
                    };
                    if closing == K::Gt {
                        self.bump();
                    } else {
                        self.expect(K::LParen);
                    }
                    let ty = self.type_name();
                    if closing == K::Gt {
                        self.close_type_args(open);
                    } else {
                        self.close(closing, open);
                    }
                    let kind = EffectMemberKind::Regions(ty);
                    members.push_tight(EffectMember { span: self.since(here), kind });
                }
                _ => {
                    self.unexpected_code("E0119", "an effect, such as `` {`r} `` or `` `e ``");
                    break;
                }
            }
            if self.panicking || !self.eat(K::Plus) {
                break;
            }
        }
        Effect { span: self.since(start), members }
    }

    /// `` {`r, next_rgn<`r>} ``
    fn effect_set(&mut self, members: &mut Vec<EffectMember>) {
        let open = self.here();
        self.bump();
        while !self.at(K::RBrace) && !self.panicking {
            let here = self.here();
            let ty = self.type_name();
            let kind = EffectMemberKind::Region(ty);
            members.push_tight(EffectMember { span: self.since(here), kind });
            if !self.eat(K::Comma) {
                break;
            }
        }
        self.close(K::RBrace, open);
    }

    /// After a `:`, whether bounds follow and no bit-field's width or the like.
    pub(super) fn bounds_follow(&self, ahead: usize) -> bool {
        match self.kind_at(ahead) {
            K::TypeVar | K::Regions | K::LBrace | K::Aquals => true,
            K::Ident => {
                let token = self.token_at(ahead);
                let words = &self.words;
                let alias = [words.unique, words.refcnt, words.aliasable, words.restricted];
                (token.name == words.single && self.kind_at(ahead + 1) == K::LParen)
                    || (alias.contains(&token.name) && self.kind_at(ahead + 1) == K::Le)
            }
            _ => false,
        }
    }

    /// `` {`s} > `r, `a | `b ``, behind the `:`.
    pub(super) fn bounds(&mut self) -> Vec<Bound> {
        let mut bounds = Vec::new();
        loop {
            bounds.push_tight(self.bound());
            if self.panicking || !self.at(K::Comma) || !self.bounds_follow(1) {
                break;
            }
            self.bump();
        }
        bounds
    }

    fn bound(&mut self) -> Bound {
        let start = self.here();
        if self.at_word(self.words.single) {
            self.bump();
            let open = self.here();
            self.expect(K::LParen);
            let left = self.type_arg();
            self.close(K::RParen, open);
            let span = self.since(start);
            return Bound { span, left, op: BoundOp::Single, right: None };
        }
        let left = self.bound_side();
        let op = match self.kind() {
            K::Gt => Some(BoundOp::Outlives),
            K::Le => Some(BoundOp::Subset),
            K::Pipe => Some(BoundOp::Disjoint),
            K::EqEq => Some(BoundOp::Equal),
            // `` `q >= `p `` is written the other way round in Cyclone 1.0.
            K::Ge => Some(BoundOp::Subset),
            _ => None,
        };
        let Some(op) = op else {
            self.unexpected_code("E0119", "`>`, `<=` or `|` of a bound");
            let span = self.since(start);
            return Bound { span, left, op: BoundOp::Outlives, right: None };
        };
        let reversed = self.at(K::Ge);
        self.bump();
        let right = self.bound_side();
        let span = self.since(start);
        let (left, right) = if reversed { (right, left) } else { (left, right) };
        Bound { span, left, op, right: Some(right) }
    }

    /// A type variable, an effect or an alias qualifier: nothing that a `>` could end.
    fn bound_side(&mut self) -> TypeArg {
        let start = self.here();
        match self.kind() {
            K::TypeVar if !self.plus_after_var() => self.region(),
            K::TypeVar | K::LBrace | K::Regions => {
                let effect = self.effect();
                TypeArg { span: effect.span, kind: TypeArgKind::Effect(effect) }
            }
            K::Aquals | K::Backslash => self.type_arg(),
            K::Ident if self.alias_name().is_some() => self.type_arg(),
            K::Ident | K::ColonColon => self.type_arg(),
            _ => {
                self.unexpected_code("E0119", "a region or an effect");
                TypeArg { span: start, kind: TypeArgKind::Type(self.error_type(start)) }
            }
        }
    }
}
