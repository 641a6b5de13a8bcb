import check_words
import pytest


def found(path, text):
    names = [part.lower() for _, name in check_words.names_in(path, text) for part in check_words._PART.findall(name)]
    texts = [match[0].lower() for _, each in check_words.texts_in(path, text) for match in check_words._TEXT.finditer(each)]
    return [name for name in names if name in check_words.IN_NAMES], texts


@pytest.mark.parametrize(("name", "text", "names", "texts"), [
    ("a.cpp", "int told_slower = 0;  // what is told\n", ["told"], []),
    ("a.cpp", 'auto a = f("batch 4 is told from " "batch 8");\n', [], ["told"]),
    ("a.cpp", 'auto a = f("told");\n', [], []),
    ("a.hpp", "struct WholePage {};\n", ["whole"], []),
    ("a.py", 'stretches = f"the whole {thing} stands"\n', ["stretches"], ["whole", "stands"]),
    ("a.cpp", 'auto holds = f("a threshold, in a household");\n', [], [])])
def test_words_to_guess_at_are_found_in_names_and_texts(tmp_path, name, text, names, texts):
    assert found(tmp_path / name, text) == (names, texts)


def test_prose_of_a_page_is_read_without_its_code():
    text = "It stands.\n\n```\nwhole\n```\n\n`told` and [a](whole.md)\n"
    assert [line for line, prose in check_words.lines_of_prose(text) if check_words._TEXT.search(prose)] == [1]
