"""The one place that reads the environment: everything Nebo can be told from outside, typed."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

import environ

BASE_DIR = Path(__file__).resolve().parent.parent
IS_INSTALLED = not (BASE_DIR / "manage.py").exists()  # from a wheel, rather than a checkout
WEB_DIR = BASE_DIR / "nebo" / "web" if IS_INSTALLED else BASE_DIR  # where templates and static files are
HOME_DIR = Path.cwd() if IS_INSTALLED else BASE_DIR  # from which NEBO_DATA_DIR counts
_read = environ.Env()
LEAST_KEY_CHARS = 32
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Environment:
    """Settings from the environment; the defaults make a fresh machine work with nothing set."""

    debug: bool
    secret_key: str
    secret_key_fallbacks: tuple[str, ...]
    encryption_keys: tuple[str, ...]
    data_dir: Path
    allowed_hosts: tuple[str, ...]
    csrf_trusted_origins: tuple[str, ...]
    base_url: str
    host: str
    port: int
    https: bool
    trusted_proxies: int
    email_url: str
    email_from: str
    signup: str
    email_verification: str
    oidc_url: str
    oidc_client_id: str
    oidc_client_secret: str
    oidc_name: str

    database_url: str
    database_owner_url: str
    database_app_url: str
    database_operator_url: str
    database_pooling: str
    database_replica_url: str
    replica_staleness_s: float
    replica_wait_s: float
    database_layout: str
    test_database: str

    chat_models: tuple[str, ...]
    openai_api_key: str
    openai_base_url: str
    anthropic_api_key: str
    anthropic_base_url: str
    ollama_base_url: str
    embedding_model: str
    embedding_dimensions: int
    embedding_threads: int
    minilm_file: str

    gateway_openai_url: str
    gateway_anthropic_url: str

    mcp_url: str
    mcp_key: str
    mcp_user: str

    webhook_networks: tuple[str, ...]

    web_threads: int
    worker_processes: int
    requests_per_minute: int
    tenant_requests_per_minute: int
    log_format: str
    metrics_token: str
    metrics_dir: str


def _secret_key(data_dir: Path) -> str:
    """SECRET_KEY, or one made on first use and kept beside the data, so that logins survive a restart."""
    given: str = _read.str("SECRET_KEY", default="")
    if given:
        return given
    path = data_dir / "secret_key"
    if not path.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        scratch = data_dir / f"secret_key.{secrets.token_hex(4)}"
        scratch.touch(mode=0o600)
        scratch.write_text(secrets.token_urlsafe(48))
        _link_first(scratch, path)
    return path.read_text().strip()


def _encryption_keys() -> tuple[str, ...]:
    """NEBO_ENCRYPTION_KEYS, the newest first; too short a one is refused before anything is sealed under it."""
    keys = _tuple("NEBO_ENCRYPTION_KEYS")
    if any(len(key) < LEAST_KEY_CHARS for key in keys):
        raise environ.ImproperlyConfigured(
            f"NEBO_ENCRYPTION_KEYS holds random texts of at least {LEAST_KEY_CHARS} characters each."
        )
    return keys


def _link_first(scratch: Path, path: Path) -> None:
    """Name `scratch` `path` unless another process was first; either way one whole key stands there."""
    with suppress(FileExistsError):
        path.hardlink_to(scratch)
    scratch.unlink()


def _tuple(name: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
    return tuple(part.strip() for part in _read.list(name, default=list(default)) if part.strip())


def _one_of(name: str, words: tuple[str, ...]) -> str:
    """One of a few words, the first of them unless told otherwise."""
    given: str = _read.str(name, default="") or words[0]
    if given not in words:
        raise environ.ImproperlyConfigured(f"{name} is one of {', '.join(words)}, not {given}.")
    return given


def _networks(name: str) -> tuple[str, ...]:
    """Networks such as `10.1.0.0/16`, separated by commas."""
    given = _tuple(name)
    for text in given:
        try:
            ip_network(text, strict=False)
        except ValueError as error:
            raise environ.ImproperlyConfigured(f"{name} is a list of networks; {text} is none.") from error
    return given


def _address(name: str, default: str) -> str:
    """An address over HTTP, without a slash at its end; empty for none."""
    given: str = _read.str(name, default=default).strip().rstrip("/")
    parts = urlsplit(given)
    if given and (
        parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment
    ):
        raise environ.ImproperlyConfigured(f"{name} is an address such as {default}, not {given}.")
    return given


def origin_of(address: str) -> str:
    """Scheme and host of an address; empty for none."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _signup_words(is_local: bool) -> tuple[str, ...]:
    """Whoever is at this machine may begin; strangers from outside only where somebody says so."""
    return ("open", "invited", "closed") if is_local else ("invited", "open", "closed")


def _verification_words(is_local: bool) -> tuple[str, ...]:
    """Addresses are verified where strangers from outside sign up, and where mail goes out at all."""
    is_open = _read.str("NEBO_SIGNUP", default="") == "open" and not is_local
    sends_mail = bool(_read.str("EMAIL_URL", default=""))
    return ("mandatory", "none") if is_open or sends_mail else ("none", "mandatory")


def read_environment() -> Environment:
    """Read every variable once; raises ImproperlyConfigured for a value of the wrong type."""
    data_dir = HOME_DIR / _read.str("NEBO_DATA_DIR", default=".nebo")
    port = _read.int("PORT", default=8000)
    base_url = _read.str("NEBO_BASE_URL", default=f"http://127.0.0.1:{port}").rstrip("/")
    return Environment(
        debug=_read.bool("DEBUG", default=False),
        secret_key=_secret_key(data_dir),
        secret_key_fallbacks=_tuple("SECRET_KEY_FALLBACKS"),
        encryption_keys=_encryption_keys(),
        data_dir=data_dir,
        allowed_hosts=_tuple("ALLOWED_HOSTS", ("127.0.0.1", "localhost", "[::1]", "testserver")),
        csrf_trusted_origins=_tuple("CSRF_TRUSTED_ORIGINS"),
        base_url=base_url,
        host=_read.str("HOST", default="127.0.0.1"),
        port=port,
        https=_read.bool("NEBO_HTTPS", default=False),
        trusted_proxies=_read.int("NEBO_TRUSTED_PROXIES", default=0),
        email_url=_read.str("EMAIL_URL", default="consolemail://"),
        email_from=_read.str("EMAIL_FROM", default="nebo@localhost"),
        signup=_one_of("NEBO_SIGNUP", _signup_words(is_local := urlsplit(base_url).hostname in LOCAL_HOSTS)),
        email_verification=_one_of("NEBO_EMAIL_VERIFICATION", _verification_words(is_local)),
        oidc_url=_read.str("NEBO_OIDC_URL", default="").rstrip("/"),
        oidc_client_id=_read.str("NEBO_OIDC_CLIENT_ID", default=""),
        oidc_client_secret=_read.str("NEBO_OIDC_CLIENT_SECRET", default=""),
        oidc_name=_read.str("NEBO_OIDC_NAME", default="single sign-on"),
        database_url=_read.str("DATABASE_URL", default=""),
        database_owner_url=_read.str("DATABASE_OWNER_URL", default=""),
        database_app_url=_read.str("DATABASE_APP_URL", default=""),
        database_operator_url=_read.str("DATABASE_OPERATOR_URL", default=""),
        database_pooling=_one_of("DATABASE_POOLING", ("session", "transaction")),
        database_replica_url=_read.str("DATABASE_REPLICA_URL", default=""),
        replica_staleness_s=_read.float("NEBO_REPLICA_STALENESS_S", default=5.0),
        replica_wait_s=_read.float("NEBO_REPLICA_WAIT_S", default=0.0),
        database_layout=_one_of("DATABASE_LAYOUT", ("one", "distributed")),
        test_database=_read.str("NEBO_TEST_DB", default="test_nebo"),
        chat_models=_tuple("NEBO_CHAT_MODELS"),
        openai_api_key=_read.str("OPENAI_API_KEY", default=""),
        openai_base_url=_read.str("OPENAI_BASE_URL", default="https://api.openai.com/v1"),
        anthropic_api_key=_read.str("ANTHROPIC_API_KEY", default=""),
        anthropic_base_url=_read.str("ANTHROPIC_BASE_URL", default="https://api.anthropic.com"),
        ollama_base_url=_read.str("OLLAMA_BASE_URL", default="http://127.0.0.1:11434"),
        embedding_model=_read.str("NEBO_EMBEDDING_MODEL", default="local/all-MiniLM-L6-v2-int8"),
        embedding_dimensions=_read.int("NEBO_EMBEDDING_DIMENSIONS", default=0),
        embedding_threads=_read.int("NEBO_EMBEDDING_THREADS", default=0),
        minilm_file=_read.str("NEBO_MINILM_FILE", default=""),
        gateway_openai_url=_address("NEBO_GATEWAY_OPENAI_URL", "https://api.openai.com/v1"),
        gateway_anthropic_url=_address("NEBO_GATEWAY_ANTHROPIC_URL", "https://api.anthropic.com"),
        mcp_url=_read.str("NEBO_MCP_URL", default=f"{base_url}/mcp"),
        mcp_key=_read.str("NEBO_MCP_KEY", default=""),
        mcp_user=_read.str("NEBO_MCP_USER", default=""),
        webhook_networks=_networks("NEBO_WEBHOOK_NETWORKS"),
        web_threads=_read.int("NEBO_WEB_THREADS", default=8),
        worker_processes=_read.int("NEBO_WORKER_PROCESSES", default=2),
        requests_per_minute=_read.int("NEBO_REQUESTS_PER_MINUTE", default=6000),
        tenant_requests_per_minute=_read.int("NEBO_TENANT_REQUESTS_PER_MINUTE", default=0),
        log_format=_read.str("NEBO_LOG_FORMAT", default="console"),
        metrics_token=_read.str("NEBO_METRICS_TOKEN", default=""),
        metrics_dir=_read.str("PROMETHEUS_MULTIPROC_DIR", default=""),
    )


env = read_environment()
