// Nothing to declare: the Swift module `os` has it all.
