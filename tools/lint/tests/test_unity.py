import check_unity


def library(tmp_path, **sources):
    folder = tmp_path / "libs" / "a" / "src"
    folder.mkdir(parents=True)
    (tmp_path / "plugins").mkdir()
    (folder / "limits.hpp").write_text("namespace a {\ninline constexpr int kMost = 500;\nstruct Row {};\n}  // namespace a\n")
    for name, text in sources.items():
        (folder / f"{name}.cpp").write_text(text)
    return tmp_path


def unnamed(text):
    return f"namespace a {{\nnamespace {{\n\n{text}\n\n}}  // namespace\n}}  // namespace a\n"


USER = "namespace a {\nint most() { return kMost + int(sizeof(Row)); }\n}  // namespace a\n"


def test_a_constant_that_hides_one_of_a_header_is_reported(tmp_path):
    found = check_unity.check(library(tmp_path, one=unnamed("constexpr int kFew = 1, kMost = 250;"), two=USER))
    assert [line.split(": ")[1].split()[0] for line in found] == ["'kMost'"]


def test_a_type_that_hides_one_of_a_header_is_reported(tmp_path):
    assert len(check_unity.check(library(tmp_path, one=unnamed("struct Row {\n  int a;\n};"), two=USER))) == 1


def test_what_nobody_else_uses_hides_nothing(tmp_path):
    assert check_unity.check(library(tmp_path, one=unnamed("constexpr int kMost = 250;"))) == []
