//! The arguments of the program as texts, where it does more with them than print them and read numbers.

use super::{is_output, unconverted};
use c::Options;
use c::typed::{
    Callee, Conversion, Expr, ExprId, ExprKind as C, Init, InitId, Lifetime, Part, StmtKind, Text,
    TextId, Unit, VarId, Variable,
};
use c::types::{IntKind, Length, QualType, Type, Types};

/// Functions that read a number in an argument.
const READS: [&str; 8] = [
    "atoi", "atol", "atoll", "strtol", "strtoll", "strtoul", "strtoull", "sscanf",
];

/// Turns `argv` into a local variable of `main` that leads to texts. The texts become variables, too.
pub fn give_arguments(unit: &mut Unit, options: &Options) {
    let Some(main) = unit.main else { return };
    let (Some(&argv), Some(body)) = (unit[main].params.get(1), unit[main].body) else {
        return;
    };
    if !is_read(unit, argv, &options.args) {
        return;
    }
    let span = unit[argv].span;
    let character = QualType::plain(Types::int(IntKind::Char));
    let pointer = QualType::plain(unit.types.pointer(character));
    let words = std::iter::once("program").chain(options.args.iter().map(String::as_str));
    let words: Vec<Vec<u32>> = words.map(|w| w.bytes().map(u32::from).collect()).collect();
    let count = words.len() as u64;
    let mut parts = Vec::new();
    for (at, values) in (0..).zip(words) {
        let len = values.len() as u64 + 1;
        let text = TextId(unit.texts.len() as u32);
        unit.texts.push(Text {
            values: values.into(),
            element: character.ty,
        });
        let init = unit.add_init(Init::Text(text));
        let of_text = variable(unit, argv, (character, len), init, &format!("argv[{at}]"));
        let value = first_element(unit, of_text, pointer);
        let init = unit.add_init(Init::Value(value));
        parts.push(Part { at, count: 1, init });
    }
    let init = unit.add_init(Init::Parts(parts));
    let all = variable(unit, argv, (pointer, count + 1), init, "argv");
    let ty = unit[argv].ty;
    let value = first_element(unit, all, ty);
    let init = unit.add_init(Init::Value(value));
    unit[argv].init = Some(init);
    unit[argv].lifetime = Lifetime::Local;
    unit[main].params.truncate(1);
    let kind = StmtKind::Declare(argv);
    let declared = unit.add_statement(kind, span);
    if let StmtKind::Block(all) = &mut unit[body].kind {
        all.insert(0, declared);
    }
}

/// Whether more is done with the arguments than printing them and reading numbers in them.
fn is_read(unit: &Unit, argv: VarId, words: &[String]) -> bool {
    let is_argv = |e: ExprId| unit[e].kind == C::Var(argv);
    let loads = |e: ExprId| matches!(unit[e].kind, C::Load(of) if is_argv(of));
    let numbers = words.iter().all(|word| word.parse::<i32>().is_ok());
    let element = |e: ExprId, known: bool| match unit[unconverted(unit, e)].kind {
        C::Load(place) => match unit[place].kind {
            C::Index(array, index) => {
                loads(array) && (!known || numbers && unit.constant(index) > Some(0))
            }
            _ => false,
        },
        _ => false,
    };
    let used = unit.exprs.iter().filter(|e| e.kind == C::Var(argv)).count();
    let known = |e: &Expr| match e.kind {
        C::Convert(Conversion::Void, of) => usize::from(loads(of) || is_argv(of)),
        C::Call(Callee::Direct(f), args) if unit[f].body.is_none() => {
            let name = unit.name(unit[f].name);
            let reads = READS.contains(&name) && is_plain(unit, name, &unit[args]);
            let args = unit[args].iter();
            let args = args.filter(|&&arg| element(arg, reads));
            if reads || is_output(name) {
                args.count()
            } else {
                0
            }
        }
        _ => 0,
    };
    used > unit.exprs.iter().map(known).sum::<usize>()
}

/// Whether a call only reads a decimal number, and does not ask where the number ends.
fn is_plain(unit: &Unit, name: &str, args: &[ExprId]) -> bool {
    let constant = |e: &ExprId| unit.constant(*e);
    match args {
        [_, end, base] if name.starts_with("strto") => {
            constant(end) == Some(0) && matches!(constant(base), Some(0 | 10))
        }
        _ => true,
    }
}

/// Adds a static array to the program.
fn variable(
    unit: &mut Unit,
    argv: VarId,
    (element, len): (QualType, u64),
    init: InitId,
    name: &str,
) -> VarId {
    let ty = unit.types.intern(Type::Array(element, Length::Known(len)));
    let name = Some(unit.names.intern(name));
    let span = unit[argv].span;
    unit.add_variable(Variable {
        name,
        ty: QualType::plain(ty),
        align: None,
        lifetime: Lifetime::Static,
        function: None,
        init: Some(init),
        cleanup: None,
        external: false,
        hidden: false,
        span,
    })
}

/// A pointer to the first element of an array.
fn first_element(unit: &mut Unit, array: VarId, ty: QualType) -> ExprId {
    let span = unit[array].span;
    let place = unit.add(C::Var(array), unit[array].ty, span);
    unit.add(C::Decay(place), QualType::plain(ty.ty), span)
}
