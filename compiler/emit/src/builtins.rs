//! The functions that gcc and clang know by name, with the types they expect.
//!
//! A declaration that says something else draws a warning from both compilers, and a definition of the user's own would
//! be taken for C's function. A declaration that agrees is left alone, so that the compilers may still expand `sqrt`
//! and `memcpy`.

use tenure_core::{FloatTy, FuncTy, IntTy, Ty, TyId, TypeTable};

/// One signature a row: the result, then the parameters, a letter each, then the names. `v` void, `i` int, `u`
/// unsigned, `l` long, `m` unsigned long, `L` long long, `M` unsigned long long, `f d D` the floats, `P` void *, `Q`
/// const void *, `s` char *, `S` const char *, `t` char **, `I` int *, `x` double *, `F` float *, `.` more. `!` is a
/// type that cannot be said without a system header: no declaration of ours agrees with it.
const SIGNATURES: &str = "
v abort
vi exit _Exit _exit
ii abs isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper putchar isascii toascii
ll labs
LL llabs
dd acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma log log10 log1p log2 logb nearbyint rint round sin sinh sqrt tan tanh tgamma trunc exp10 gamma j0 j1 y0 y1 significand pow10
ff acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf erff erfcf expf exp2f expm1f fabsf floorf lgammaf logf log10f log1pf log2f logbf nearbyintf rintf roundf sinf sinhf sqrtf tanf tanhf tgammaf truncf
DD acosl acoshl asinl asinhl atanl atanhl cbrtl ceill cosl coshl erfl erfcl expl exp2l expm1l fabsl floorl lgammal logl log10l log1pl log2l logbl nearbyintl rintl roundl sinl sinhl sqrtl tanl tanhl tgammal truncl
ddd atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder drem scalb
fff atan2f copysignf fdimf fmaxf fminf fmodf hypotf nextafterf powf remainderf
DDD atan2l copysignl fdiml fmaxl fminl fmodl hypotl nextafterl powl remainderl
dddd fma
ffff fmaf
DDDD fmal
ddi ldexp scalbn
ffi ldexpf scalbnf
DDi ldexpl scalbnl
ddl scalbln
ddD nexttoward
ddI frexp
ffI frexpf
ddx modf
ffF modff
id ilogb
if ilogbf
ld lrint lround
lf lrintf lroundf
Ld llrint llround
Lf llrintf llroundf
dS nan
idi jn yn
Pm malloc
Pmm calloc aligned_alloc
PPm realloc
vP free
PPQm memcpy memmove mempcpy
PPim memset
iQQm memcmp bcmp
PQim memchr
ssS strcpy strcat stpcpy
ssSm strncpy strncat stpncpy
iSS strcmp strcasecmp
iSSm strncmp strncasecmp
sSi strchr strrchr index rindex
sSS strstr strpbrk
mSS strspn strcspn
mS strlen
mSm strnlen
sS strdup
sSm strndup
iS. printf scanf
isS. sprintf
ismS. snprintf
iSS. sscanf
iS puts
! fprintf fscanf vfprintf vfscanf vprintf vscanf vsprintf vsnprintf vsscanf fputs fputc fwrite putc fputs_unlocked fwrite_unlocked setjmp _setjmp longjmp _longjmp sigsetjmp alloca vfork fork execl execlp execle execv execvp execve conj creal cimag cabs carg cexp clog cpow cproj csin csqrt ctan ccos strftime iswalpha towlower towupper strfmon ffs ffsl ffsll bzero bcopy dcgettext dgettext gettext printf_unlocked puts_unlocked signbit isinf isnan finite sincos fprintf_unlocked putchar_unlocked
";

/// What a name means to the compilers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// Nothing.
    No,
    /// A function of this type, which the declaration has too.
    Same,
    /// Something else.
    Different,
}

/// Compares a name, and its type if it names a function, with what the compilers know.
pub(crate) fn known(types: &TypeTable, name: &str, ty: Option<TyId>) -> Known {
    let Some(signature) = signature_of(name) else {
        return Known::No;
    };
    let same = ty.is_some_and(|ty| match types.get(ty) {
        Ty::Func(func) => letters(types, func) == signature,
        _ => false,
    });
    if same {
        Known::Same
    } else {
        Known::Different
    }
}

fn signature_of(name: &str) -> Option<&'static str> {
    SIGNATURES.lines().find_map(|row| {
        let mut words = row.split(' ');
        let signature = words.next()?;
        words.any(|word| word == name).then_some(signature)
    })
}

fn letters(types: &TypeTable, func: &FuncTy) -> String {
    let mut out = String::new();
    for &ty in std::iter::once(&func.result).chain(&func.params) {
        out.push(letter(types, ty));
    }
    if func.variadic {
        out.push('.');
    }
    out
}

fn letter(types: &TypeTable, ty: TyId) -> char {
    match types.get(ty) {
        Ty::Void => 'v',
        Ty::Int(IntTy::Int) => 'i',
        Ty::Int(IntTy::UInt) => 'u',
        Ty::Int(IntTy::Long) => 'l',
        Ty::Int(IntTy::ULong) => 'm',
        Ty::Int(IntTy::LLong) => 'L',
        Ty::Int(IntTy::ULLong) => 'M',
        Ty::Float(FloatTy::F32) => 'f',
        Ty::Float(FloatTy::F64) => 'd',
        Ty::Float(FloatTy::Long) => 'D',
        Ty::Ptr { to, quals } if !quals.is_volatile => match (types.get(*to), quals.is_const) {
            (Ty::Void, false) => 'P',
            (Ty::Void, true) => 'Q',
            (Ty::Int(IntTy::Char), false) => 's',
            (Ty::Int(IntTy::Char), true) => 'S',
            (Ty::Int(IntTy::Int), false) => 'I',
            (Ty::Float(FloatTy::F64), false) => 'x',
            (Ty::Float(FloatTy::F32), false) => 'F',
            (Ty::Ptr { to, quals }, false) if !quals.is_const => match types.get(*to) {
                Ty::Int(IntTy::Char) => 't',
                _ => '?',
            },
            _ => '?',
        },
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_that_agrees_is_told_from_one_that_does_not() {
        let mut types = TypeTable::default();
        let double = types.intern(Ty::Float(FloatTy::F64));
        let int = types.int(IntTy::Int);
        let mut func = |param| {
            types.intern(Ty::Func(FuncTy {
                result: double,
                params: vec![param],
                variadic: false,
                noreturn: false,
            }))
        };
        let (good, bad) = (func(double), func(int));
        assert_eq!(known(&types, "sqrt", Some(good)), Known::Same);
        assert_eq!(known(&types, "sqrt", Some(bad)), Known::Different);
        assert_eq!(known(&types, "log", None), Known::Different);
        assert_eq!(known(&types, "frobnicate", None), Known::No);
    }
}
