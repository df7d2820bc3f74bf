"""What the tests of grammars use: engines, texts drawn from a tree, and the near misses of each format."""
