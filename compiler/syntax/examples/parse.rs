//! Parses files and prints what is wrong with them, and how long it took.

use std::time::Instant;
use tenure_span::SourceMap;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let mut map = SourceMap::new();
        let file = map.add(path.as_str(), std::fs::read_to_string(&path)?);
        let start = Instant::now();
        let (tree, diagnostics) = tenure_syntax::parse(file, map.text(file));
        let time = start.elapsed();
        println!("{path}: {} declarations in {time:?}", tree.decls.len());
        for diagnostic in diagnostics {
            print!("{}", tenure_span::render_human(&diagnostic, &map, false));
        }
    }
    Ok(())
}
