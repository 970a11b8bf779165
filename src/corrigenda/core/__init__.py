"""The contract that every metric keeps: statistics → choice → totals → score."""
