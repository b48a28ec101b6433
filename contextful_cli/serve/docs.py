"""The page at /docs: Swagger UI from its installed files, so that it shows without a network."""

from pathlib import Path

from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

FILES = ("swagger-ui.css", "swagger-ui-bundle.js")
# The page runs its own script and no other; Swagger UI draws with inline styles and data images.
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Contextful API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<main id="api"></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
"""
START = 'SwaggerUIBundle({url: "openapi.json", dom_id: "#api", deepLinking: false, validatorUrl: null});\n'


def routes() -> list[Route]:
    """The page and the three files that it asks for."""
    from swagger_ui_bundle import swagger_ui_path

    folder = Path(swagger_ui_path)
    files = [Route(f"/docs/{name}", _file(folder / name)) for name in FILES]
    return [Route("/docs", _page), Route("/docs/start.js", _start), *files]


async def _page(_: object) -> Response:
    return HTMLResponse(PAGE, headers={"content-security-policy": POLICY})


async def _start(_: object) -> Response:
    return Response(START, media_type="text/javascript")


def _file(path: Path):
    async def answer(_: object) -> Response:
        return FileResponse(path)

    return answer
