"""What ``docs/deployment/nginx.conf`` passes on, in nginx itself, before two servers that tell what reached them."""

import http.client
import json
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
CONF = Path(__file__).parents[1] / "docs" / "deployment" / "nginx.conf"
AROUND = """
pid nginx.pid;
error_log error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    {site}
}}
"""
STARTUP_SECONDS = 30
PUPILS = 100
"""Connections of a class behind one address, held at a time."""

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")


class Replica(BaseHTTPRequestHandler):
    """Tells its own port, and the path and the headers that reached it."""

    everyone_is_there = threading.Barrier(PUPILS)

    def do_GET(self) -> None:
        if self.path == "/wait":
            self.everyone_is_there.wait(STARTUP_SECONDS)
        told = {"port": self.server.server_port, "path": self.path, "headers": dict(self.headers)}
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


@contextmanager
def replica() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Replica) as server:
        serving = threading.Thread(target=server.serve_forever, args=(0.01,))
        serving.start()
        yield server.server_port
        server.shutdown()
        serving.join()


@contextmanager
def proxy(folder: Path, replicas: list[int]) -> Iterator[int]:
    """Run nginx before ``replicas``; yield its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    places = iter(replicas)
    site = re.sub(r"127\.0\.0\.1:850\d", lambda _: f"127.0.0.1:{next(places)}", CONF.read_text())
    site, n_listening = re.subn(r"listen \d+;", f"listen 127.0.0.1:{port};", site)
    assert n_listening == 1
    (folder / "nginx.conf").write_text(AROUND.format(site=site))
    command = [NGINX, "-p", folder, "-e", "error.log", "-c", "nginx.conf", "-g", "daemon off; master_process off;"]
    with subprocess.Popen(command) as process:
        try:
            wait_until_it_listens(process, port, folder / "error.log")
            yield port
        finally:
            process.terminate()


def wait_until_it_listens(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + STARTUP_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.01)
    raise RuntimeError(f"nginx does not listen:\n{log.read_text()}")


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Port of an nginx before two replicas."""
    with ExitStack() as running:
        replicas = [running.enter_context(replica()) for _ in range(2)]
        yield running.enter_context(proxy(tmp_path_factory.mktemp("nginx"), replicas))


def ask(
    port: int, path: str, visitor: str = "127.0.0.1", **headers: str
) -> tuple[http.client.HTTPResponse, dict[str, object]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=(visitor, 0))
    try:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        body = response.read()
    finally:
        connection.close()
    return response, json.loads(body) if response.status == 200 else {}


def test_the_app_gets_the_path_below_its_own(port: int) -> None:
    assert ask(port, "/attention/translate?kind=cross")[1]["path"] == "/translate?kind=cross"
    moved, _ = ask(port, "/attention?text=a")
    assert moved.status == 301
    assert moved.headers["Location"] == "/attention/?text=a"


@pytest.mark.parametrize("n_characters", [1000, 5000])
def test_a_link_reaches_the_app_also_with_more_than_it_reads(port: int, n_characters: int) -> None:
    link = f"/translate?text={'%E8%AA%9E' * n_characters}"
    assert ask(port, f"/attention{link}")[1]["path"] == link


def test_a_websocket_is_passed_on(port: int) -> None:
    headers = ask(port, "/attention/_stcore/stream", Connection="Upgrade", Upgrade="websocket")[1]["headers"]
    assert (headers["Connection"], headers["Upgrade"]) == ("upgrade", "websocket")


def test_counts_are_the_operator_s_alone(port: int) -> None:
    assert ask(port, "/attention/_stcore/metrics")[0].status == 404


def test_a_visitor_stays_with_his_replica(port: int) -> None:
    visitors = [f"127.0.0.{number}" for number in range(1, 33)]
    replicas = {visitor: ask(port, "/attention/", visitor)[1]["port"] for visitor in visitors}
    assert len(set(replicas.values())) == 2
    for path in ("/attention/_stcore/stream", "/attention/media/file.csv"):
        assert {visitor: ask(port, path, visitor)[1]["port"] for visitor in visitors} == replicas


def test_a_class_behind_one_address_gets_in(port: int) -> None:
    with ThreadPoolExecutor(PUPILS) as pupils:
        answers = pupils.map(lambda _: ask(port, "/attention/wait")[0].status, range(PUPILS))
        assert {*answers} == {200}


def test_the_other_replica_answers_for_one_that_is_gone(tmp_path: Path) -> None:
    with socket.socket() as gone, replica() as there:
        gone.bind(("127.0.0.1", 0))
        with proxy(tmp_path, [gone.getsockname()[1], there]) as port:
            for number in range(1, 9):
                assert ask(port, "/attention/", f"127.0.0.{number}")[1]["port"] == there
