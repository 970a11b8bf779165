"""Rankings of systems from human judgments, and the agreement of the judges."""
