"""What two agents agree on: pure functions of two offers (agent-lingua.md, "Handshake").

The version is the highest that both speak, the capabilities are those of both, the level is the highest of both lists,
E over B over P. Either side comes to the same. Level E needs a suite that both have, with both keys, or hints of the same
pre-shared key. Where a peer could do better than what comes out, the answer's note says so; a caller that demands a level
gets an error instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabir.errors import DecodeError, EncodeError, SecurityError
from sabir.lingua.handshake.checks import DOMAINS, LEVELS, SUITES, X25519, check_one, check_version, key_bytes
from sabir.lingua.handshake.steps import Accept, Offer, Reject
from sabir.lingua.write import encode

if TYPE_CHECKING:
    from collections.abc import Iterable


def negotiate(
    mine: Offer,
    theirs: Offer,
    *,
    require: str | None = None,
    versions: Iterable[str] = (),
    session: str | None = None,
    fingerprint: str | None = None,
) -> Accept | Reject:
    """Answer to an offer.

    Args:
        mine: what this agent can do.
        theirs: the offer.
        require: the lowest level that will do.
        versions: lower versions that this agent speaks, besides that of its offer.
        session: identifier for the session; level E needs one.
        fingerprint: of this agent's public key; suite X25519+AES-GCM needs it.

    Raises:
        SecurityError: the level that is required cannot be had, or the offer comes back with this agent's own key.
        EncodeError: ``require`` is no level, a version is none, or session or fingerprint is missing where it is needed.
    """
    if require is not None:
        check_one(require, "require", LEVELS)
    version = _version(mine, theirs, versions)
    if version is None:
        return Reject(f"no common version: {mine.version} here, {theirs.version} there")
    common = tuple([code for code in DOMAINS if code in mine.capabilities and code in theirs.capabilities])
    if not common:
        return Reject("no common capabilities")
    suite = _suite(mine, theirs)
    level = _level(mine, theirs, suite)
    demand(level, require, _why_not(mine, theirs) if require == "E" else _levels(mine, theirs))
    if level is None:
        return Reject(f"no common level of security: {_levels(mine, theirs)}")
    if level != "E":
        note = _why_not(mine, theirs) if "E" in theirs.security else None
        return Accept(version, common, level, session=session, note=note)
    if suite != X25519:
        return Accept(version, common, level, suite, session=session)
    if fingerprint is None:
        raise EncodeError(f"missing, and suite {X25519} needs it", "fingerprint")
    return Accept(version, common, level, suite, mine.pubkey, session, fingerprint)


def confirm(mine: Offer, answer: Accept, *, require: str | None = None, versions: Iterable[str] = ()) -> Accept:
    """The answer to this agent's offer, if it is one.

    Args:
        mine: the offer that was sent.
        answer: what came back.
        require: the lowest level that will do.
        versions: lower versions that this agent speaks, besides that of its offer.

    Raises:
        SecurityError: the level is lower than the one required, or this agent's own key came back.
        DecodeError: ``decode_failed``; the answer has what was not offered.
        EncodeError: ``require`` is no level, or a version is none.
    """
    if require is not None:
        check_one(require, "require", LEVELS)
    if version_key(answer.version) not in map(version_key, _spoken(mine, versions)):
        raise _unasked(answer, f"version {answer.version} was not offered")
    extra = [code for code in answer.capabilities if code not in mine.capabilities]
    if extra:
        raise _unasked(answer, f"capability {extra[0]} was not offered")
    if answer.security not in mine.security:
        raise _unasked(answer, f"level {answer.security} was not offered")
    if answer.crypto is not None and answer.crypto not in mine.crypto:
        raise _unasked(answer, f"suite {answer.crypto} was not offered")
    demand(answer.security, require, answer.note or "the other agent chose so")
    if answer.crypto == X25519:
        _check_reflection(mine.pubkey, answer.pubkey)
    return answer


def demand(level: str | None, require: str | None, why: str) -> None:
    """Refuse a level, or none, that is lower than the one required.

    Raises:
        SecurityError: with both levels and the reason.
    """
    if require is not None and (level is None or LEVELS.index(level) > LEVELS.index(require)):
        found = "no level" if level is None else f"level {level}"
        raise SecurityError(f"level {require} is required, and only {found} can be had: {why}")


def version_key(version: str) -> tuple[int, ...]:
    """A version as numbers to compare, without zeros at its end: 0.4 and 0.4.0 are one."""
    check_version(version)
    numbers = [int(number) for number in version.split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def _version(mine: Offer, theirs: Offer, versions: Iterable[str]) -> str | None:
    """The highest version of this side's that the other speaks, too: agents speak what came before their own."""
    limit = version_key(theirs.version)
    spoken = [version for version in _spoken(mine, versions) if version_key(version) <= limit]
    return max(spoken, key=version_key, default=None)


def _spoken(offer: Offer, versions: Iterable[str]) -> list[str]:
    """Versions that an agent speaks, none higher than that of its offer."""
    limit = version_key(offer.version)
    return [version for version in (offer.version, *versions) if version_key(version) <= limit]


def _level(mine: Offer, theirs: Offer, suite: str | None) -> str | None:
    common = [level for level in LEVELS if level in mine.security and level in theirs.security]
    return next((level for level in common if level != "E" or suite is not None), None)


def _suite(mine: Offer, theirs: Offer) -> str | None:
    """The first suite for which both sides have what it takes."""
    for suite in SUITES:
        if suite not in mine.crypto or suite not in theirs.crypto:
            continue
        if suite != X25519:
            if _same_key(mine.psk_hint, theirs.psk_hint):
                return suite
        elif mine.pubkey is not None and theirs.pubkey is not None:
            if "E" in mine.security and "E" in theirs.security:
                _check_reflection(mine.pubkey, theirs.pubkey)
            return suite
    return None


def _same_key(mine: str | None, theirs: str | None) -> bool:
    """Whether two hints may be of one pre-shared key: one begins like the other."""
    if mine is None or theirs is None:
        return False
    short, long = sorted((mine.lower(), theirs.lower()), key=len)
    return long.startswith(short)


def _check_reflection(mine: str | None, theirs: str | None) -> None:
    if mine is not None and theirs is not None and key_bytes(mine) == key_bytes(theirs):
        raise SecurityError("the public key that came is this agent's own: somebody sends its messages back")


def _why_not(mine: Offer, theirs: Offer) -> str:
    """Why there is no level E."""
    for offer, side in ((mine, "here"), (theirs, "there")):
        if "E" not in offer.security:
            return f"encryption not supported {side}"
    return f"no suite with its key on both sides: {_list(mine.crypto)} here, {_list(theirs.crypto)} there"


def _levels(mine: Offer, theirs: Offer) -> str:
    """Why there is no level at all, or none that will do."""
    if "E" in mine.security and "E" in theirs.security:
        return _why_not(mine, theirs)
    return f"{_list(mine.security)} here, {_list(theirs.security)} there"


def _list(codes: tuple[str, ...]) -> str:
    return " ".join(codes) or "none"


def _unasked(answer: Accept, reason: str) -> DecodeError:
    return DecodeError(reason, encode(answer.message(None)), code="decode_failed")
