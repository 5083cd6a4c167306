"""One call against a server that does what real servers did, and worse."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import sys
from email.utils import formatdate

import httpx2
import pytest

from assay.errors import ServerError, UsageError
from assay.produce import responses
from assay.produce.calls import Call, Reply
from assay.produce.client import Client
from assay.produce.endpoints import Endpoint
from assay.produce.limits import Limits
from tests.produce.model_server import (
    Flood,
    ModelServer,
    drips,
    good_answer,
    resets,
    says,
    stops_halfway,
    waits,
)

KEY = 'sk-/not\\for"anyone'
CALL = Call(
    "items/p1/Sleep/greedy",
    "chat/completions",
    {"model": "m", "messages": [{"role": "user", "content": "Hello"}], "seed": 7},
)


def asked(
    server: ModelServer | str,
    *acts,
    key: str | None = KEY,
    limits: Limits | None = None,
    transport: httpx2.AsyncBaseTransport | None = None,
) -> Reply:
    """Ask once; the server goes through its acts, then behaves well."""
    base_url = server
    if isinstance(server, ModelServer):
        server.act = lambda _, number: acts[number] if number < len(acts) else None
        base_url = server.base_url

    async def ask() -> Reply:
        endpoints = {"chat": Endpoint(base_url, key)}
        async with Client(endpoints, limits or Limits(), transport=transport) as client:
            return await client.ask(CALL)

    return asyncio.run(ask())


def test_a_good_answer_is_kept_whole_with_what_it_cost(server):
    reply = asked(server)
    expected = good_answer(server.seen[0])
    assert json.loads(reply.body) == expected
    assert b"\n" not in reply.body
    assert (reply.status, reply.error, reply.attempts, reply.seed) == (200, None, 1, 7)
    assert reply.usage == {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    assert reply.request_hash == CALL.request_hash
    assert reply.latency > 0


def test_the_body_is_sent_in_its_own_order_with_the_key(server):
    asked(server)
    [seen] = server.seen
    assert seen.path == "/v1/chat/completions"
    assert seen.raw == CALL.payload
    assert list(seen.body) == ["model", "messages", "seed"]
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.headers["content-type"] == "application/json"


def test_without_a_key_none_is_sent(server):
    asked(server, key=None)
    assert "authorization" not in server.seen[0].headers


def test_a_netrc_file_does_not_replace_the_key(server, tmp_path, monkeypatch):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login somebody password other\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    asked(server, key=None)
    assert "authorization" not in server.seen[0].headers


@pytest.mark.parametrize("text", ["120", formatdate(1_767_225_720, usegmt=True)])
def test_retry_after_is_waited_for(clock, monkeypatch, text):
    monkeypatch.setattr(responses, "time", lambda: 1_767_225_600.0)
    times = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        times.append(clock.now())
        busy = httpx2.Response(429, headers={"retry-after": text}, json={"error": "slow down"})
        return busy if len(times) == 1 else httpx2.Response(200, json={"choices": [1]})

    reply = asked("http://m/v1", transport=httpx2.MockTransport(answer))
    assert (reply.error, reply.attempts) == (None, 2)
    assert 120 <= times[1] - times[0] <= 121


@pytest.mark.parametrize("text", ["soon", "-3", "Tue, 99 Foo 2026", ""])
@pytest.mark.usefixtures("no_waiting")
def test_a_retry_after_that_says_nothing_is_the_usual_wait(server, text):
    reply = asked(server, says({}, status=429, retry_after=text))
    assert (reply.error, reply.attempts) == (None, 2)


def test_a_server_that_asks_to_wait_for_hours_ends_the_run(server):
    with pytest.raises(ServerError, match=r"asks to wait 7200 seconds"):
        asked(server, says({}, status=429, retry_after="7200"))
    assert len(server.seen) == 1


@pytest.mark.parametrize("status", [408, 425, 502, 503, 504, 509, 522, 530])
@pytest.mark.usefixtures("no_waiting")
def test_a_busy_server_is_asked_again_up_to_the_limit(server, status):
    busy = says({"error": {"message": "Loading model"}}, status=status)
    reply = asked(server, *[busy] * 3)
    assert (reply.error, reply.attempts) == (None, 4)
    server.seen.clear()
    reply = asked(server, *[busy] * 9, limits=Limits(attempts=4))
    assert (reply.status, reply.attempts) == (status, 4)
    assert reply.error == f"status {status}: Loading model"


@pytest.mark.usefixtures("no_waiting")
def test_status_500_is_tried_once_more(server):
    failing = says({"error": {"message": "input too large"}}, status=500)
    reply = asked(server, *[failing] * 9)
    assert (reply.status, reply.attempts, len(server.seen)) == (500, 2, 2)
    assert reply.error == "status 500: input too large"
    assert json.loads(reply.body) == {"error": {"message": "input too large"}}
    server.seen.clear()
    assert asked(server, failing).error is None


@pytest.mark.usefixtures("no_waiting")
def test_a_busy_spell_does_not_use_up_the_second_attempt_of_a_500(server):
    busy, failing = says({}, status=503), says({}, status=500)
    assert asked(server, busy, failing, busy).attempts == 4
    server.seen.clear()
    reply = asked(server, busy, failing, busy, failing)
    assert (reply.status, reply.attempts) == (500, 4)


@pytest.mark.parametrize("status", [400, 403, 404, 405, 413, 422, 501, 505])
def test_a_permanent_error_is_not_tried_again(server, status):
    reply = asked(server, says({"detail": [{"msg": "no"}]}, status=status))
    assert (reply.status, reply.attempts) == (status, 1)
    assert reply.error == f'status {status}: [{{"msg":"no"}}]'


def test_an_error_page_is_quoted_in_part_on_one_line(server):
    page = b"<html>\n<title>Bad</title>\n" + b"x" * 5000
    reply = asked(server, says(page, status=400, kind="text/html"))
    assert reply.body is None
    assert reply.error.startswith("status 400: <html> <title>Bad</title> xxx")
    assert len(reply.error) < 400


def test_an_error_without_a_body_is_its_status(server):
    assert asked(server, says(b"", status=400)).error == "status 400"


@pytest.mark.parametrize("status", [401, 402, 407])
def test_a_server_that_refuses_everybody_ends_the_run(server, status):
    with pytest.raises(ServerError, match=f"cannot be used, status {status}: who are you"):
        asked(server, says({"error": "who are you"}, status=status))


@pytest.mark.parametrize("act", [resets(), stops_halfway()])
@pytest.mark.usefixtures("no_waiting")
def test_a_broken_connection_is_tried_again_up_to_the_limit(server, act):
    reply = asked(server, act, act)
    assert (reply.error, reply.attempts) == (None, 3)
    server.seen.clear()
    busy = says({}, status=503)
    reply = asked(server, busy, *[act] * 9, limits=Limits(attempts=5))
    assert (reply.status, reply.attempts) == (None, 5)
    assert reply.error.startswith(f"no answer from {server.base_url}: ")


@pytest.mark.usefixtures("no_waiting")
def test_a_server_that_was_never_heard_of_ends_the_run_after_three_attempts(server):
    with pytest.raises(ServerError, match=f"no answer from {server.base_url}: "):
        asked(server, *[resets()] * 4)
    assert len(server.seen) == 3


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (httpx2.ConnectTimeout(""), "no connection in time"),
        (httpx2.ReadError(""), "the connection broke"),
        (httpx2.ReadError("Gone away"), "gone away"),
    ],
)
@pytest.mark.usefixtures("no_waiting")
def test_an_error_of_the_network_is_in_words(error, words):
    def refuse(_: httpx2.Request) -> httpx2.Response:
        raise error

    async def ask() -> Reply:
        endpoints = {"chat": Endpoint("http://m/v1")}
        network = httpx2.MockTransport(refuse)
        async with Client(endpoints, Limits(), transport=network) as client:
            return await client.ask(CALL)

    with pytest.raises(ServerError, match=f"(?m)^no answer from http://m/v1: {words}$"):
        asyncio.run(ask())


def test_a_server_that_is_not_there_ends_the_run():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(ServerError, match=f"no answer from http://127.0.0.1:{port}/v1: ") as raised:
        asked(f"http://127.0.0.1:{port}/v1", limits=Limits(attempts=1))
    assert raised.value.hint.startswith("check the address, and that the server runs")


@pytest.mark.parametrize("act", [waits(30), drips(0.05)])
@pytest.mark.usefixtures("no_waiting")
def test_an_answer_that_takes_too_long_is_asked_for_once_more(server, act):
    reply = asked(server, act, act, act, limits=Limits(call_seconds=0.2))
    assert (reply.status, reply.error, reply.attempts) == (None, "no answer within 0.2 s", 2)


NONSENSE = [
    (says(b'{"choices": [{"mess'), "not a JSON object \\(Input data was truncated"),
    (says(b""), "not a JSON object"),
    (says(b"[1, 2]"), "not a JSON object \\(Expected `object`, got `array`"),
    (says(b'{"a": "\xff"}'), "not a JSON object \\('utf-8' codec"),
    (says(b'{"a": nan}'), "not a JSON object"),
    (says(b'{"a": 1} {"a": NaN}'), "not a JSON object"),
    (says(b'{"a": NaN, "b": 1e999}'), "not a JSON object"),
    (says(b"[NaN]"), "not a JSON object"),
    (says(b'{"a": NaN, "b": "\xff"}'), "not a JSON object"),
    (says(b'{"a":' + b"[" * 100_000), "not a JSON object"),
    (says(b"<html>", kind="text/html; charset=utf-8"), "the answer is 'text/html' and not JSON"),
    (says({"choices": [1]}, kind="text/event-stream"), "is 'text/event-stream' and not JSON"),
    (says({"error": {"message": "upstream", "code": 502}}), "error with status 200: upstream"),
    (says({"error": {"message": "upstream"}, "choices": []}), "error with status 200: upstream"),
    (says({"choices": []}), "the reply holds no choices"),
    (says({"choices": None}), "the reply holds no choices"),
    (says({"choices": [None]}), "the reply holds no choices"),
    (says({"choices": [{"finish_reason": "stop"}]}), "the reply holds no message"),
    (says({"choices": [{"message": None}]}), "the reply holds no message"),
    (says({"choices": [{"message": {}, "error": "broke off"}]}), "status 200: broke off"),
    (says({}), "the reply holds no choices"),
    (says({"data": []}), "the reply holds no embeddings"),
    (says(b"junk", content_encoding="gzip"), "not the gzip it claims"),
]


@pytest.mark.parametrize(("act", "words"), NONSENSE)
@pytest.mark.usefixtures("no_waiting")
def test_nonsense_with_status_200_is_asked_for_once_more_and_then_recorded(server, act, words):
    assert asked(server, act).error is None
    server.seen.clear()
    reply = asked(server, act, act, act)
    assert (reply.status, reply.attempts) == (200, 2)
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(reply.error)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (b'{\n  "choices": [\n    1\n  ],\r\n\t"a": "\\n"\n}\n', b'{"choices":[1],"a":"\\n"}'),
        (
            b'{"choices":[{"logprob":NaN},-Infinity,Infinity]}',
            b'{"choices":[{"logprob":null},null,null]}',
        ),
        (b'{"choices":["\\ud83d","\\ud83d\\ude00"]}', '{"choices":["?","\U0001f600"]}'.encode()),
        (b'\xef\xbb\xbf{"choices":[1]}', b'{"choices":[1]}'),
        (b'{"choices":[1],"choices":[2]}', b'{"choices":[1],"choices":[2]}'),
    ],
    ids=["pretty", "not finite", "half a character", "byte order mark", "a key twice"],
)
def test_json_as_servers_write_it_is_kept_on_one_line(server, sent, kept):
    reply = asked(server, says(sent))
    assert (reply.body, reply.error, reply.attempts) == (kept, None, 1)


def test_json_of_any_name_is_json(server):
    kinds = ("application/json; charset=utf-8", "Application/JSON", "application/problem+json")
    for kind in kinds:
        server.seen.clear()
        assert asked(server, says({"choices": [1]}, kind=kind)).error is None


def test_a_body_of_100_megabytes_is_not_read(server):
    flood = Flood(100)
    reply = asked(server, flood, limits=Limits(call_seconds=60))
    assert (reply.status, reply.body, reply.attempts) == (200, None, 1)
    assert reply.error == "the answer is larger than 32 MB"
    assert 32 <= flood.sent < 50


def test_a_body_that_unpacks_to_too_much_is_not_unpacked(server):
    reply = asked(server, says(b" " * (responses.LARGEST + 1), zipped=True))
    assert reply.error == "the answer is larger than 32 MB"


def test_a_packed_answer_is_unpacked(server):
    assert asked(server, says({"choices": [1]}, zipped=True)).body == b'{"choices":[1]}'


def test_a_coding_that_was_not_asked_for_is_refused(server):
    reply = asked(server, says(b"x", content_encoding="br"))
    assert reply.error == "the answer is coded as 'br', which was not asked for"


@pytest.mark.parametrize(
    "usage",
    [None, "many", *({"prompt_tokens": n} for n in ("3", 2.5, -4, 10**30, True))],
)
def test_usage_that_is_not_numbers_is_left_out(server, usage):
    assert not asked(server, says({"choices": [1], "usage": usage})).usage


@pytest.mark.parametrize("status", [307, 308])
def test_a_redirect_at_the_same_server_is_followed_with_the_key(server, status):
    reply = asked(server, says({}, status=status, location="/v2/chat/completions"))
    assert (reply.error, reply.attempts) == (None, 1)
    assert [seen.path for seen in server.seen] == ["/v1/chat/completions", "/v2/chat/completions"]
    assert server.seen[1].headers["authorization"] == f"Bearer {KEY}"
    assert server.seen[1].raw == CALL.payload


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_server_is_not_followed(server, other_server, status):
    away = f"{other_server.base_url}/chat/completions?token=hidden"
    with pytest.raises(ServerError, match=r"redirects to .*, where nothing was sent") as raised:
        asked(server, says({}, status=status, location=away))
    assert other_server.seen == []
    assert "hidden" not in str(raised.value)


def test_a_key_in_the_address_of_a_redirect_is_taken_out(server, other_server):
    away = f"{other_server.base_url}/secret-key"
    with pytest.raises(ServerError, match=r"/v1/\[key\], where") as raised:
        asked(server, says({}, status=307, location=away), key="secret-key")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("location", ["//localhost/v1", "https://127.0.0.1/v1", "http://["])
def test_a_redirect_to_another_name_or_scheme_is_to_another_server(server, location):
    with pytest.raises(ServerError, match=r"redirects to .*, where nothing was sent"):
        asked(server, says({}, status=307, location=location))
    assert len(server.seen) == 1


def test_a_redirect_to_no_address_is_an_error_in_words(server):
    with pytest.raises(ServerError, match=f"no answer from {server.base_url}: "):
        asked(server, says({}, status=307, location="x:y"), limits=Limits(attempts=1))


def test_redirects_without_end_end(server):
    acts = [says({}, status=307, location="/v1/again")] * 9
    with pytest.raises(ServerError, match="redirects without end"):
        asked(server, *acts)
    assert len(server.seen) == 3


@pytest.mark.parametrize("status", [200, 400, 401, 500])
@pytest.mark.usefixtures("no_waiting")
def test_a_key_that_a_server_sends_back_is_taken_out(server, status):
    act = says({"error": f"invalid key {KEY}", "choices": [{"echo": KEY}]}, status=status)
    try:
        reply = asked(server, act, act)
    except ServerError as error:
        shown = str(error)
    else:
        shown = repr(reply) + reply.body.decode()
    assert "[key]" in shown
    assert "not" not in shown.replace("not_", "").replace("cannot", "")


def test_the_key_is_in_no_representation():
    endpoint = Endpoint("http://127.0.0.1/v1", KEY)
    client = Client({"chat": endpoint}, Limits())
    assert KEY not in repr(endpoint) + repr(client) + repr(vars(client))


def test_the_network_is_one_replaceable_class():
    def handle(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json={"choices": [str(request.url)]})

    async def ask() -> Reply:
        transport = httpx2.MockTransport(handle)
        async with Client({"chat": Endpoint("http://m/v1")}, Limits(), transport=transport) as each:
            return await each.ask(CALL)

    assert asyncio.run(ask()).body == b'{"choices":["http://m/v1/chat/completions"]}'


def test_an_address_that_is_none_is_refused():
    with pytest.raises(UsageError, match="the base URL is not an address"):
        Client({"chat": Endpoint("http://exa\x00mple/v1")}, Limits())


PROXIES = ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")


def test_what_stays_on_this_machine_goes_through_no_proxy(server, other_server, monkeypatch):
    for name in PROXIES:
        monkeypatch.setenv(name, other_server.base_url)
    assert asked(server).error is None
    assert (len(server.seen), other_server.seen) == (1, [])


def test_what_leaves_this_machine_goes_through_the_proxy_of_the_environment(server, monkeypatch):
    for name in PROXIES:
        monkeypatch.setenv(name, server.base_url)
    assert asked("http://models.example/v1").error is None
    assert server.seen[0].path == "http://models.example/v1/chat/completions"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("ALL_PROXY", "ftp://me:hidden@proxy", r"cannot be used(\nhint|$)"),
        ("HTTPS_PROXY", "http://me:hidden@[::", r"cannot be used(\nhint|$)"),
        ("ALL_PROXY", "socks5://me:hidden@proxy", "is a SOCKS proxy, which needs the package"),
        ("SSL_CERT_FILE", "/no/such/file", "the certificates .* used: no such file or directory"),
        ("SSL_CERT_FILE", __file__, "the certificates of the environment cannot be used: "),
    ],
)
def test_an_environment_that_cannot_work_is_one_sentence_and_no_matter_on_this_machine(
    server, monkeypatch, name, value, words
):
    monkeypatch.setenv(name, value)
    monkeypatch.setitem(sys.modules, "socksio", None)
    with pytest.raises(UsageError, match=words) as raised:
        Client({"chat": Endpoint("https://models.example/v1")}, Limits())
    assert "hidden" not in str(raised.value)
    assert name in raised.value.hint
    assert asked(server).error is None


def test_certificates_and_host_names_are_verified():
    client = Client({"chat": Endpoint("https://models.example/v1")}, Limits())
    context = client._http._transport._pool._ssl_context
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)


def test_without_the_extra_packages_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with pytest.raises(UsageError, match="needs httpx2 and stamina") as raised:
        Client({}, Limits())
    assert raised.value.hint == "pip install 'assay[run]'"
