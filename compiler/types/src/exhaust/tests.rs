use super::*;

/// Types of the tests, by letter.
struct Letters;

impl Spaces<char> for Letters {
    fn space(&self, ty: char) -> Space {
        match ty {
            'i' => Space::Int { min: -128, max: 127 },
            'e' => Space::Enum(vec![0, 1, 5]),
            'p' => Space::Pointer { nullable: true },
            'n' => Space::Pointer { nullable: false },
            't' => Space::Product,
            'd' => Space::Variants { count: 2, open: false },
            'x' => Space::Variants { count: 1, open: true },
            'u' => Space::Members(2),
            _ => Space::Open,
        }
    }
}

fn con(ty: char, con: Con, args: Vec<Pat<char>>) -> Pat<char> {
    Pat::Con { con, ty, args }
}

fn range(low: i128, high: i128) -> Pat<char> {
    con('i', Con::Range(low, high), vec![])
}

fn missed(rows: &[Pat<char>]) -> Option<Witness<char>> {
    missing(&Letters, &rows.iter().collect::<Vec<_>>()).ok().flatten()
}

#[test]
fn integers_need_all_their_values() {
    assert!(missed(&[range(-128, -1), range(0, 127)]).is_none());
    assert_eq!(
        missed(&[range(-128, 3), range(5, 127)]),
        Some(Witness::Con { con: Con::Range(4, 4), ty: 'i', args: vec![] })
    );
    assert!(missed(&[range(1, 2), Pat::Wild]).is_none());
}

#[test]
fn enumerations_need_their_constants() {
    let one = |v| con('e', Con::Range(v, v), vec![]);
    assert!(missed(&[one(0), one(1), one(5)]).is_none());
    assert!(missed(&[one(0), one(5)]).is_some());
}

#[test]
fn nested_variants_name_the_missing_one() {
    let some = |p| con('p', Con::NonNull, vec![p]);
    let variant = |v, args| con('d', Con::Variant(v), args);
    let rows = [
        con('p', Con::Null, vec![]),
        some(variant(0, vec![range(0, 127)])),
        some(variant(1, vec![])),
    ];
    let Some(Witness::Con { con: Con::NonNull, args, .. }) = missed(&rows) else {
        panic!("a pointer misses a case")
    };
    let Witness::Con { con: Con::Variant(0), args, .. } = &args[0] else { panic!("of variant 0") };
    assert_eq!(args[0], Witness::Con { con: Con::Range(-128, -128), ty: 'i', args: vec![] });
}

#[test]
fn a_covered_row_is_useless() {
    let rows = [range(0, 10), range(11, 20)];
    let rows: Vec<_> = rows.iter().collect();
    assert_eq!(is_useful(&Letters, &rows, &range(5, 15), &mut Effort::default()), Ok(false));
    assert_eq!(is_useful(&Letters, &rows, &range(5, 21), &mut Effort::default()), Ok(true));
}

#[test]
fn tuples_combine_columns() {
    let pair = |a, b| con('t', Con::Product, vec![a, b]);
    let member = |m| con('u', Con::Member(m), vec![Pat::Wild]);
    let rows = [pair(member(0), Pat::Wild), pair(Pat::Wild, member(1)), pair(member(1), member(0))];
    assert!(missed(&rows).is_none());
    assert!(missed(&rows[..2]).is_some());
}

#[test]
fn open_datatypes_and_texts_need_a_default() {
    assert_eq!(missed(&[con('x', Con::Variant(0), vec![])]), Some(Witness::Other('x')));
    let text = con('n', Con::Str(vec![97]), vec![]);
    assert_eq!(missed(std::slice::from_ref(&text)), Some(Witness::Other('n')));
    assert!(missed(&[text, con('n', Con::NonNull, vec![Pat::Wild])]).is_none());
}
