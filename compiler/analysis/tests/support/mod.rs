pub mod generate;
pub mod interpret;
pub mod random;
