"""The manifests of `--launcher kubernetes --print`, as Kubernetes' own schemas have them."""

import pytest
import yaml

kubernetes_validate = pytest.importorskip("kubernetes_validate")


@pytest.mark.parametrize("version", ["1.33", kubernetes_validate.latest_version()])
@pytest.mark.parametrize("blocks, jobs", [(24, ["my-study-scouts", "my-study-rest"]), (2, ["my-study-scouts"])])
def test_manifests_are_valid(cli, version, blocks, jobs):
    text = cli.run("profile", "-m", "synthetic:affine:2ms,10ms", "-b", "1,2", "--threads", "4", "--blocks", blocks, "--job", "My_study",
                   "--launcher", "kubernetes", "--print", "--at-once", "4").stdout
    manifests = list(yaml.safe_load_all(text))
    assert [each["metadata"]["name"] for each in manifests] == jobs
    assert [each["spec"]["completions"] for each in manifests] == [2, blocks - 2][:len(jobs)]
    for each in manifests:
        kubernetes_validate.validate(each, version, strict=True)
    assert (cli.folder / "My_study/job.json").exists()


def test_they_are_printed_alone(cli):
    words = ["profile", "-m", "synthetic:affine:2ms,10ms", "-b", "1,2", "--threads", "4", "--blocks", "3", "--launcher", "kubernetes"]
    assert "--print" in cli.run(*words, check=2).stderr
    assert "--job" in cli.run(*words, "--print", check=2).stderr
