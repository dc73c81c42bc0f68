//! Functions of the library to which pointers lead. Each gets a function of its own that calls it by its name.

use std::collections::BTreeSet;

use crate::forms::{BY_POINTER, named, own_function};
use c::typed::{Callee, ExprKind as C, Function, FunctionId, Lifetime, StmtKind as S, Unit, VarId};
use c::types::{FunctionType, QualType, Types};

/// These depend on the types of what their arguments lead to, which only the place of a call tells.
const BY_TYPES: [&str; 5] = ["memcpy", "memmove", "memset", "bzero", "longjmp"];

/// Adds these functions to a program.
pub fn add_wrappers(unit: &mut Unit) {
    let named = named(unit).into_iter().filter_map(|e| match unit[e].kind {
        C::Function(function) if unit[function].body.is_none() => Some(function),
        _ => None,
    });
    let named: BTreeSet<FunctionId> = named.collect();
    for function in named {
        let own = &unit[function];
        let name = unit.name(own.name).to_owned();
        let is_known = c::headers::declaring(&name).is_some() && !BY_TYPES.contains(&&*name);
        let ty = unit.types.function(own.ty);
        let ty = ty.filter(|ty| ty.prototype && !ty.variadic);
        let wrapper = format!("{BY_POINTER}{name}");
        if let Some(ty) = ty.filter(|_| is_known).cloned()
            && own_function(unit, &wrapper).is_none()
        {
            add(unit, function, &wrapper, &ty);
        }
    }
}

fn add(unit: &mut Unit, function: FunctionId, name: &str, ty: &FunctionType) {
    let own = Function {
        name: unit.names.intern(name),
        ..unit[function].clone()
    };
    let span = own.span;
    unit.functions.push(own);
    let wrapper = FunctionId(unit.functions.len() as u32 - 1);
    let params = ty.params.iter().map(|ty| {
        let param = unit.add_local(wrapper, ty.ty, None, span);
        unit[param].lifetime = Lifetime::Param;
        param
    });
    let params: Vec<VarId> = params.collect();
    let values = params.iter().map(|&param| unit.add_read(param, span));
    let values: Vec<_> = values.collect();
    let args = unit.add_list(values);
    let result = QualType::plain(ty.result);
    let call = unit.add(C::Call(Callee::Direct(function), args), result, span);
    let call = match ty.result == Types::VOID {
        true => S::Expr(call),
        false => S::Return(Some(call)),
    };
    let call = unit.add_statement(call, span);
    unit[wrapper].body = Some(unit.add_block([call], span));
    unit[wrapper].params = params;
}
