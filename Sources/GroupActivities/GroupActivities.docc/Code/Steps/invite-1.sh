# Makes a conversation on it and stays. Programs of this user find it by themselves, others by the link that it prints.
../hearth/.build/release/hearth invite
