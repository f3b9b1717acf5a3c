"""The two clients: the generated calls, under the names that users import."""

from .async_calls import AsyncCalls
from .calls import Calls


class Ledger(Calls):
    """A client that blocks; threads may share it.

    `Ledger(base_url, api_key)` has a method for each route. Those that move money take an
    `external_id` of yours, the same for each attempt, and return an outcome.
    """


class AsyncLedger(AsyncCalls):
    """A client for asyncio, with the methods of `Ledger`, to be awaited."""
