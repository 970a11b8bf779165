"""The version. A test checks that `pyproject.toml` has the same."""

__version__ = "0.1.0"
