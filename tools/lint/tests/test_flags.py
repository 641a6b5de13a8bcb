import check_flags


def write(root, path, text):
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_a_flag_in_a_text_is_named_with_its_place(tmp_path):
    write(tmp_path, "libs/study/src/a.cpp", 'int b;\nint a;\nconst char* kFix = "use --mode infer";\n')
    write(tmp_path, "plugins/torch/src/b.cpp", 'auto fix = R"(raise --memory-limit)";\n')
    write(tmp_path, "libs/stats/src/c.cpp", 'auto fix = "measure more (-b 1,2,4)"; auto tool = "iconv -f LATIN1";\n')
    assert [violation.rsplit(":", 1)[0] for violation in check_flags.check(tmp_path)] == [
        "libs/stats/src/c.cpp:1: -b", "libs/study/src/a.cpp:3: --mode", "plugins/torch/src/b.cpp:1: --memory-limit"]


def test_cli_tests_and_other_programs_flags_are_fine(tmp_path):
    write(tmp_path, "libs/cli/src/a.cpp", 'auto flag = "--mode";\n')
    write(tmp_path, "libs/study/tests/a_test.cpp", 'auto flag = "--mode";\n')
    write(tmp_path, "libs/device/src/gpu/cuda_driver.cpp", 'auto fix = "docker run --gpus all"; auto line = "---- a --";\n')
    assert check_flags.check(tmp_path) == []


def test_another_programs_flag_is_fine_where_it_is_said_alone(tmp_path):
    write(tmp_path, "libs/device/src/other.cpp", 'auto fix = "docker run --gpus all";\n')
    write(tmp_path, "libs/analyze/src/a.cpp", 'auto fix = "raise --batch-size";\n')
    assert [violation.rsplit(":", 1)[0] for violation in check_flags.check(tmp_path)] == [
        "libs/analyze/src/a.cpp:1: --batch-size", "libs/device/src/other.cpp:1: --gpus"]


def test_what_is_allowed_and_not_said_any_more_is_named(tmp_path):
    write(tmp_path, "libs/device/src/gpu/cuda_driver.cpp", 'auto fix = "docker run";\n')
    assert check_flags.check(tmp_path) == [
        "libs/device/src/gpu/cuda_driver.cpp: --gpus: is not said any more; take it out of FOREIGN"]


def test_a_flag_in_a_comment_is_named_too(tmp_path):
    write(tmp_path, "libs/study/include/a.hpp", "int a;  // as after --mode\n/* or\n   --level */\n")
    assert [violation.rsplit(":", 1)[0] for violation in check_flags.check(tmp_path)] == [
        "libs/study/include/a.hpp:1: --mode", "libs/study/include/a.hpp:3: --level"]


def test_every_subject_has_a_flag(tmp_path):
    write(tmp_path, check_flags.SUBJECTS, 'kNames{\n    "",\n    "mode",\n    "models",\n    "seq_lens",\n};\n')
    write(tmp_path, "libs/cli/src/a.cpp", 'app.add_option("--mode", mode);\n')
    assert check_flags.check(tmp_path) == ["libs/base/include/batchscope/base/subject.hpp: seq_lens: cli has no flag of that name"]
