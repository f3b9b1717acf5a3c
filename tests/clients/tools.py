"""The tools of MCP by its own SDK: a test key by onboarding, and a charge paid with it.

Runs with the address of a service, in both forms of the protocol: with a handshake and without.
"""

import asyncio
import sys
from typing import Any, Literal

from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

Mode = Literal["legacy", "auto"]

# Each its own payer: what one person pays for the first time is bounded by a ladder.
PAYERS: dict[Mode, str] = {"legacy": "11144477735", "auto": "39053344705"}


async def called(client: Client, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """What a tool answers, where the contract does not refuse."""
    result = await client.call_tool(name, arguments)
    content: dict[str, Any] | None = result.structured_content
    assert not result.is_error and content is not None, (name, result)
    return content


async def quickstart(base_url: str, mode: Mode) -> str:
    async with Client(f"{base_url}/mcp/onboarding", mode=mode) as client:
        listed = await client.list_tools()
        assert "create_charge" not in [tool.name for tool in listed.tools]
        made = await called(client, "create_sandbox_key", {"email": "ana@exemplo.com.br"})
    headers = {"X-API-Key": made["api_key"]}
    transport = streamable_http_client(
        f"{base_url}/mcp", http_client=create_mcp_http_client(headers=headers)
    )
    async with Client(transport, mode=mode) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert "create_charge" in names and "create_key" not in names, names
        asked = {
            "amount_cents": 5_000,
            "payer_tax_number": PAYERS[mode],
            "destino": "saldo",
            "external_id": "quickstart-1",
        }
        charge = await called(client, "create_charge", asked)
        await called(client, "pay_sandbox_charge", {"cashin_id": charge["cashin_id"]})
        shown = await called(client, "get_charge", {"cashin_id": charge["cashin_id"]})
        assert shown["status"] == "paid", shown
        refused = await client.call_tool("get_charge", {"cashin_id": "ci_0"})
        assert refused.is_error
        return f"{len(names)} tools, spoken in {client.protocol_version}"


def main(base_url: str) -> None:
    modes: list[Mode] = ["legacy", "auto"]
    for mode in modes:
        print(f"MCP: {asyncio.run(quickstart(base_url, mode))}")


if __name__ == "__main__":
    main(sys.argv[1])
