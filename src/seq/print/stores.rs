//! Makes `Gbar[k_round] := g` a call. For an array that is taken apart it is a long assignment, which is then written only once.

use base::source::Span;
use ir::edit::Editor;
use ir::{
    Block, ExprId, ExprKind, Local, Place, Proc, ProcId, Program, Root, Step, Stmt, StmtKind, Type,
    TypeId, Types, walk,
};
use thin_vec::thin_vec;

use super::leaves::is_short;

/// Gives a procedure to each global array of records whose elements are assigned as a whole at an index that is not constant.
pub fn outlined(program: &Program) -> Program {
    let mut out = Editor {
        program: program.clone(),
        span: Span::default(),
    };
    let mut stores: Vec<(Root, ProcId)> = Vec::new();
    for index in 0..program.procs.len() {
        let mut body = std::mem::take(&mut out.program.procs[index].body);
        walk::each_mut(&mut body, &mut |stmt| {
            let Some((array, index, value)) = store(&out.program, stmt) else {
                return;
            };
            let known = stores.iter().find(|(root, _)| *root == array.root);
            let proc = match known {
                Some(&(_, proc)) => proc,
                None => declare(&mut out, array.clone()),
            };
            if known.is_none() {
                stores.push((array.root, proc));
            }
            stmt.kind = StmtKind::Call(None, proc, vec![index, value].into());
        });
        out.program.procs[index].body = body;
    }
    out.program
}

/// The array, the index and the value.
fn store(program: &Program, stmt: &Stmt) -> Option<(Place, ExprId, ExprId)> {
    let StmtKind::Assign(place, value) = &stmt.kind else {
        return None;
    };
    let (Root::Global(global), [Step::Index(index)]) = (place.root, place.path.as_slice()) else {
        return None;
    };
    let ty = program.globals[global.index()].ty;
    let (len, element) = array(program, ty)?;
    let long = is_short(len) && len > 1 && matches!(program.types.get(element), Type::Record(_));
    let open = !matches!(program.expr(*index).kind, ExprKind::Int(_));
    (long && open).then(|| (Place::whole(place.root, ty), *index, *value))
}

fn array(program: &Program, ty: TypeId) -> Option<(u32, TypeId)> {
    match program.types.get(ty) {
        Type::Array(len, element) => Some((*len, *element)),
        _ => None,
    }
}

/// `proc put(round: int, state: Globals) { Gbar[round] := state; }`
fn declare(out: &mut Editor, gbar: Place) -> ProcId {
    let mut locals = Vec::new();
    let round = Local::hidden("round", Types::INT).declared_in(&mut locals);
    let round = out.local(round, Types::INT);
    let place = out.part(gbar, Step::Index(round));
    let state = Local::hidden("state", place.ty).declared_in(&mut locals);
    let state = out.local(state, place.ty);
    let body: Block = thin_vec![out.assign(place, state)];
    let id = ProcId::from_index(out.program.procs.len());
    out.program.procs.push(Proc {
        name: "put".to_owned(),
        params: 2,
        locals,
        body,
        ..Proc::default()
    });
    id
}
