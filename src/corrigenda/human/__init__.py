"""Human judgments and the rankings of systems that follow from them."""
