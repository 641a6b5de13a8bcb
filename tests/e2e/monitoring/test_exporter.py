"""The server that shows metrics, against clients that are slow, many, broken or strangers."""

import base64
import concurrent.futures
import contextlib
import resource
import shutil
import socket
import ssl
import subprocess

import pytest
from exporter_demo import Demo, until

# Of "hello".
USERS = "basic_auth_users:\n  alice: $2y$10$abcdefghijklmnopqrstuubpco9BuLQZBZtn/gwh0hqaJSVqpe2FC\n"
NEEDS_OPENSSL = pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl")


def credential(text):
    return {"Authorization": "Basic " + base64.b64encode(text.encode()).decode()}


def web_config(folder, text):
    path = folder / "web.yml"
    path.write_text(text)
    path.chmod(0o600)
    return path


def certificate(folder, name):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
         f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "tls.key", "-out", folder / "tls.crt"],
        check=True, capture_output=True)
    (folder / "tls.key").chmod(0o600)


def old_client(trusted):
    """Of TLS 1.1, and willing to speak it."""
    context = ssl.create_default_context(cafile=trusted)
    context.set_ciphers("ALL@SECLEVEL=0")
    with pytest.warns(DeprecationWarning):
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    return context


@pytest.fixture
def many_files():
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    if before[1] != resource.RLIM_INFINITY and before[1] < 2048:
        pytest.skip("no 2048 files may be open here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (2048, before[1]))
    yield before
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.parametrize("sent", [b"", b"GET /metrics HT", b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"])
def test_a_thousand_connections_keep_no_scraper_out(program, many_files, sent):
    limits = resource.RLIMIT_NOFILE, (1024, many_files[1])
    with Demo(program, preexec_fn=lambda: resource.setrlimit(*limits)) as demo, contextlib.ExitStack() as held:
        demo.metrics()
        files, threads = demo.files(), demo.status("Threads")
        for _ in range(1000):
            client = held.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", demo.port))
            with contextlib.suppress(BlockingIOError, ConnectionError):
                client.send(sent)
        for _ in range(5):
            assert demo.get()[0] == 200
        assert demo.files() <= files + 257
        assert demo.status("Threads") == threads <= 6
        held.close()
        until(lambda: demo.files() <= files + 1, "closed connections are given back")
        assert demo.get()[0] == 200


def test_broken_requests_end_nothing(program):
    with Demo(program) as demo:
        demo.metrics()
        files = demo.files()
        for broken in [b"\0" * 1000, b"GET\r\n\r\n", b"\r\n" * 5000, b"GET / HTTP/9.9\r\n\r\n", b"GET http://[ HTTP/1.1\r\n\r\n",
                       b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz",
                       b"GET / HTTP/1.1\r\nContent-Length: 18446744073709551616\r\n\r\n", b"GET /" + b"a" * 100_000,
                       b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 100_000, b"\x16\x03\x01" + b"\xff" * 500,
                       b"GET / HTTP/1.1\r\nA\xff\xfe: b\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n", b"%s%n%x\r\n\r\n"]:
            with socket.create_connection(("127.0.0.1", demo.port), 60) as client, contextlib.suppress(ConnectionError):
                client.sendall(broken)
                client.shutdown(socket.SHUT_WR)
                while client.recv(65536):
                    pass
        until(lambda: demo.files() <= files + 1, "closed connections are given back")
        assert demo.get()[0] == 200


def test_wrong_passwords_keep_no_scraper_out(program, tmp_path):
    with Demo(program, web_config(tmp_path, USERS)) as demo:
        until(lambda: demo.get(headers=credential("alice:hello"))[0] == 200, "the right password")
        with concurrent.futures.ThreadPoolExecutor(24) as strangers:
            tries = [strangers.submit(demo.get, headers=credential(f"alice:{n}")) for n in range(100)]
            for _ in range(50):
                assert demo.get(headers=credential("alice:hello"))[0] == 200
            assert {done.result()[0] for done in tries} <= {401, 503}
            # Some were really checked, and turned away for being wrong.
            assert any(done.result()[0] == 401 for done in tries)


def test_a_hash_is_asked_for_in_time(program, tmp_path):
    with Demo(program, web_config(tmp_path, USERS)) as demo:
        hurried = {**credential("alice:wrong"), "X-Prometheus-Scrape-Timeout-Seconds": "0.000001"}
        status, text = demo.get(headers=hurried)
        assert (status, text) == (503, "too many logins at the same time\n")


@NEEDS_OPENSSL
def test_tls_and_a_certificate_that_is_replaced(program, tmp_path):
    certificate(tmp_path, "first")
    config = web_config(tmp_path, "tls_server_config:\n  cert_file: tls.crt\n  key_file: tls.key\n" + USERS)
    with Demo(program, config) as demo:
        assert demo.address.startswith("https://127.0.0.1:")

        def scrape():
            trusted = ssl.create_default_context(cafile=tmp_path / "tls.crt")
            return demo.get(context=trusted, headers=credential("alice:hello"))

        until(lambda: scrape()[0] == 200, "metrics")
        assert demo.get(context=ssl.create_default_context(cafile=tmp_path / "tls.crt"))[0] == 401
        with pytest.raises((ConnectionError, Exception), match="(?i)disconnected|reset|status|remote"):
            demo.get()  # without TLS
        with pytest.raises(ssl.SSLError, match="PROTOCOL_VERSION"):
            demo.get(context=old_client(tmp_path / "tls.crt"))
        certificate(tmp_path, "second")
        assert scrape()[0] == 200
        (tmp_path / "tls.key").write_text("no key")
        assert scrape()[0] == 200


@NEEDS_OPENSSL
def test_tls_clients_that_stop_half_way(program, tmp_path):
    certificate(tmp_path, "demo")
    with Demo(program, web_config(tmp_path, "tls_server_config:\n  cert_file: tls.crt\n  key_file: tls.key\n")) as demo:
        trusted = ssl.create_default_context(cafile=tmp_path / "tls.crt")
        until(lambda: demo.get(context=trusted)[0] == 200, "metrics")
        files = demo.files()
        for sent in [b"", b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/1.1\r\n\r\n", b"\x80" * 5000] * 10:
            with socket.create_connection(("127.0.0.1", demo.port), 60) as client:
                client.sendall(sent)
        until(lambda: demo.files() <= files + 1, "closed connections are given back")
        assert demo.get(context=trusted)[0] == 200
