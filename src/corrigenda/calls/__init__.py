"""The public calls that do what commands do: `check`, `explain`, `slices`, `convert`."""
