// Attributes that override the compiler's inlining decisions on the fast path.
//
// A CHECK makes a function look large, so GCC calls functions of a few instructions instead of
// inlining them. Use these attributes only where callgrind shows that cost.

#ifndef ENGINE_BASE_INLINE_H_
#define ENGINE_BASE_INLINE_H_

// For functions of a few instructions on the path of every command.
#define ENGINE_ALWAYS_INLINE [[gnu::always_inline]] inline

// For functions that such a path calls once in many commands.
#define ENGINE_OUT_OF_LINE [[gnu::noinline]]

// For functions that run a few times in the life of a process, such as growth and failure.
#define ENGINE_COLD [[gnu::cold, gnu::noinline]]

#endif  // ENGINE_BASE_INLINE_H_
