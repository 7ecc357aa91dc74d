"""`python -m onlytext`, the same as the command `onlytext`."""

from onlytext.cli import main

if __name__ == "__main__":
    main()
