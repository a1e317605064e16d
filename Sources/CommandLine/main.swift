// The program `hearth`: picks the command, and nothing else.

import Glibc

exit(Program.run(Array(Swift.CommandLine.arguments.dropFirst()), environment: Program.environment()))
