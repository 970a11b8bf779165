"""One module a format: how it is read and written."""
