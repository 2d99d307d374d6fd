//! The pages of docs/errors.

include!(concat!(env!("OUT_DIR"), "/codes.rs"));

/// The page of a code such as `E0301`, in Markdown; none if the code has no page.
pub fn explain(code: &str) -> Option<&'static str> {
    let at = PAGES.binary_search_by_key(&code, |(known, _)| known).ok()?;
    Some(PAGES[at].1)
}

/// All codes that have a page, in order.
pub fn codes() -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(|(code, _)| *code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_begins_with_its_code() {
        for code in codes() {
            let page = explain(code).unwrap_or("");
            assert!(page.starts_with(&format!("# {code}: ")), "the first line of {code}.md");
        }
        assert_eq!(explain("E9999x"), None);
    }
}
