"""The WSGI application gunicorn serves."""

from django.core.wsgi import get_wsgi_application

from nebo.product.operations.preload import load_code

load_code()
application = get_wsgi_application()
