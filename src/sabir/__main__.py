"""`python -m sabir`."""

from sabir.cli import main

if __name__ == "__main__":
    main()
