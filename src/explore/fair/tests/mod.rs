//! The search on small graphs made at random, against the definitions read word by word.

mod brute;
mod programs;
mod theorems;
mod toy;
