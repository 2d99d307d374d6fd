/// Names a buffer of a source map: the text that the lexer read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A range of bytes `lo..hi` of one buffer. The buffer may be preprocessed text: the source map,
/// not the span, knows the line of the file that the user wrote.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub lo: u32,
    pub hi: u32,
}

impl Span {
    /// A span of what the compiler made up; it has no place in any file.
    pub const NONE: Span = Span { file: FileId(u32::MAX), lo: 0, hi: 0 };

    pub fn new(file: FileId, lo: u32, hi: u32) -> Span {
        debug_assert!(lo <= hi);
        Span { file, lo, hi }
    }

    /// From the start of `self` to the end of `end`; both in the same buffer, else `self`.
    pub fn to(self, end: Span) -> Span {
        if self.file != end.file {
            return self;
        }
        Span { file: self.file, lo: self.lo.min(end.lo), hi: self.hi.max(end.hi) }
    }

    /// The empty span just after this one, where something missing would stand.
    pub fn end(self) -> Span {
        Span { lo: self.hi, ..self }
    }

    /// The empty span just before this one.
    pub fn start(self) -> Span {
        Span { hi: self.lo, ..self }
    }

    /// Whether the other lies within it.
    pub fn contains(self, part: Span) -> bool {
        self.file == part.file && self.lo <= part.lo && part.hi <= self.hi
    }

    pub fn is_none(self) -> bool {
        self.file == Span::NONE.file
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}..{}", self.file.0, self.lo, self.hi)
    }
}
