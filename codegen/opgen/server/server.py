"""The server itself: which message of the protocol is answered by what."""

from __future__ import annotations

import asyncio
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from opgen import __version__
from opgen.build.collect import kind_of
from opgen.build.config.discover import CONFIG_FILE, PROJECT_FILE
from opgen.diagnostics import Diagnostic
from opgen.server import answers
from opgen.server.messages import Messages
from opgen.server.workspace import Workspace

_PAUSE = 0.2  # seconds without a change before a document is judged
_WATCHED = f"**/{{{CONFIG_FILE},{PROJECT_FILE},*.yaml}}"
"""Files that documents are judged by, and that change without being open in the editor."""


class OpgenServer(LanguageServer):
    """Keeps the open documents, and what was last found in each file."""

    def __init__(self) -> None:
        super().__init__("opgen", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.documents = Workspace()
        self.findings: dict[Path, list[Diagnostic]] = {}
        self._waiting: dict[Path, asyncio.Task[None]] = {}

    @property
    def messages(self) -> Messages:
        """In the encoding that the client asked for."""
        return Messages(lsp.PositionEncodingKind(self.workspace.position_encoding or "utf-16").value)

    def changed(self, uri: str, text: str | None) -> None:
        """Take the text of a document, ``None`` where it was closed."""
        path = _path(uri)
        if text is None:
            self.documents.texts.pop(path, None)
        else:
            self.documents.texts[path] = text
        self.judge_soon(path)

    def judge_soon(self, path: Path) -> None:
        """Judge a document when nothing follows at once."""
        if (before := self._waiting.pop(path, None)) is not None:
            before.cancel()
        if kind_of(path) in {"declaration", "cpp", "python"}:
            self._waiting[path] = asyncio.get_running_loop().create_task(self._judge(path))

    async def _judge(self, path: Path) -> None:
        await asyncio.sleep(_PAUSE)
        for file, found in self.documents.judge(path).findings.items():
            self.findings[file] = found
            published = [self.messages.finding(diagnostic) for diagnostic in found]
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(file.as_uri(), published))


def make_server() -> OpgenServer:
    """Return a server that answers; ``start_io`` serves an editor on stdin and stdout."""
    server = OpgenServer()
    _watch(server)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(server: OpgenServer, params: lsp.DidOpenTextDocumentParams) -> None:
        server.changed(params.text_document.uri, params.text_document.text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(server: OpgenServer, params: lsp.DidChangeTextDocumentParams) -> None:
        if params.content_changes:
            server.changed(params.text_document.uri, params.content_changes[-1].text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(server: OpgenServer, params: lsp.DidCloseTextDocumentParams) -> None:
        server.changed(params.text_document.uri, None)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
    def fixes(server: OpgenServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        asked = range(params.range.start.line, params.range.end.line + 1)
        return [
            server.messages.quick_fix(found, found.fix)
            for found in server.findings.get(_path(params.text_document.uri), ())
            if found.fix is not None and server.messages.finding(found).range.start.line in asked
        ]

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(server: OpgenServer, params: lsp.HoverParams) -> lsp.Hover | None:
        path = _path(params.text_document.uri)
        offset = server.messages.offset_of(server.documents.source(path), params.position)
        found = server.documents.op_at(path, offset)
        if found is None:
            return None
        library, op, _ = found
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, answers.contract(library, op)))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(server: OpgenServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
        path = _path(params.text_document.uri)
        offset = server.messages.offset_of(server.documents.source(path), params.position)
        found = server.documents.op_at(path, offset)
        if found is None:
            return []
        _, op, folder = found
        start = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        return [lsp.Location(file.as_uri(), start) for file in answers.kernel_files(op, folder)]

    return server


def _watch(server: OpgenServer) -> None:
    """Ask an editor that can watch files to tell of those that nobody has open, and judge all documents when it does."""

    @server.feature(lsp.INITIALIZED)
    async def initialized(server: OpgenServer, _params: lsp.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        if workspace and workspace.did_change_watched_files and workspace.did_change_watched_files.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(_WATCHED)])
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            await server.client_register_capability_async(
                lsp.RegistrationParams([lsp.Registration("watched", method, options)])
            )

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def on_disk_changed(server: OpgenServer, _params: lsp.DidChangeWatchedFilesParams) -> None:
        for path in server.documents.texts:
            server.judge_soon(path)


def _path(uri: str) -> Path:
    return Path(to_fs_path(uri) or uri).absolute()
