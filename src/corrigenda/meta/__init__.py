"""Metrics against humans: correlations, windows, sweeps, and the published tables."""
