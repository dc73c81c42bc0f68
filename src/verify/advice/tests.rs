use super::*;
use ir::{Bits, RecordType};

#[test]
fn ranges_are_where_numbers_are() {
    let mut types = Types::new();
    let word = |width, signed| Type::Bits(Bits { width, signed });
    let (u32, i16) = (types.intern(word(32, false)), types.intern(word(16, true)));
    let item = types.intern(Type::Record(RecordType {
        name: "Item".to_owned(),
        fields: vec![("a".to_owned(), Types::INT)],
    }));
    let thousand = types.intern(Type::Range(0, 1000));
    let five = types.intern(Type::Array(5, Types::INT));
    let row = types.intern(Type::Array(3, i16));
    let table = types.intern(Type::Array(2, row));
    let items = types.intern(Type::Array(4, item));
    for (ty, says) in [
        (
            Types::INT,
            "`x: int` has too many values to try each; declare `x: 0..15` if these are enough",
        ),
        (u32, "declare `x: 0..15`"),
        (thousand, "declare `x: 0..15`"),
        (five, "declare `x: [5]0..15` if these are enough"),
        (table, "declare `x: [2][3]0..15`"),
        (item, "use ranges in it"),
        (
            items,
            "`x: [4]Item` has too many values to try each; use ranges",
        ),
    ] {
        let said = range(&types, "x", ty).words;
        assert!(said.contains(says), "{said}");
    }
    types.dialect = Dialect::C;
    let said = range(&types, "x", u32).words;
    assert!(said.contains("--nondet 0..15"), "{said}");
}
