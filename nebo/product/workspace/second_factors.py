"""What second factors rest on is encrypted at rest (allauth's adapter)."""

from __future__ import annotations

from allauth.mfa.adapter import DefaultMFAAdapter

from nebo.tenants.sealing import seal, unseal


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Secrets of authenticator apps, and seeds of recovery codes. Passkeys keep none here: their key is public."""

    def encrypt(self, text: str) -> str:
        """What may be stored."""
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        """The same again; raises Unreadable, so that no code is right."""
        return unseal(encrypted_text)
