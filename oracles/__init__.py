"""The independent programs that make the reference data of the tests. See README.md."""
