"""The examples at the end of each verb's ``--help``: all are valid, and those that need neither a compiler nor PyTorch are run."""

import shlex

import pytest
from click.testing import CliRunner

from opgen.cli.examples import EXAMPLES
from opgen.cli.group import VERBS, opgen

LINES = [(verb, line) for verb, examples in EXAMPLES.items() for line in examples]
NOT_RUN = {"build", "bench", "test", "server", "audit"}
SOURCES = {
    "csrc/ops.cpp": 'TORCH_LIBRARY(tiny, m) {\n  m.def("old(Tensor x) -> Tensor", &old);\n}\n',
    "python/ops.py": '@torch.library.register_fake("tiny::old")\ndef _(x):\n    return torch.empty_like(x)\n',
    "tests/test_ops.py": "torch.ops.tiny.old(x)\n",
}


def words_of(line):
    """What comes behind `opgen VERB`."""
    return shlex.split(line.partition(" > ")[0])[2:]


def test_every_verb_has_examples_and_its_help_shows_them():
    assert list(EXAMPLES) == list(VERBS)
    for verb, examples in EXAMPLES.items():
        shown = CliRunner().invoke(opgen, [verb, "--help"]).output
        assert "Examples:\n" in shown
        for line, meaning in examples.items():
            assert f"\n    {line} " in shown
            assert f"  {meaning}\n" in shown
            assert len(f"    {line}  {meaning}") <= 80, line


@pytest.mark.parametrize(("verb", "line"), LINES, ids=[line for _, line in LINES])
def test_an_example_runs(tmp_path, monkeypatch, ops, verb, line):
    assert line.startswith(f"opgen {verb}")
    if verb in NOT_RUN:
        (tmp_path / "dist").mkdir()
        opgen.get_command(None, verb).make_context(verb, words_of(line), resilient_parsing=True)
        return
    files = {**SOURCES, "old/ops.yaml": ops}
    if verb != "import":
        files["ops.yaml"] = ops
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(opgen, [verb, *words_of(line)])
    if "origin/main" in line:
        assert "git" in done.output  # this folder is no repository
    else:
        assert done.exit_code in {0, 1}, done.output
        assert done.exception is None or isinstance(done.exception, SystemExit)
