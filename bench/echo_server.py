"""A server that answers every request at once with the same long answer; prints its port."""

from __future__ import annotations

import asyncio
import json
from typing import Any

N_TOKENS = 40
"""of an answer with five alternatives each, about 14 kB"""


def answer() -> bytes:
    """Return an answer as llama.cpp gives it: text, logprobs, usage."""
    top = [{"token": f"t{i}", "logprob": -1.5 * i, "bytes": [116, 48 + i]} for i in range(5)]
    token = {"token": "t0", "logprob": -0.1, "bytes": [116, 48], "top_logprobs": top}
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": "t0" * N_TOKENS},
        "logprobs": {"content": [token] * N_TOKENS},
        "finish_reason": "stop",
    }
    usage = {"prompt_tokens": 900, "completion_tokens": N_TOKENS, "total_tokens": 900 + N_TOKENS}
    body: dict[str, Any] = {"model": "echo", "choices": [choice], "usage": usage}
    data = json.dumps(body).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(data)}\r\n"
    return f"{head}\r\n".encode() + data


async def serve() -> None:
    """Answer until the process is ended."""
    data = answer()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
                await reader.readexactly(length)
                writer.write(data)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0, limit=2**20, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve())
