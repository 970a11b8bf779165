"""Secrets in links: made at random, kept as hashes, and used to sign forms."""

from __future__ import annotations

import hashlib
import secrets

FORM_AGE_SECONDS = 30 * 24 * 3600
"""How long an answer may wait for a connection."""


def new_token() -> str:
    """A secret that nobody can guess: 256 random bits."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What a database keeps of a token. The token is random, so one round is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def new_code() -> str:
    """A completion code that people can type: no letters that look like digits."""
    return "".join(secrets.choice("ABCDEFGHJKMNPQRSTUVWXYZ23456789") for _ in range(10))


def signed(token: str, purpose: str, value: str) -> str:
    """A value that only the holder of the token can have got from this server."""
    from itsdangerous import TimestampSigner

    return TimestampSigner(token, salt=f"judge {purpose}").sign(value).decode("ascii")


def unsigned(token: str, purpose: str, signature: str) -> str | None:
    """The value of a signature that is right and not too old, else None."""
    from itsdangerous import BadSignature, TimestampSigner

    try:
        signer = TimestampSigner(token, salt=f"judge {purpose}")
        return signer.unsign(signature, max_age=FORM_AGE_SECONDS).decode("ascii")
    except (BadSignature, UnicodeError):
        return None
