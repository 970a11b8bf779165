"""Names of what the public data sets hold."""

CONLL_SYSTEMS = (
    "AMU", "CAMB", "CUUI", "IITB", "INPUT", "IPN", "NTHU", "PKU", "POST", "RAC", "SJTU", "UFC", "UMC",
)  # fmt: skip
