"""The one settings module: embedded by default, grown up by `ENIGMAFORGE_*` variables.

The default needs no server: SQLite in write-ahead mode and a broker made of files, all under
`var/`. `ENIGMAFORGE_DATABASE_URL` and `ENIGMAFORGE_BROKER_URL` name PostgreSQL and Redis instead.
`docs/running.md` lists every variable.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import django_stubs_ext
from csp.constants import NONE, SELF

from enigmaforge_site.environment import Environment
from enigmaforge_site.secret_key import load_or_make_key

# `ModelAdmin[Row]` and `Form` generics work at run time too.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent

_env = Environment(os.environ)

# ── Where things are ────────────────────────────────────────────────────────────────────────────

VAR = _env.folder("VAR", BASE_DIR / "var")
DEBUG = _env.flag("DEBUG", default=False)
SECRET_KEY = _env.text("SECRET_KEY", "") or load_or_make_key(VAR / "secret_key")
SECRET_KEY_FALLBACKS: list[str] = []

ALLOWED_HOSTS = _env.names("ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
ROOT_URLCONF = "enigmaforge_site.urls"
WSGI_APPLICATION = "enigmaforge_site.wsgi.application"
ASGI_APPLICATION = "enigmaforge_site.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "enigmaforge_site",
    "enigmaforge_site.jobs",
    "enigmaforge_site.signin",
    "worlds",
    "grading",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "enigmaforge_site.middleware.keep_private",
    "enigmaforge_site.middleware.guard_request",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "enigmaforge_site.context.generator",
            ],
        },
    },
]

# ── Database ────────────────────────────────────────────────────────────────────────────────────

_database = _env.database("DATABASE_URL", VAR / "enigmaforge.sqlite3")
if _database["ENGINE"] == "django.db.backends.sqlite3":
    # IMMEDIATE takes the write lock at BEGIN, where SQLite waits for it; a lock asked for later,
    # by a transaction that has read already, fails at once whatever the timeout. So no
    # ATOMIC_REQUESTS, and nothing is computed inside a transaction.
    _database["OPTIONS"] |= {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": (
            "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA cache_size=-64000;"
            "PRAGMA mmap_size=134217728;PRAGMA temp_store=MEMORY;"
        ),
    }
else:
    _database |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
DATABASES: dict[str, dict[str, Any]] = {"default": _database}

# ── Jobs and the broker ─────────────────────────────────────────────────────────────────────────

# A worker that shows no sign of life for so many seconds has lost its job to the next one.
JOB_LEASE_SECONDS = _env.number("JOB_LEASE_SECONDS", 30, least=2, most=3600)
JOB_SWEEP_SECONDS = _env.number("JOB_SWEEP_SECONDS", 10, least=1, most=600)
# A job's process is killed after so many seconds; the job goes on from its last finished step.
JOB_TIME_LIMIT_SECONDS = _env.number("JOB_TIME_LIMIT_SECONDS", 3600, least=10, most=86_400)
# The processes that a page asks for an engine's opinion, and after how many seconds each is killed:
# its answer is then unknown.
_NATIVE = (sys.executable, "-m", "worlds.core.engines.native_check")
ENGINE_COMMANDS: dict[str, tuple[str, ...]] = {
    "dpll": (*_NATIVE, "dpll"),
    "oracle": (*_NATIVE, "oracle"),
    "z3": (sys.executable, "-m", "worlds.core.engines.z3_check"),
}
ENGINE_TIMEOUT_SECONDS: dict[str, int] = {
    "dpll": _env.number("DPLL_TIMEOUT_SECONDS", 60, least=1, most=3600),
    "oracle": _env.number("ORACLE_TIMEOUT_SECONDS", 60, least=1, most=3600),
    "z3": _env.number("Z3_TIMEOUT_SECONDS", 60, least=1, most=3600),
}
WORKER_PROCESSES = _env.number("WORKER_PROCESSES", 2, least=1, most=64)

CELERY_BROKER_URL = _env.broker("BROKER_URL", "fsqueue://localhost")
if CELERY_BROKER_URL.startswith("fsqueue:"):
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "folder": str(VAR / "queue"),
        "polling_interval": 0.05,
    }
    CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
else:
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        # Above the longest task, or Redis hands it out a second time while it still runs.
        "visibility_timeout": JOB_TIME_LIMIT_SECONDS + 600,
        "unacked_restore_interval": 10,
        "unacked_restore_throttle": 1,
    }
    CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0.2}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = JOB_TIME_LIMIT_SECONDS
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# No results are kept, so there is none to wait for when a process is lost.
CELERY_WORKER_LOST_WAIT = 1.0
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_ENABLE_UTC = True
CELERY_TIMEZONE = "UTC"

# ── The chat narrator ───────────────────────────────────────────────────────────────────────────

# Any OpenAI-compatible endpoint, used by `forge --narrator chat` and for corpora of that narrator.
# The key goes nowhere but to that endpoint, and no log, page or row holds it.
NARRATOR_URL = _env.text("NARRATOR_URL", "")
NARRATOR_MODEL = _env.text("NARRATOR_MODEL", "")
NARRATOR_KEY = _env.text("NARRATOR_KEY", "")

# ── Static files and uploads ────────────────────────────────────────────────────────────────────

STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "enigmaforge_site.plotly_finder.PlotlyFinder",
]
# Hashed and compressed names need `collectstatic`; tests serve the files as they lie.
_storage = (
    "enigmaforge_site.static_storage.QuickManifestStorage"
    if _env.flag("STATIC_MANIFEST", default=not DEBUG)
    else "django.contrib.staticfiles.storage.StaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _storage},
}
WHITENOISE_USE_FINDERS = DEBUG

MEDIA_ROOT = VAR / "uploads"
UPLOAD_LIMIT_MB = _env.number("UPLOAD_LIMIT_MB", 256, least=1, most=16_384)
# Every upload goes to a private file on disk, never into memory.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.TemporaryFileUploadHandler"]
FILE_UPLOAD_TEMP_DIR = VAR / "spool"
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_621_440
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
# The upload form takes fewer and says so; beyond this many nothing is read at all.
DATA_UPLOAD_MAX_NUMBER_FILES = 100
for _folder in (VAR, STATIC_ROOT, MEDIA_ROOT, FILE_UPLOAD_TEMP_DIR):
    _folder.mkdir(mode=0o700, parents=True, exist_ok=True)

# ── Sign-in ─────────────────────────────────────────────────────────────────────────────────────

LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
# There are no passwords to check: people sign in with one-time links.
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = []
# Cookies are shared by all ports of a host, so the names say whose they are.
SESSION_COOKIE_NAME = "enigmaforge_session"
CSRF_COOKIE_NAME = "enigmaforge_csrf"
CSRF_FAILURE_VIEW = "enigmaforge_site.errors.csrf_failure"
CSRF_TRUSTED_ORIGINS = _env.origins("TRUSTED_ORIGINS")

# ── Transport and content security ──────────────────────────────────────────────────────────────

# Set where a proxy in front speaks TLS; the embedded default is plain HTTP on loopback.
HTTPS = _env.flag("HTTPS", default=False)
SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
_hsts_seconds = _env.number("HSTS_SECONDS", 3600, least=0, most=63_072_000)
SECURE_HSTS_SECONDS = _hsts_seconds if HTTPS else 0
# Whether HSTS covers subdomains (W005) or is preloaded (W021) is for the owner of the domain.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "font-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}

# ── Time, language, logs ────────────────────────────────────────────────────────────────────────

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False
LANGUAGE_CODE = "en-gb"

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": _env.choice("LOG_LEVEL", "WARNING", _LEVELS)},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        # A page that is not there is the visitor's business, not a line in the terminal.
        "django.request": {"level": "ERROR"},
        # Says of every HEAD request that Django has answered it with a body.
        "gunicorn.http.wsgi": {"level": "ERROR"},
    },
}

_env.refuse_unknown()
