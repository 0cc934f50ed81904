"""Django settings; every value from outside comes through `nebo.env`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import environ

from nebo.database import DatabaseUrls, database_urls
from nebo.encoders.files import use_minilm_file
from nebo.env import WEB_DIR, env, origin_of
from nebo.logs import configure_logging

DEBUG = env.debug
SECRET_KEY = env.secret_key
SECRET_KEY_FALLBACKS = list(env.secret_key_fallbacks)
ENCRYPTION_KEYS = env.encryption_keys  # nebo.tenants.sealing
ALLOWED_HOSTS = list(env.allowed_hosts)
CSRF_TRUSTED_ORIGINS = list(env.csrf_trusted_origins)
BASE_URL = env.base_url
ROOT_URLCONF = "nebo.urls"
WSGI_APPLICATION = "nebo.wsgi.application"

INSTALLED_APPS = [
    "nebo.product.dashboard",
    "nebo.product.operations",
    "nebo.product.mem0",
    "nebo.product.mcp",
    "nebo.product.governance",
    "nebo.product.workspace",
    "nebo.product.events",
    "nebo.product.memory_files",
    "sessions",
    "personality",
    "memories",
    "search",
    "nebo.jobs",
    "nebo.api",
    "nebo.tenants",
    "rest_framework",
    "drf_spectacular",
    "django_q",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
]

MIDDLEWARE = [
    "nebo.middleware.RequestIdMiddleware",
    "nebo.middleware.MetricsMiddleware",
    "nebo.middleware.ServerTimingMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "nebo.middleware.CompressPagesMiddleware",
    "nebo.middleware.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "nebo.middleware.TimeZoneMiddleware",
    "nebo.tenants.middleware.OperatorMiddleware",
    "nebo.tenants.middleware.PositionMiddleware",
    "nebo.middleware.LanguageMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [WEB_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "nebo.product.dashboard.shell.shell",
            ]
        },
    }
]

# --- Database: one Postgres, three roles -------------------------------------------------------------

DATABASE_URLS: DatabaseUrls = database_urls(env)
DATABASE_ROLES = DATABASE_URLS.roles()
DATABASE_ROUTERS = ["nebo.tenants.scoping.OperatorRouter"]


def _database(url: str, **options: Any) -> dict[str, Any]:
    config: dict[str, Any] = environ.Env.db_url_config(url)
    config["ENGINE"] = "nebo.postgres"
    config["CONN_MAX_AGE"] = None  # a new connection costs 8 ms
    config["CONN_HEALTH_CHECKS"] = True
    config["OPTIONS"] = {**config.get("OPTIONS", {}), **options}
    return config


# A prepared statement belongs to a connection, which a pooler by transaction hands on. Only the app role prepares any.
PREPARE_AFTER = None if env.database_pooling == "transaction" else 2  # uses

DATABASES = {
    "default": _database(DATABASE_URLS.app, prepare_threshold=PREPARE_AFTER),
    "operator": _database(DATABASE_URLS.operator),
    "owner": _database(DATABASE_URLS.owner),
}
if DATABASE_URLS.replica:  # nebo.tenants.reading; what is slow to connect or to answer is not waited for
    DATABASES["replica"] = _database(
        DATABASE_URLS.replica,
        prepare_threshold=PREPARE_AFTER,
        connect_timeout=2,
        tcp_user_timeout=2000,
        keepalives_idle=5,
        keepalives_interval=1,
        keepalives_count=3,
    )
REPLICA_STALENESS_S = env.replica_staleness_s
REPLICA_WAIT_S = env.replica_wait_s
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- People ------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "tenants.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_REDIRECT_URL = "/"
LOGIN_URL = "account_login"
ACCOUNT_ADAPTER = "nebo.product.workspace.accounts.AccountAdapter"
ACCOUNT_FORMS = {"signup": "nebo.product.workspace.signing_up.WorkspaceSignupForm"}
SIGNUP = env.signup
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = env.email_verification
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = env.email_verification == "mandatory"
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_RATE_LIMITS = {"signup": "5/m/ip,30/h/ip", "reset_password": "10/m/ip,5/m/key"}
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_SESSION_REMEMBER = True
ALLAUTH_TRUSTED_PROXY_COUNT = env.trusted_proxies
MFA_ADAPTER = "nebo.product.workspace.second_factors.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Nebo"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not env.https  # browsers themselves allow it on localhost alone
MFA_ALLOW_UNVERIFIED_EMAIL = env.email_verification == "none"

# Sign-in by an OpenID Connect server, where there is one. Nobody is let in by an address that it merely names: a login
# that is here already is connected with it from its account.
SSO_NAME = env.oidc_name if env.oidc_url else ""
SSO_ORIGIN = origin_of(env.oidc_url)
if env.oidc_url:
    INSTALLED_APPS += ["allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": "sso",
                "name": env.oidc_name,
                "client_id": env.oidc_client_id,
                "secret": env.oidc_client_secret,
                "settings": {"server_url": env.oidc_url},
            }
        ],
    }
}
SOCIALACCOUNT_AUTO_SIGNUP = False  # the form asks for the team
SOCIALACCOUNT_FORMS = {"signup": "nebo.product.workspace.signing_up_elsewhere.WorkspaceSocialSignupForm"}
SOCIALACCOUNT_ADAPTER = "nebo.product.workspace.signing_up_elsewhere.SocialAccountAdapter"

globals().update(
    {
        f"EMAIL_{key.removeprefix('EMAIL_')}": v
        for key, v in environ.Env.email_url_config(env.email_url).items()
    }
)
DEFAULT_FROM_EMAIL = env.email_from

# --- Models that come along ----------------------------------------------------------------------------

use_minilm_file(Path(env.minilm_file) if env.minilm_file else None)

# --- API ---------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["nebo.api.authentication.KeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["nebo.api.scopes.HasScope"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["nebo.api.parsers.StrictJSONParser"],
    "DEFAULT_THROTTLE_CLASSES": ["nebo.api.throttles.KeyThrottle"],
    "DEFAULT_THROTTLE_RATES": {
        "key": f"{env.requests_per_minute}/min",
        "tenant": f"{env.tenant_requests_per_minute}/min" if env.tenant_requests_per_minute else None,
    },
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "nebo.api.problems.problem_handler",
    "UNAUTHENTICATED_USER": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
USAGE_ADDED_EVERY_S = 5.0  # seconds between two additions of counted calls to the rows, in each process
GATEWAY_UPSTREAMS = {"openai": env.gateway_openai_url, "anthropic": env.gateway_anthropic_url}
SPECTACULAR_SETTINGS = {
    "TITLE": "Nebo API",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "POSTPROCESSING_HOOKS": [],  # choices stand where they are used, not as components under made-up names
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
}
# 500 messages of 100 kB in one turn, with JSON's own overhead (docs/security.md#limits; `request.data` obeys this too).
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024 * 1024
FILE_UPLOAD_HANDLERS = [
    "nebo.uploads.BoundedUploads",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

WEBHOOK_NETWORKS = (
    env.webhook_networks
)  # for providers of teams, too: besides public addresses; without TLS these alone

# --- Work in the background --------------------------------------------------------------------------

Q_CLUSTER = {  # nebo.queue says what of django-q2 is used, and docs/jobs.md why no more
    "name": "nebo",
    "orm": "default",
    "workers": env.worker_processes,
    "queue_limit": env.worker_processes,  # a wake pulled beyond these would only wait in memory
    "poll": 0.2,  # seconds
    "timeout": 150,  # seconds; above the 90 s of an extraction and its publishing
    "retry": 200,  # seconds; unused, but django-q2 warns unless it is above the timeout
    "recycle": 10_000,  # jobs and beats (one every 5 s) until a process makes room for a fresh one
    "max_rss": 1_000_000,  # kB; so does one that has grown to this
    "save_limit": -1,  # results live in our own rows
    "catch_up": False,
    "scheduler": False,
    "label": "Queue",
}

# --- Web ---------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = env.data_dir / "static"
STATICFILES_DIRS = [WEB_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "nebo.product.operations.joined_files.JoinedFilesFinder",
]
JOINED_FILES_DIR = env.data_dir / "joined"  # made anew where it is missing
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "nebo.product.operations.hashed_files.HashedFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
TIME_ZONE = "UTC"
USE_TZ = True
LANGUAGE_CODE = "en"
USE_I18N = True
LANGUAGES = [("en", "English"), ("de", "Deutsch")]  # of pages and mails, each by its own name
LOCALE_PATHS = [Path(__file__).parent / "locale"]

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = env.https
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
SECURE_HSTS_SECONDS = 31_536_000 if env.https else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.trusted_proxies else None
SESSION_COOKIE_SECURE = env.https
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = env.https
CSRF_FAILURE_VIEW = "nebo.product.dashboard.stale_forms.refuse"
X_FRAME_OPTIONS = "DENY"

configure_logging(env.log_format)
LOGGING_CONFIG = None
