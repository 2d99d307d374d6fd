pub mod generate;
pub mod interpret;
#[path = "../../../random/src/random.rs"]
pub mod random;
