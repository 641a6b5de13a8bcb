"""A real Prometheus that scrapes a scripted machine, with the alerts and the dashboard of deploy/."""

import json
import shutil
import socket
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import pytest
from exporter_demo import Demo, until
from test_deploy import ALERTS, expressions

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not shutil.which("prometheus"), reason="no prometheus")]

LOST_S = 5
# What moves from scrape to scrape.
MOVING = ("_timestamp_seconds", "_energy_joules_total", "_throttle_seconds_total", "training_step{", "training_steps_total",
          "training_samples_total")


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


class Prometheus:
    def __init__(self, folder, target):
        self.address = f"127.0.0.1:{free_port()}"
        # A lost GPU is waited for at every run of the tests: not as long as on a machine that people look after.
        alerts = ALERTS.read_text()
        assert "for: 30s" in alerts
        (folder / ALERTS.name).write_text(alerts.replace("for: 30s", f"for: {LOST_S}s"))
        text = (ALERTS.parent / "prometheus.yml").read_text()
        for old, new in {"127.0.0.1:9430": target, "scrape_interval: 5s": "scrape_interval: 1s",
                         "evaluation_interval: 15s": "evaluation_interval: 1s", "- alerts.yml": f"- {folder / ALERTS.name}"}.items():
            assert old in text
            text = text.replace(old, new)
        (folder / "prometheus.yml").write_text(text)
        self.log = open(folder / "prometheus.log", "w", encoding="utf-8")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}",
             f"--web.listen-address={self.address}"], stdout=self.log, stderr=self.log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(120)
        self.log.close()

    def ask(self, path, **parameters):
        url = f"http://{self.address}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(url, timeout=60) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            if error.code == 503:
                return None  # not up yet
            raise AssertionError(f"{parameters}: {error.read().decode()}") from None
        except urllib.error.URLError:
            return None  # not up yet

    def query(self, expression):
        data = self.ask("query", query=expression)
        return data["result"] if data else []

    def value(self, expression):
        result = self.query(expression)
        return float(result[0]["value"][1]) if result else None

    def firing(self):
        return {alert["labels"]["alertname"] for alert in self.ask("alerts")["alerts"] if alert["state"] == "firing"}


def rest_of(text):
    """Series and values of a scrape, but what moves."""
    lines = [line for line in text.splitlines() if not line.startswith("#") and not any(name in line for name in MOVING)]
    return {series: float(value) for series, _, value in (line.rpartition(" ") for line in lines)}


def test_twenty_scrapes(program, tmp_path):
    with Demo(program, interval_ms=500) as demo, Prometheus(tmp_path, f"127.0.0.1:{demo.port}") as prometheus:
        until(lambda: (prometheus.value("count_over_time(batchscope_gpu_up{gpu='0'}[10m])") or 0) >= 12, "the first scrapes")
        assert prometheus.firing() == set()
        text = demo.metrics()
        for series, value in rest_of(text).items():
            assert prometheus.value(series) == value, series
        # A counter's rate is what the script says: 501 W of GPU 1, up to whole seconds at both ends.
        assert prometheus.value("rate(batchscope_gpu_energy_joules_total{gpu='1'}[10s])") == pytest.approx(501, rel=0.25)

        demo.tell("lose 3")
        demo.tell("xid 1 79")
        demo.tell("finding training.test low")
        until(lambda: "GpuLost" in prometheus.firing(), "the alert for a lost GPU")
        assert prometheus.firing() == {"GpuLost", "GpuXidError"}
        assert prometheus.value("batchscope_gpu_up{gpu='3'}") == 0
        assert prometheus.query("batchscope_gpu_busy_ratio{gpu='3'}") == []
        assert prometheus.value("time() - batchscope_gpu_last_success_timestamp_seconds{gpu='3'}") >= LOST_S - 2
        lost = [alert for alert in prometheus.ask("alerts")["alerts"] if alert["labels"]["alertname"] == "GpuLost"]
        assert [alert["labels"]["gpu"] for alert in lost] == ["3"]

        until(lambda: prometheus.value("count_over_time(batchscope_gpu_up{gpu='0'}[10m])") >= 20, "twenty scrapes")
        assert [title for title, expression in expressions() if not prometheus.query(expression)] == []
        for group in prometheus.ask("rules")["groups"]:
            assert [rule["name"] for rule in group["rules"] if rule["health"] != "ok"] == []
        assert prometheus.value("min_over_time(up{job='batchscope'}[10m])") == 1
