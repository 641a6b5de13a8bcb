"""What drives the program: calls it, shows what it says, and reads what it printed."""
