from django.db import models

from memories.models import Memory
from nebo.tenants.isolation import TenantForeignKey
from nebo.tenants.models import TenantModel, UserProfile


class Note(TenantModel):
    """Of a person, about one of their memories for as long as there is that memory."""

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+")
    memory = TenantForeignKey(Memory, models.SET_NULL, null=True, related_name="+")
    text = models.TextField()
