//! Random expressions whose values C defines, where overflow wraps.

use super::types::INTEGERS;
use crate::Random;

const CONSTANTS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "7",
    "100",
    "-128",
    "255",
    "256",
    "65535",
    "-32769",
    "'a'",
    "'\\377'",
    "0x7fffffff",
    "2147483648",
    "-2147483648",
    "0xffffffffu",
    "~0u",
    "1L << 40",
    "0x8000000000000000",
    "~0ul >> 3",
    "3 > 2",
    "!4",
    "5 / 2",
    "-7 / 2",
    "-7 % 3",
    "-7u % 10",
    "1 ? -1 : 0u",
    "sizeof(int)",
    "(char)200",
    "(short)70000",
    "(unsigned char)-1",
    "(_Bool)256",
    "(_Bool)0.5",
    "(int)2.9",
    "(int)-2.9f",
    "(unsigned char)255.5",
    "B",
    "C + 1",
    "(unsigned __int128)1 << 100",
    "-(__int128)5 >> 1",
    "(long)1e15",
    "-1 >> 3",
    "0777",
    "1u - 2",
    "1ul - 2u",
    "-1 < 1u",
    "-1L < 1u",
    "(signed char)0x80 + 0",
    "(unsigned short)-1 * 65535",
    "sizeof(long double)",
    "(B > 4) + C",
];

const FLOATING: &[&str] = &[
    "0",
    "1",
    "-1.5",
    "0.1",
    "0.1f",
    "1e10",
    "1e-40f",
    "3.4e38f",
    "1.0f / 3",
    "1.0 / 3",
    "(float)16777217",
    "16777217",
    "0x1.8p3",
    "(double)0.1f",
    "0.1f + 0.2",
    "1e308",
    "(float)1e-50",
    "-0.0",
    "1 / 3",
    "7 / 2.0f",
    "~0ul",
    "'a'",
    "(unsigned char)300 + 0.5",
    "1.5L",
    "(float)0.1L",
    "1ul << 63",
    "-(1L << 62)",
    "1e22",
    "9007199254740993",
    "B / 2.0",
];

const VARIABLES: &[&str] = &["vc", "vs", "vi", "vu", "vl", "vw", "vb", "vh"];
const FLOAT_VARIABLES: &[&str] = &["vf", "vd"];

/// What the variables of expressions are, as a function declares them.
pub const DECLARED: &str = "volatile signed char vc = -3; short vs = 1000; int vi = -70000; unsigned vu = 4000000000u; \
    long vl = -5000000000L; unsigned long vw = 0xfedcba9876543210ul; _Bool vb = 1; unsigned char vh = 250; \
    float vf = 1.25f; double vd = -3.75;";

pub fn constant(random: &mut Random) -> String {
    match random.below(6) {
        0 => format!("({})({})", INTEGERS[random.index(INTEGERS.len())], random.pick(CONSTANTS)),
        1 => {
            let operator = random.pick(&["+", "-", "*", "&", "|", "^"]);
            let (left, right) = (random.pick(CONSTANTS), random.pick(CONSTANTS));
            format!("(unsigned long)({left}) {operator} (unsigned long)({right})")
        }
        _ => random.pick(CONSTANTS).to_string(),
    }
}

pub fn floating_constant(random: &mut Random) -> String {
    match random.below(6) {
        0 => {
            let operator = random.pick(&["+", "-", "*"]);
            format!("({}) {operator} ({})", random.pick(FLOATING), random.pick(FLOATING))
        }
        1 => format!("({})({})", random.pick(&["float", "double"]), random.pick(FLOATING)),
        _ => random.pick(FLOATING).to_string(),
    }
}

pub fn integer(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.one_in(6) {
        return match random.below(3) {
            0 => format!("({})", random.pick(CONSTANTS)),
            _ => random.pick(VARIABLES).to_string(),
        };
    }
    let (left, right) = (integer(random, depth - 1), integer(random, depth - 1));
    match random.below(12) {
        0 => format!("({left} / (({right} & 15) + 1))"),
        1 => format!("({left} % (({right} & 31) + 2))"),
        2 => format!("({left} << ({right} & 7))"),
        3 => format!("({left} >> ({right} & 7))"),
        4 => format!("({left} ? {right} : {})", integer(random, depth - 1)),
        5 => format!("(({})({left}))", INTEGERS[random.index(INTEGERS.len())]),
        6 => format!(
            "({left} {} {right})",
            random.pick(&["<", "<=", "==", "!=", ">", ">=", "&&", "||"])
        ),
        7 => format!("({}{left})", random.pick(&["-", "~", "!", "+"])),
        8 => format!("({left}, {right})"),
        9 => format!(
            "({} {} {left})",
            random.pick(FLOAT_VARIABLES),
            random.pick(&["<", ">", "==", "!="])
        ),
        _ => format!("({left} {} {right})", random.pick(&["+", "-", "*", "&", "|", "^"])),
    }
}

pub fn floating(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return random.pick(FLOAT_VARIABLES).to_string();
    }
    match random.below(6) {
        0 => format!("({})", random.pick(FLOATING)),
        1 => integer(random, depth - 1),
        2 => format!("(({})({}))", random.pick(&["float", "double"]), floating(random, depth - 1)),
        3 => format!(
            "({} ? {} : {})",
            integer(random, 1),
            floating(random, depth - 1),
            random.pick(VARIABLES)
        ),
        _ => {
            let operator = random.pick(&["+", "-", "*"]);
            format!("({} {operator} {})", floating(random, depth - 1), floating(random, depth - 1))
        }
    }
}
