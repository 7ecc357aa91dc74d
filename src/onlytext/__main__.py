"""`python -m onlytext`, the same as the command `onlytext`."""

from onlytext.cli import main

main()
