//! Tests of the C front end.

mod corpus;
