"""Service users: their tokens are exchanged when they are needed, and used until shortly before their end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from . import _operations as op
from ._core import Call, Core, Credential, Flow, OneAtATime
from .errors import UnexpectedAnswerError

# A token is replaced so long before its end, because a request takes some time.
_SAFETY_SECONDS = 30
_ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


@dataclass(frozen=True)
class ServiceUser:
    """A program of the team: give either its secret, or a function that signs a new assertion (`private_key_jwt`)."""

    client_id: str
    client_secret: str | None = field(default=None, repr=False)
    client_assertion: Callable[[], str] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if (self.client_secret is None) == (self.client_assertion is None):
            raise ValueError("give either client_secret or client_assertion")
        if self.client_id == "" or self.client_secret == "":
            raise ValueError("the credential is empty: is the variable set that it is read from?")


class ServiceUserCredential(Credential):
    """Each exchange is an entry of the audit log, so calls at the same time share one."""

    def __init__(self, user: ServiceUser) -> None:
        super().__init__(None)
        self._user = user
        self._ends_at = 0.0

    def token(self, core: Core) -> Flow[str | None]:
        token = self._usable(core)
        if token is None:
            token = yield OneAtATime(self._exchange(core))
        return token

    def refused(self, token: str) -> bool:
        """The token has ended before its time: its secret was retired, or the service has another key."""
        if self._token == token:
            self._token = None
        return True

    def _usable(self, core: Core) -> str | None:
        token = self._token  # once: another thread may forget it between two looks
        return token if core.clock() < self._ends_at else None

    def _exchange(self, core: Core) -> Flow[str | None]:
        if (usable := self._usable(core)) is not None:
            return usable  # another call has exchanged it before this one
        asked_at = core.clock()
        answer = yield from core.call(Call(op.GET_SERVICE_TOKEN, body=self._shown()))
        token, expires_in = answer.data.get("token"), answer.data.get("expires_in")
        if not isinstance(token, str) or not isinstance(expires_in, int):
            raise UnexpectedAnswerError("The answer has no token.", status=answer.status)
        self._ends_at = asked_at + max(expires_in - _SAFETY_SECONDS, expires_in / 2)
        self._token = token
        return token

    def _shown(self) -> dict[str, str]:
        grant = {"grant_type": "client_credentials"}
        if self._user.client_secret is not None:
            return grant | {
                "client_id": self._user.client_id,
                "client_secret": self._user.client_secret,
            }
        assert self._user.client_assertion is not None
        return grant | {
            "client_assertion_type": _ASSERTION_TYPE,
            "client_assertion": self._user.client_assertion(),
        }


def credential_of(api_key: str | None, token: str | None, service_user: ServiceUser | None) -> Credential:
    """Raises ValueError for more than one of them."""
    given = [one for one in (api_key, token, service_user) if one is not None]
    if len(given) > 1:
        raise ValueError("give one of api_key, token and service_user")
    if service_user is not None:
        return ServiceUserCredential(service_user)
    return Credential(api_key if api_key is not None else token)
