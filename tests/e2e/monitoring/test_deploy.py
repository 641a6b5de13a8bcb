"""What deploy/ holds, against the programs that it is for and the names that are really exported."""

import json
import pathlib
import re
import shutil
import subprocess

import pytest
from exporter_demo import NAME, Demo

DEPLOY = pathlib.Path(__file__).resolve().parents[3] / "deploy"
DASHBOARD = DEPLOY / "grafana/batchscope.json"
ALERTS = DEPLOY / "prometheus/alerts.yml"
USED = re.compile(r"\b(?:batchscope_[a-z_]+|DCGM_\w+)\b(?!-)")
# Counted only when they happen.
ON_EVENTS = {"batchscope_gpu_xid_errors_total", "batchscope_finding"}

needs_promtool = pytest.mark.skipif(not shutil.which("promtool"), reason="no promtool (package prometheus)")


def promtool(*words, check=0, **options):
    done = subprocess.run(["promtool", *map(str, words)], capture_output=True, text=True, check=False, **options)
    assert done.returncode == check, done.stdout + done.stderr
    return done.stdout + done.stderr


def panels():
    return [panel for panel in json.loads(DASHBOARD.read_text())["panels"] if panel["type"] != "row"]


def expressions():
    """Of the dashboard, with what Grafana fills in."""
    filled = {"$instance": ".*", "$gpu": ".*", "$__rate_interval": "20s", "$__range": "1m"}
    for panel in panels():
        for target in panel["targets"]:
            expression = target["expr"]
            for name, value in filled.items():
                expression = expression.replace(name, value)
            yield panel["title"], expression


@pytest.fixture(scope="module")
def texts(program):
    """What is exported, by either set of names."""
    with Demo(program) as ours, Demo(program, names="dcgm") as dcgm:
        for demo in ours, dcgm:
            demo.tell("xid 1 79")
            demo.tell("finding monitor.test low")
        return ours.metrics(), dcgm.metrics()


@needs_promtool
def test_promtool_finds_nothing_wrong_with_the_text(texts):
    assert promtool("check", "metrics", input=texts[0]) == ""


@needs_promtool
def test_of_dcgms_names_promtool_dislikes_only_how_they_are_written(texts):
    complaints = promtool("check", "metrics", input=texts[1], check=3).splitlines()
    known = ("written in 'snake_case'", 'counter metrics should have "_total" suffix', "should not include type 'counter'")
    assert [line for line in complaints if not line.startswith("DCGM_") or not any(word in line for word in known)] == []


def test_dcgms_names_are_with_its_labels(texts):
    lines = [line for line in texts[1].splitlines() if line.startswith("DCGM_")]
    assert len(lines) >= 8 * 30
    labels = (r'gpu="\d",UUID="GPU-[\d-]+",pci_bus_id="[\d:.]+",device="nvidia\d",modelName="[^"]+",'
              r'Hostname="node1"')
    for line in lines:
        assert re.fullmatch(rf'\w+\{{{labels}\}} \S+', line)


@needs_promtool
def test_alerts_are_understood_and_fire_when_they_should():
    promtool("check", "rules", ALERTS)
    promtool("test", "rules", ALERTS.parent / "alerts_test.yml")
    promtool("check", "config", ALERTS.parent / "prometheus.yml")


def test_every_alert_is_tested():
    tests = (ALERTS.parent / "alerts_test.yml").read_text()
    alerts = re.findall(r"- alert: (\w+)", ALERTS.read_text())
    assert len(alerts) == len(set(alerts)) >= 10
    assert [name for name in alerts if name not in tests] == []


def test_alerts_use_only_what_is_exported(texts):
    exported = {name for name, _ in NAME.findall(texts[0])}
    assert set(USED.findall(ALERTS.read_text())) - exported == set()


def test_the_dashboard_uses_only_what_is_exported(texts):
    exported = {name for name, _ in NAME.findall(texts[0])}
    assert set(USED.findall(DASHBOARD.read_text())) - exported == set()


def test_the_dashboard_shows_all_that_matters(texts):
    used = set(USED.findall(DASHBOARD.read_text()))
    assert ON_EVENTS <= used
    assert {"batchscope_gpu_busy_ratio", "batchscope_gpu_up", "batchscope_training_loss", "batchscope_host_cpu_busy_ratio",
            "batchscope_process_cpu_cores"} <= used


@needs_promtool
def test_expressions_of_the_dashboard_are_understood(tmp_path):
    rules = [{"record": f"test:panel{number}", "expr": expression} for number, (_, expression) in enumerate(expressions())]
    path = tmp_path / "rules.yml"
    path.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    promtool("check", "rules", path)


def test_the_dashboard_is_one_for_grafana():
    dashboard = json.loads(DASHBOARD.read_text())
    assert dashboard["schemaVersion"] >= 36
    assert [variable["name"] for variable in dashboard["templating"]["list"]] == ["datasource", "instance", "gpu"]
    numbers = [panel["id"] for panel in dashboard["panels"]]
    assert len(numbers) == len(set(numbers))
    taken = set()
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert not taken & cells and place["x"] + place["w"] <= 24, panel["title"]
        taken |= cells
    for panel in panels():
        assert panel["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
        assert len({target["refId"] for target in panel["targets"]}) == len(panel["targets"])


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze")
def test_systemd_understands_the_unit(tmp_path):
    text = (DEPLOY / "systemd/batchscope-monitor.service").read_text()
    unit = tmp_path / "batchscope-monitor.service"
    unit.write_text(text.replace("/usr/local/bin/batchscope", shutil.which("true")))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
