// Where the compiler's judgement of what to inline costs the common path.
//
// A CHECK makes a function look large, so GCC calls what is a handful of instructions. These say so
// where callgrind shows it; nothing else may use them.

#ifndef ENGINE_BASE_INLINE_H_
#define ENGINE_BASE_INLINE_H_

// For a few instructions on the path of every command.
#define ENGINE_ALWAYS_INLINE [[gnu::always_inline]] inline

// For what happens once in many commands, called from such a path.
#define ENGINE_OUT_OF_LINE [[gnu::noinline]]

// For what happens once in the life of a process.
#define ENGINE_COLD [[gnu::cold, gnu::noinline]]

#endif  // ENGINE_BASE_INLINE_H_
