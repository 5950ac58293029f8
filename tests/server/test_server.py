"""`opgen server`, spoken to by a client over its stdin and stdout as an editor does."""

import asyncio
import sys

import pytest

pytest.importorskip("pygls")

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

WRONG = """\
opgen: 1
namespace: mylib
ops:
  - func: norm(Tensor x, double eps) -> Tensor
    autograd: none
    fake: none
"""
RIGHT = WRONG.replace("double", "float")
KERNEL = "kernels/cpu/norm.cpp"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "ops.yaml").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "kernels" / "cpu").mkdir(parents=True)
    (tmp_path / KERNEL).write_text("", encoding="utf-8")
    return tmp_path


def talk(folder, conversation, *encodings, workspace=None):
    """Start a server and a client, and return what the conversation returns; it gets the client and a queue of findings."""
    general = lsp.GeneralClientCapabilities(position_encodings=encodings or None)

    async def run():
        client = LanguageClient("tests", "1")
        published = asyncio.Queue()

        @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params):
            published.put_nowait(params)

        await client.start_io(sys.executable, "-m", "opgen", "server", cwd=str(folder))
        await client.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(general=general, workspace=workspace), root_uri=folder.as_uri()
            )
        )
        client.initialized(lsp.InitializedParams())
        try:
            return await asyncio.wait_for(conversation(client, published), timeout=60)
        finally:
            await client.shutdown_async(None)
            client.exit(None)
            await client.stop()

    return asyncio.run(run())


def open_document(client, file, text):
    item = lsp.TextDocumentItem(file.as_uri(), "yaml", 1, text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))


async def findings_of(published, file):
    while True:
        params = await published.get()
        if params.uri == file.as_uri():
            return params.diagnostics


def test_a_mistake_is_reported_where_it_stands_with_its_fix_and_goes_away_when_it_is_mended(folder):
    file = folder / "ops.yaml"

    async def conversation(client, published):
        open_document(client, file, WRONG)
        found = await findings_of(published, file)
        document = lsp.TextDocumentIdentifier(file.as_uri())
        context = lsp.CodeActionContext(found)
        fixes = await client.text_document_code_action_async(lsp.CodeActionParams(document, found[0].range, context))
        change = lsp.TextDocumentContentChangeWholeDocument(RIGHT)
        version = lsp.VersionedTextDocumentIdentifier(2, file.as_uri())
        client.text_document_did_change(lsp.DidChangeTextDocumentParams(version, [change]))
        return found, fixes, await findings_of(published, file)

    (found,), (fix,), mended = talk(folder, conversation)
    assert (found.code, found.severity) == ("OPG101", lsp.DiagnosticSeverity.Error)
    assert found.range == lsp.Range(lsp.Position(3, 25), lsp.Position(3, 31))
    (edit,) = fix.edit.changes[file.as_uri()]
    assert (edit.range, edit.new_text, fix.is_preferred) == (found.range, "float", True)
    assert not mended


def test_hovering_shows_the_contract_and_going_to_the_definition_opens_the_kernel(folder):
    file = folder / "ops.yaml"

    async def conversation(client, published):
        open_document(client, file, RIGHT.replace("namespace: mylib", "namespace: mylib  # 😀"))
        await findings_of(published, file)
        document = lsp.TextDocumentIdentifier(file.as_uri())
        inside, outside = lsp.Position(3, 12), lsp.Position(1, 24)
        return (
            await client.text_document_hover_async(lsp.HoverParams(document, inside)),
            await client.text_document_hover_async(lsp.HoverParams(document, outside)),
            await client.text_document_definition_async(lsp.DefinitionParams(document, inside)),
        )

    shown, nothing, places = talk(folder, conversation)
    assert "| functional | `mylib::norm(Tensor x, float eps) -> Tensor` |" in shown.contents.value
    assert nothing is None
    assert [place.uri for place in places] == [(folder / KERNEL).as_uri()]


def test_an_included_file_is_judged_with_the_library_that_includes_it(folder):
    main, part = folder / "ops.yaml", folder / "parts" / "norms.yaml"
    part.parent.mkdir()
    part.write_text("", encoding="utf-8")
    main.write_text("opgen: 1\nnamespace: mylib\ninclude: [parts/norms.yaml]\n", encoding="utf-8")

    async def conversation(client, published):
        open_document(client, part, "ops:\n  - {func: 'norm(Tensor x) -> Tensr', autograd: none}\n")
        return await findings_of(published, part)

    (found,) = talk(folder, conversation)
    assert found.code == "OPG101"
    assert found.range.start == lsp.Position(1, 30)


@pytest.mark.parametrize(
    ("name", "text"),
    [("new/ops.yaml", WRONG), ("new.cpp", 'TORCH_LIBRARY(mylib, m) {\n  m.def("f(Tensr x) -> ()");\n}\n')],
)
def test_a_document_that_was_never_saved_is_judged_by_its_text(tmp_path, name, text):
    file = tmp_path / name

    async def conversation(client, published):
        open_document(client, file, text)
        return await findings_of(published, file)

    assert {found.code for found in talk(tmp_path, conversation)} == {"OPG101"}


@pytest.mark.parametrize("text", ["services:\n  web: {image: nginx}\n", "ops:\n  - {func: 'f(Tensor x) -> Tensr'}\n"])
def test_nothing_is_said_of_yaml_that_belongs_to_no_library(folder, text):
    file = folder / "docker-compose.yaml"
    file.write_text(text, encoding="utf-8")

    async def conversation(client, published):
        open_document(client, file, text)
        hover = lsp.HoverParams(lsp.TextDocumentIdentifier(file.as_uri()), lsp.Position(1, 8))
        return await findings_of(published, file), await client.text_document_hover_async(hover)

    found, hover = talk(folder, conversation)
    assert not found
    assert hover is None


def test_a_mistake_in_the_configuration_is_reported_there(folder):
    configuration = folder / "opgen.toml"
    configuration.write_text("[lint]\nselct = []\n", encoding="utf-8")

    async def conversation(client, published):
        open_document(client, folder / "ops.yaml", RIGHT)
        return await findings_of(published, configuration)

    (found,) = talk(folder, conversation)
    assert (found.code, found.range.start) == ("OPG191", lsp.Position(1, 0))


def test_open_documents_are_judged_anew_when_the_configuration_was_saved(folder):
    configuration, file = folder / "opgen.toml", folder / "ops.yaml"
    change = lsp.DidChangeWatchedFilesParams([lsp.FileEvent(configuration.as_uri(), lsp.FileChangeType.Created)])

    async def conversation(client, published):
        open_document(client, file, WRONG)
        before = await findings_of(published, file)
        configuration.write_text('[lint]\nignore = ["OPG101"]\n', encoding="utf-8")
        client.workspace_did_change_watched_files(change)
        return before, await findings_of(published, file)

    before, after = talk(folder, conversation)
    assert "OPG101" in {found.code for found in before}
    assert "OPG101" not in {found.code for found in after}


def test_an_editor_that_watches_files_is_asked_to(folder):
    async def conversation(client, _published):
        asked = asyncio.Queue()

        @client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
        def register(params):
            asked.put_nowait(params)

        client.initialized(lsp.InitializedParams())
        return await asked.get()

    watching = lsp.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    asked = talk(folder, conversation, workspace=lsp.WorkspaceClientCapabilities(did_change_watched_files=watching))
    assert [one.method for one in asked.registrations] == [lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES]
    assert "{opgen.toml,pyproject.toml,*.yaml}" in str(asked.registrations[0].register_options)


@pytest.mark.parametrize(("encodings", "column"), [((), 36), (("utf-8", "utf-16"), 38), (("utf-32",), 35)])
def test_columns_count_units_of_the_encoding_that_the_client_prefers(folder, encodings, column):
    file = folder / "ops.yaml"
    text = "opgen: 1\r\nnamespace: mylib\r\nops:\r\n  - {doc: 😀, func: 'f(Tensor x) -> Tensr'}\r\n"

    async def conversation(client, published):
        open_document(client, file, text)
        document = lsp.TextDocumentIdentifier(file.as_uri())
        found = next(one for one in await findings_of(published, file) if one.code == "OPG101")
        open_document(client, file, text.replace("Tensr", "Tensor"))
        return found, await client.text_document_hover_async(lsp.HoverParams(document, found.range.start))

    found, hover = talk(folder, conversation, *encodings)
    assert found.range.start.character == column
    assert "mylib::f" in hover.contents.value


def test_findings_of_cpp_sources_are_reported(folder):
    file = folder / "ops.cpp"
    text = '#include <torch/library.h>\nTORCH_LIBRARY(mylib, m) {\n  m.def("f(Tensor x) -> Tensr");\n}\n'
    file.write_text("", encoding="utf-8")

    async def conversation(client, published):
        open_document(client, file, text)
        return await findings_of(published, file)

    assert "OPG101" in {found.code for found in talk(folder, conversation)}
