"""What happens when a generated package is imported."""

import shutil

import pytest

SETUP = "import torch\nx, y = torch.ones(2), torch.ones(2)\n"


@pytest.fixture
def contracts(tmp_path, case_project):
    return case_project(tmp_path, "contracts")


def last_line(run):
    return run.stderr.strip().splitlines()[-1]


def test_the_package_gives_documented_functions_and_needs_no_opgen(contracts):
    run = contracts.compile().python(
        SETUP
        + "import sys; sys.modules['opgen'] = None\n"
        + "import acme_ops\n"
        + "assert acme_ops.add_(x, y) is x and x.tolist() == [2, 2]\n"
        + "assert acme_ops.rms_norm(x, weight=y).shape == x.shape\n"
        + "assert 'weight: x.dtype [hidden]' in acme_ops.rms_norm.__doc__\n"
        + "assert sorted(acme_ops.__all__) == sorted(set(acme_ops.__all__))\n"
        + "assert all(callable(getattr(acme_ops, name)) for name in acme_ops.__all__)\n"
    )

    assert run.returncode == 0, run.stderr


def test_an_older_torch_opens_nothing_and_every_call_says_both_versions(contracts):
    run = contracts.run(
        "-c",
        SETUP
        + "torch.__version__ = '2.9.1+cpu'\n"
        + "import acme_ops\n"
        + "for call in (lambda: acme_ops.rms_norm(x, y), lambda: acme_ops.add_(x, y), acme_ops.version):\n"
        + "    try:\n"
        + "        call()\n"
        + "    except RuntimeError as error:\n"
        + "        print(error)\n",
    )

    assert run.stdout.splitlines() == ["acme_ops was built for torch >= 2.10, this is torch 2.9.1+cpu"] * 3, run.stderr


def test_a_missing_binary_is_one_sentence(contracts):
    run = contracts.python("import acme_ops")

    assert last_line(run) == (
        f"ImportError: acme_ops: the compiled library is missing, looked for {contracts.binary}: run `opgen build`"
    )


def test_a_damaged_binary_is_one_sentence(contracts):
    contracts.binary.write_bytes(b"no library")

    run = contracts.python("import acme_ops")

    assert last_line(run).startswith(f"ImportError: acme_ops can't open {contracts.binary}: ")


def test_a_binary_of_other_schemas_is_one_sentence(contracts):
    contracts.compile(digest="0" * 64)

    run = contracts.python("import acme_ops")

    assert last_line(run) == (
        f"ImportError: acme_ops: {contracts.binary} was compiled for other schemas than these: run `opgen build`"
    )


def test_an_op_that_the_build_leaves_out_says_so_when_it_is_called(contracts):
    kernels = contracts.folder / "kernels.py"
    kernels.write_text(kernels.read_text(encoding="utf-8").replace("def rms_norm", "def other"), encoding="utf-8")

    run = contracts.compile().python(SETUP + "import acme_ops\nacme_ops.add_(x, y)\nacme_ops.rms_norm(x, y)")

    assert last_line(run) == f"RuntimeError: acme::rms_norm has no CPU kernel in {contracts.binary}"


def test_a_second_copy_is_harmless(contracts):
    shutil.copytree(contracts.compile().package_folder, contracts.folder / "generated" / "copy_of_acme")

    run = contracts.python(
        SETUP
        + "import acme_ops, copy_of_acme\n"
        + "assert copy_of_acme.add_(x, y) is x and x.tolist() == [2, 2]\n"
        + "assert acme_ops.add_(x, y).tolist() == [3, 3]\n"
        + "assert torch.compile(lambda x: copy_of_acme.rms_norm(x, y), backend='aot_eager')(x).shape == x.shape\n"
    )

    assert run.returncode == 0, run.stderr


def test_a_copy_with_another_schema_is_one_sentence_and_the_first_one_lives(contracts):
    copy = contracts.folder / "generated" / "acme_new"
    shutil.copytree(contracts.compile().package_folder, copy)
    schemas = copy / "_schemas.py"
    schemas.write_text(schemas.read_text(encoding="utf-8").replace("float eps=1e-6", "float eps=0.5"), encoding="utf-8")

    run = contracts.python(
        SETUP
        + "import acme_ops\n"
        + "try:\n"
        + "    import acme_new\n"
        + "except ImportError as error:\n"
        + "    print(error)\n"
        + "assert acme_ops.add_(x, y) is x\n"
    )

    assert run.returncode == 0, run.stderr
    (line,) = run.stdout.splitlines()
    assert line.startswith("acme_new can't define 'acme::rms_norm(Tensor x, Tensor weight, float eps=0.5) -> Tensor', ")
    assert line.endswith("two packages or two versions of one share the namespace")


def test_traced_calls_refuse_what_eager_ones_do(contracts):
    run = contracts.compile().python(
        SETUP
        + "import acme_ops\n"
        + "leaf = torch.ones(2, requires_grad=True)\n"
        + "def wrong_gradient(w):\n"
        + "    s = (2 * w).exp()\n"
        + "    acme_ops.add_(s.detach(), torch.ones_like(s))\n"
        + "    return s.sum()\n"
        + "def message(call):\n"
        + "    try:\n"
        + "        call()\n"
        + "    except Exception as error:\n"
        + "        return str(error)\n"
        + "    return 'nothing raised'\n"
        + "for compiled in (lambda f: f, torch.compile(backend='aot_eager')):\n"
        + "    assert 'a leaf Variable that requires grad' in message(lambda: compiled(lambda x: acme_ops.add_(x, y))(leaf))\n"
        + "    out = lambda x: acme_ops.add_out(x, y, out=torch.empty(2))\n"
        + '    assert "don\'t support automatic differentiation" in message(lambda: compiled(out)(leaf))\n'
        + "    mutate = lambda x: acme_ops.silu_and_mul(torch.empty(1), x)\n"
        + "    assert 'derivative for acme::silu_and_mul' in message(lambda: compiled(mutate)(leaf))\n"
        + "    assert 'modified by an inplace operation' in message(lambda: compiled(wrong_gradient)(leaf).backward())\n"
        + "meta = torch.empty(2, device='meta')\n"
        + "version = meta._version\n"
        + "assert acme_ops.add_(meta, meta) is meta and meta._version == version + 1\n"
    )

    assert run.returncode == 0, run.stderr
