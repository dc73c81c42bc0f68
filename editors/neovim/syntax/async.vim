" Highlighting of asynchronous programs (.async).
if exists("b:current_syntax")
  finish
endif

syn keyword asyncControl atomic await break call continue else for if in join post preempt return skip sleep then use while yield
syn keyword asyncAssertion assert assume finally havoc
syn keyword asyncDeclaration const enum let object proc record type var
syn keyword asyncType bool i16 i32 i64 i8 int task u16 u32 u64 u8
syn keyword asyncConstant false true
syn keyword asyncPlaceWord access cover default enqueue exclusive independent invariant op spurious statement when
syn keyword asyncSelf self
syn match asyncNumber "\<\d\w*\>"
syn match asyncEscape "\\." contained
syn region asyncString start=+"+ skip=+\\.+ end=+"+ end=+$+ contains=asyncEscape,@Spell
syn region asyncComment start="//" end="$" contains=@Spell
syn region asyncComment start="/\*" end="\*/" contains=@Spell
syn match asyncFunction "\(\<\(proc\|op\|call\|post\)\s\+\)\@<=\h\w*"

hi def link asyncControl Statement
hi def link asyncAssertion Exception
hi def link asyncDeclaration StorageClass
hi def link asyncType Type
hi def link asyncConstant Boolean
hi def link asyncPlaceWord Keyword
hi def link asyncSelf Special
hi def link asyncNumber Number
hi def link asyncEscape SpecialChar
hi def link asyncString String
hi def link asyncComment Comment
hi def link asyncFunction Function

let b:current_syntax = "async"
