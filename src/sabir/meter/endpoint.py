"""Counting somewhere else: a function of yours, or a service that is asked over HTTP.

The request is ``POST`` with the JSON object ``{"text": ...}``; the answer is a JSON object whose ``tokens`` is the
number. Services that speak otherwise (most count whole conversations) are plugged in as a function.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from http.client import HTTPException
from typing import Any, Final, NoReturn
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from sabir.errors import EncodeError, SabirError
from sabir.jsontext import check_text, dumps
from sabir.meter.counters import Piece

TIMEOUT: Final = 30.0
"""Seconds to wait for an answer."""
MAX_ANSWER: Final = 65_536
"""Longest answer that is read, in bytes."""


class Endpoint:
    """A counter that asks. It only counts: it knows no token by itself.

    Args:
        ask: a function from a text to its number of tokens, or the address of a service.
        headers: sent with each request to a service, for instance its key. Redirects are not followed, so that they
            reach nobody else.
        timeout: seconds to wait for the service.

    Raises:
        EncodeError: the address is no http or https address.
    """

    def __init__(
        self, ask: Callable[[str], int] | str, headers: Mapping[str, str] | None = None, timeout: float = TIMEOUT
    ) -> None:
        if isinstance(ask, str) and not _is_address(ask):
            raise EncodeError(f'"{ask}" is no address that begins with http:// or https://', "url")
        self._ask = ask
        self._headers = {"Content-Type": "application/json", "Accept": "application/json", **(headers or {})}
        self._timeout = timeout

    @property
    def sha256(self) -> str:
        """SHA-256 of the address or of the function's name: what counts there cannot be seen from here."""
        name = self._ask if isinstance(self._ask, str) else getattr(self._ask, "__qualname__", repr(self._ask))
        return hashlib.sha256(name.encode()).hexdigest()

    def count(self, text: str) -> int:
        """Number of tokens of a text, as answered.

        Raises:
            SabirError: no answer, or one that is no number of tokens.
            EncodeError: the text holds a lone surrogate.
        """
        check_text(text, "text")
        number = self._answer(text) if isinstance(self._ask, str) else self._ask(text)
        if type(number) is not int or number < 0:
            raise SabirError(f"the counter answered {number!r}, which is no number of tokens")
        return number

    def encode(self, text: str) -> list[int]:  # noqa: ARG002  # the protocol's signature
        """Refused: SabirError."""
        self._refuse()

    def decode(self, tokens: list[int]) -> str:  # noqa: ARG002  # as encode
        """Refused: SabirError."""
        self._refuse()

    def pieces(self, text: str) -> list[Piece]:  # noqa: ARG002  # as encode
        """Refused: SabirError."""
        self._refuse()

    def words(self) -> Iterable[Piece]:
        """None that could be seen from here."""
        return ()

    def _refuse(self) -> NoReturn:
        raise SabirError("a counter that is asked only counts; it does not show its tokens")

    def _answer(self, text: str) -> Any:
        request = Request(str(self._ask), dumps({"text": text}).encode(), self._headers)  # noqa: S310  # scheme checked
        try:
            with build_opener(_NoRedirect).open(request, timeout=self._timeout) as answer:
                body = answer.read(MAX_ANSWER + 1)
        except HTTPError as error:
            error.close()
            raise SabirError(f"the counter at {self._ask} answered {error.code} {error.reason}") from None
        except (OSError, ValueError, HTTPException) as error:
            raise SabirError(f"no answer from the counter at {self._ask}: {error}") from None
        try:
            return json.loads(body[:MAX_ANSWER])["tokens"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise SabirError(f'the counter at {self._ask} did not answer {{"tokens": N}}') from None


def _is_address(url: str) -> bool:
    try:
        return urlsplit(url).scheme in ("http", "https") and bool(urlsplit(url).hostname)
    except ValueError:  # brackets that do not match
        return False


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:  # with no new request the redirect itself is the error
        return None
