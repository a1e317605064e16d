// The program `simulate`: whole conversations on the production code, drawn from seeds.

import Glibc

// Dictionaries are walked in the same order in each run only when this is set before the program begins.
if getenv("SWIFT_DETERMINISTIC_HASHING") == nil {
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    execv("/proc/self/exe", CommandLine.unsafeArgv)
}
exit(Simulate.run(Array(CommandLine.arguments.dropFirst())))
