//! Where the runtime's headers, the library's interfaces and the archives are.

use std::path::{Path, PathBuf};

/// An installation, or a checkout of the source.
#[derive(Clone, Debug)]
pub struct Home {
    root: PathBuf,
    checkout: bool,
}

impl Home {
    /// `TENURE_HOME`, else the installation `PREFIX/lib/tenure` or the checkout that the running executable is in.
    pub fn find() -> Result<Home, String> {
        if let Some(root) = std::env::var_os("TENURE_HOME") {
            let root = PathBuf::from(root);
            return Home::at(&root).ok_or(format!(
                "TENURE_HOME is {}, where neither an installation nor a checkout of Tenure is",
                root.display()
            ));
        }
        let exe = std::env::current_exe().and_then(|exe| exe.canonicalize()).unwrap_or_default();
        let above = exe.ancestors().skip(1);
        let found = above
            .clone()
            .find_map(|dir| Home::at(&dir.join("lib/tenure")).or_else(|| Home::at(dir)));
        found.or_else(Home::of_build).ok_or_else(|| {
            "Tenure's own headers and library were not found beside the executable; \
             set TENURE_HOME to where they are"
                .to_string()
        })
    }

    /// The checkout that a development build was made in: its executable may stand elsewhere.
    fn of_build() -> Option<Home> {
        if cfg!(debug_assertions) {
            let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
            crate_dir.ancestors().find_map(Home::at)
        } else {
            None
        }
    }

    fn at(root: &Path) -> Option<Home> {
        if root.join("include/runtime/tenure/rt.h").is_file() {
            return Some(Home { root: root.to_path_buf(), checkout: false });
        }
        let is_checkout =
            root.join("runtime/include/tenure/rt.h").is_file() && root.join("lib/include").is_dir();
        is_checkout.then(|| Home { root: root.to_path_buf(), checkout: true })
    }

    /// Whether archives have to be built from source.
    pub fn is_checkout(&self) -> bool {
        self.checkout
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The directory that holds `tenure/rt.h`.
    pub fn runtime_include(&self) -> PathBuf {
        self.root.join(if self.checkout { "runtime/include" } else { "include/runtime" })
    }

    /// The directory that holds the library's interface headers.
    pub fn library_include(&self) -> PathBuf {
        self.root.join(if self.checkout { "lib/include" } else { "include/library" })
    }
}
