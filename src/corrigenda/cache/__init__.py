"""Results that take long to compute, kept on disk."""
