; The words of the language, in a tree that Helix makes with its grammar of Rust: the languages share comments, texts and numbers, and
; each word is a node. What is between them may be an error in that tree.

[(line_comment) (block_comment)] @comment
(string_literal) @string
[(integer_literal) (float_literal)] @constant.numeric
["true" "false"] @constant.builtin.boolean
(primitive_type) @type.builtin
(self) @variable.builtin

["const" "return" "for" "in" "yield" "if" "else" "use" "while" "type" "break" "let" "await" "continue"] @keyword

((identifier) @keyword
  (#match? @keyword "^(atomic|await|break|call|continue|else|for|if|in|join|post|preempt|return|skip|sleep|then|use|while|yield|assert|assume|finally|havoc|const|enum|let|object|proc|record|type|var|access|cover|default|enqueue|exclusive|independent|invariant|op|spurious|statement|when)$"))
((type_identifier) @keyword
  (#match? @keyword "^(atomic|await|break|call|continue|else|for|if|in|join|post|preempt|return|skip|sleep|then|use|while|yield|assert|assume|finally|havoc|const|enum|let|object|proc|record|type|var|access|cover|default|enqueue|exclusive|independent|invariant|op|spurious|statement|when)$"))
((field_identifier) @keyword
  (#match? @keyword "^(atomic|await|break|call|continue|else|for|if|in|join|post|preempt|return|skip|sleep|then|use|while|yield|assert|assume|finally|havoc|const|enum|let|object|proc|record|type|var|access|cover|default|enqueue|exclusive|independent|invariant|op|spurious|statement|when)$"))

((identifier) @type.builtin
  (#match? @type.builtin "^(bool|i16|i32|i64|i8|int|task|u16|u32|u64|u8)$"))
((type_identifier) @type.builtin
  (#match? @type.builtin "^(bool|i16|i32|i64|i8|int|task|u16|u32|u64|u8)$"))
((field_identifier) @type.builtin
  (#match? @type.builtin "^(bool|i16|i32|i64|i8|int|task|u16|u32|u64|u8)$"))

((identifier) @constant.builtin.boolean
  (#match? @constant.builtin.boolean "^(false|true)$"))
((type_identifier) @constant.builtin.boolean
  (#match? @constant.builtin.boolean "^(false|true)$"))
((field_identifier) @constant.builtin.boolean
  (#match? @constant.builtin.boolean "^(false|true)$"))
