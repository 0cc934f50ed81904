"""The WSGI application gunicorn serves."""

import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nebo.settings")
application = get_wsgi_application()
import_module(settings.ROOT_URLCONF)  # now, and not at the cost of the first who asks
